import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport

/// Advances the clock from alarm to alarm, as on a machine that is awake.
struct ClockDriver {
    let clock: ManualClock
    let engine: CenterEngine

    func run(_ duration: Duration) async throws {
        try await run(until: clock.now().boot + duration.wholeMicroseconds)
    }

    private func run(until end: Int64) async throws {
        while true {
            try await engine.rest()
            let now = clock.now()
            guard now.boot < end else { return }
            var step = end - now.boot
            if let boot = clock.alarms.boot { step = min(step, boot - now.boot) }
            if let wall = clock.alarms.wall {
                step = min(step, wall.microseconds - now.wall.microseconds)
            }
            clock.advance(by: .microseconds(max(step, 1)))
        }
    }
}

extension RecordingPresenter {
    /// Returns the times at which popups with this title were shown; nil means all popups.
    func times(of title: String? = nil) -> [Instant] {
        presentations.all.filter {
            title == nil || $0.notification.request.content.title == title
        }.map(\.notification.date)
    }
}
