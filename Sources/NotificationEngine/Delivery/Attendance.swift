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

/// When nobody looked at one clock, so that what was due meanwhile could not be shown.
///
/// Whoever slept, was frozen, had no server or found the clock set forward was absent from the last
/// look to the next one. What is due while somebody looks is punctual, however long it then takes
/// to show a hundred thousand of them.
struct ClockAttendance: Hashable {
    /// From just after one look to the next.
    struct Absence: Hashable {
        /// The last look before it; what was due then could still be shown.
        var from: Int64
        /// The first look after it.
        var until: Int64
    }

    /// The shortest absence that counts, in microseconds: shorter ones are how a machine works.
    static let shortest: Int64 = 1_000_000
    /// The most absences that are remembered; of more, the shortest are forgotten.
    static let limit = 64

    /// The absences in which something that still waits was due.
    private(set) var absences: [Absence] = []
    /// The last look; nil before the first.
    private(set) var lastLook: Int64?

    /// Notes that somebody looks at this moment.
    ///
    /// `earliest` is the first date that still waits, nil where there is none.
    mutating func look(at now: Int64, earliest: Int64?) {
        // What was missed earlier has been judged.
        absences.removeAll { $0.until < earliest ?? .max }
        let last = lastLook
        lastLook = now
        guard let last else { return note(Absence(from: .min, until: now)) }
        guard now >= last else { return setBack(to: now) }
        if now - last > Self.shortest { note(Absence(from: last, until: now)) }
    }

    /// Notes that dates come in whose requests nobody looked at before this moment.
    mutating func takeOver(at now: Int64) {
        note(Absence(from: .min, until: now))
    }

    /// How late a date is, in microseconds: from it until somebody looked.
    func lateness(of date: Int64) -> Int64 {
        let absence = absences.first { $0.from < date && date <= $0.until }
        return absence.map { $0.until.saturatingSubtract(date) } ?? 0
    }

    private mutating func note(_ absence: Absence) {
        absences.append(absence)
        guard absences.count > Self.limit else { return }
        func length(_ absence: Absence) -> Double { Double(absence.until) - Double(absence.from) }
        let shortest = absences.indices.min { length(absences[$0]) < length(absences[$1]) }
        if let shortest { absences.remove(at: shortest) }
    }

    /// The same dates come again, and this time somebody looks.
    private mutating func setBack(to now: Int64) {
        absences = absences.compactMap { absence in
            guard absence.from < now else { return nil }
            return Absence(from: absence.from, until: min(absence.until, now))
        }
    }
}
