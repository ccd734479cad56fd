internal import Dispatch

/// Does something after a time; tests decide when that time is over.
package struct DelayedWork: Sendable {
    /// Runs work after a duration, on any thread.
    package let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Makes one of a closure.
    package init(
        schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        self.schedule = schedule
    }

    /// Waits for real.
    package static let system: DelayedWork = {
        let queue = DispatchQueue(label: "UserNotifications.delays")
        return DelayedWork { duration, work in
            queue.asyncAfter(
                deadline: .now() + .seconds(Int(duration.components.seconds)), execute: work)
        }
    }()
}
