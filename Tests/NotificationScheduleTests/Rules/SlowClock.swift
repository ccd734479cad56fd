import NotificationModel
import NotificationSchedule

/// Finds dates in a slow but simple way: it checks the local time of every minute.
struct SlowClock {
    /// The treatment of local times that clocks leave out or show twice.
    enum Policy {
        /// A time that the clock leaves out fires at the gap's end; a repeated time fires once.
        case makeUp
        /// A time that the clock leaves out never fires; a repeated time fires once.
        case skip
        /// Every time that the clock shows fires, however often.
        case follow
    }

    var zone: ZoneRules
    var policy: Policy

    /// Returns the minutes in a range at which the rule fires.
    func dates(
        after start: Instant, minutes: Int, where matches: (CivilTime) -> Bool
    ) -> [Instant] {
        let first = start.microseconds / 60_000_000
        var shown = local(first)
        var dates: [Instant] = []
        for minute in first + 1...first + Int64(minutes) {
            let now = local(minute)
            let due: [Int64] =
                switch policy {
                case .follow: [now]
                case .skip: now > shown ? [now] : []
                case .makeUp: Array(min(shown + 1, now + 1)..<now + 1)
                }
            if due.contains(where: { matches(CivilTime(seconds: $0 * 60)) }) {
                dates.append(Instant(microseconds: minute * 60_000_000))
            }
            shown = max(shown, now)
        }
        return dates
    }

    /// Local time in minutes.
    private func local(_ minute: Int64) -> Int64 {
        minute + Int64(zone.offset(at: minute * 60)) / 60
    }
}
