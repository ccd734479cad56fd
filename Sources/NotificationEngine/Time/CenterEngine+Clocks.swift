internal import Logging
import NotificationModel
internal import NotificationStore

// What the clocks report.
extension CenterEngine {
    /// Takes what a clock reports: looks at what is due, and corrects what is stored.
    func clockReported(_ event: ClockEvent) {
        // An alarm that rang is not set any more, whatever it was set for.
        lastAlarms = nil
        let now = clock.now()
        switch event {
        case .alarm: break
        case .resumed: Log.engine.info("awake again; the clocks are looked at")
        case .wallClockSet:
            let last = state.wallWasSet(now: now)
            followed("the set clock") { try await $0.followWallClock(last: last) }
        case .timeZoneChanged:
            followed("the time zone") { try await $0.store.followTimeZone(now: now) }
        case .zoneDataChanged:
            followed("the rules of zones") { try await $0.followZoneData(hasChanged: true) }
        }
        perform(state.clockRang(now: now))
    }

    /// What has happened to the clocks since the store was used last.
    func followClocks() {
        attemptHere("the clocks") { engine in
            try await engine.followWallClock(last: nil)
            try await engine.store.followTimeZone(now: engine.clock.now())
            try await engine.followZoneData(hasChanged: false)
        }
    }

    private func followWallClock(last: Instant?) async throws {
        try await store.followWallClock(now: clock.now(), last: last)
    }

    private func followZoneData(hasChanged: Bool) async throws {
        try await store.followZoneData(
            state.schedule.zones.version, hasChanged: hasChanged, now: clock.now())
    }

    /// Dates of any app may be others afterwards.
    private func followed(
        _ what: String,
        _ change: @escaping @Sendable (isolated CenterEngine) async throws -> Void
    ) {
        attemptHere(what) { engine in
            try await change(engine)
            engine.changed(.pending, of: nil)
        }
    }
}
