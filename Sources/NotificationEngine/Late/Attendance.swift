import NotificationModel
internal import NotificationStore

/// When nobody could show what was due, on both clocks; pure.
struct Attendance: Hashable {
    private var wall = ClockAttendance()
    private var boot = ClockAttendance()

    /// Notes that what is due can be shown now.
    ///
    /// `head` is the earliest of what waits; while claimed rows are on their way here nothing is
    /// forgotten, because they wait no more and are not judged yet.
    mutating func look(at now: ClockReading, head: ScheduleHead, isClaiming: Bool) {
        wall.look(
            at: now.wall.microseconds, earliest: isClaiming ? .min : head.wall?.microseconds)
        boot.look(at: now.boot, earliest: isClaiming ? .min : head.boot)
    }

    /// Notes that requests come in which nobody could show before now: those of another store.
    mutating func takeOver(at now: ClockReading) {
        wall.takeOver(at: now.wall.microseconds)
        boot.takeOver(at: now.boot)
    }

    /// How late it is, in microseconds: from its date until somebody could show it.
    func lateness(of due: DueTime) -> Int64 {
        due.boot.map(boot.lateness) ?? wall.lateness(of: due.wall.microseconds)
    }
}
