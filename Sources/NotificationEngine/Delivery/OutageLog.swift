import NotificationModel
internal import NotificationStore

/// The times in which no due request could be shown, on both clocks; pure.
struct OutageLog: Hashable {
    private var wall = ClockOutageLog()
    private var boot = ClockOutageLog()

    /// Records that due requests can be shown now.
    ///
    /// `head` has the earliest pending dates. During a claim, the log keeps all outages: the
    /// claimed rows have left `head`, and their lateness is still to be computed.
    mutating func recordPresence(at now: ClockReading, head: ScheduleHead, isClaiming: Bool) {
        wall.recordPresence(
            at: now.wall.microseconds, earliest: isClaiming ? .min : head.wall?.microseconds)
        boot.recordPresence(at: now.boot, earliest: isClaiming ? .min : head.boot)
    }

    /// Records an import of requests from another store or the inbox.
    ///
    /// None of these requests could be shown before now.
    mutating func takeOver(at now: ClockReading) {
        wall.takeOver(at: now.wall.microseconds)
        boot.takeOver(at: now.boot)
    }

    /// The lateness in microseconds: from the due date until the request could be shown.
    func lateness(of due: DueTime) -> Int64 {
        due.boot.map(boot.lateness) ?? wall.lateness(of: due.wall.microseconds)
    }
}

/// The outages on one clock: the times in which a due request could not be shown.
///
/// A sleep, a freeze, a missing server or a clock set forward makes an outage. An outage lasts from
/// the last check before it to the first check after it. A request that falls due outside of an
/// outage is punctual, even if many other requests come before it.
struct ClockOutageLog: Hashable {
    struct Outage: Hashable {
        /// The last check before the outage; a request due at that instant could still be shown.
        var from: Int64
        /// The first check after the outage.
        var until: Int64
    }

    /// The shortest outage that counts, in microseconds; shorter gaps are normal operation.
    static let shortest: Int64 = 1_000_000
    /// The most outages that are remembered; if there are more, the shortest outage is dropped.
    static let limit = 64

    /// The outages in which a waiting request may have fallen due.
    private(set) var outages: [Outage] = []
    /// The time of the last check, in microseconds; nil before the first check.
    private(set) var lastPresence: Int64?

    /// Records a check at this instant, in microseconds.
    ///
    /// `earliest` is the earliest date of a waiting request; nil if no request waits.
    mutating func recordPresence(at now: Int64, earliest: Int64?) {
        // The lateness of all requests that fell due in these outages is computed already.
        outages.removeAll { $0.until < earliest ?? .max }
        let last = lastPresence
        lastPresence = now
        guard let last else { return addOutage(Outage(from: .min, until: now)) }
        guard now >= last else { return setBack(to: now) }
        if now - last > Self.shortest { addOutage(Outage(from: last, until: now)) }
    }

    /// Records that imported requests could not be shown before this instant, in microseconds.
    mutating func takeOver(at now: Int64) {
        addOutage(Outage(from: .min, until: now))
    }

    /// The lateness of a date in microseconds: from the date to the end of its outage.
    ///
    /// The lateness is 0 if the date lies in no outage. Outages overlap after an import, and then
    /// the latest end counts.
    func lateness(of date: Int64) -> Int64 {
        let ends = outages.lazy.filter { $0.from < date && date <= $0.until }.map(\.until)
        return ends.max()?.saturatingSubtract(date) ?? 0
    }

    private mutating func addOutage(_ outage: Outage) {
        outages.append(outage)
        guard outages.count > Self.limit else { return }
        func length(_ outage: Outage) -> Double { Double(outage.until) - Double(outage.from) }
        let shortest = outages.indices.min { length(outages[$0]) < length(outages[$1]) }
        if let shortest { outages.remove(at: shortest) }
    }

    /// Cuts the outages at `now`: the clock was set back, so dates after `now` are still to come.
    private mutating func setBack(to now: Int64) {
        outages = outages.compactMap { outage in
            guard outage.from < now else { return nil }
            return Outage(from: outage.from, until: min(outage.until, now))
        }
    }
}
