/// The rules of one time zone: how far its clocks are from UTC, ever.
///
/// Made of a TZif file (RFC 9636, before it 8536): a table of changes, and after the last of them a
/// rule for all years to come. All instants are whole seconds since 1970-01-01 00:00:00 UTC.
public struct ZoneRules: Hashable, Sendable {
    /// The instants of the changes, ascending.
    let transitions: [Int64]
    /// The type from each change on.
    let kinds: [UInt8]
    /// The types of the table; the first holds before the first change.
    let types: [LocalTimeType]
    /// The rule after the last change.
    let rule: RecurringRule?

    /// A table as it stands in a file; it must be consistent.
    init(
        transitions: [Int64], kinds: [UInt8], types: [LocalTimeType], rule: RecurringRule?
    ) {
        self.transitions = transitions
        self.kinds = kinds
        self.types = types
        self.rule = rule
    }

    /// A zone of one rule for all years.
    init(rule: RecurringRule) {
        self.init(transitions: [], kinds: [], types: [rule.standard], rule: rule)
    }

    /// A zone that is always this far from UTC.
    public static func fixed(_ offset: Int, abbreviation: String) -> ZoneRules {
        ZoneRules(
            transitions: [], kinds: [],
            types: [LocalTimeType(offset: offset, abbreviation: abbreviation)], rule: nil)
    }

    /// Coordinated universal time.
    public static let utc = fixed(0, abbreviation: "UTC")

    // Beyond a million years nothing is asked, and no sum below can overflow.
    private static let horizon: Int64 = 1 << 45

    /// What the clocks show at this instant.
    public func localTime(at seconds: Int64) -> LocalTimeType {
        type(period(at: seconds).type)
    }

    /// Seconds east of UTC at this instant.
    public func offset(at seconds: Int64) -> Int {
        period(at: seconds).offset
    }

    /// The first instant after this one from which the clocks show another time, another name, or
    /// are put to daylight saving time or back; nil where nothing changes any more.
    public func nextTransition(after seconds: Int64) -> Int64? {
        var period = period(at: seconds)
        let before = type(period.type)
        // A rule may name changes that change nothing (RFC 9636 3.3.1, daylight saving all year);
        // it is the same every year, so that a few of them say it all.
        var idle = 0
        while period.end < Self.horizon, idle < 8 {
            let next = self.period(at: period.end)
            if type(next.type) != before { return period.end }
            idle += period.end >= (transitions.last ?? .min) ? 1 : 0
            period = next
        }
        return nil
    }

    /// The last such instant that is not after this one; nil where there was none before.
    public func previousTransition(atOrBefore seconds: Int64) -> Int64? {
        var period = period(at: seconds)
        let after = type(period.type)
        var idle = 0
        while period.start > -Self.horizon, idle < 8 {
            let previous = self.period(at: period.start - 1)
            if type(previous.type) != after { return period.start }
            if period.start > transitions.last ?? .min {
                idle += 1
                // Between the table and now nothing changed: go on in the table.
                if idle == 8, let last = transitions.last {
                    period = self.period(at: last - 1)
                    return type(period.type) != after
                        ? last : previousTransition(atOrBefore: last - 1)
                }
            }
            period = previous
        }
        return nil
    }

    func type(_ index: Int) -> LocalTimeType {
        if index < types.count { return types[index] }
        guard let rule else { return types[0] }
        return index == types.count ? rule.standard : rule.daylight?.type ?? rule.standard
    }

    /// The period in which this instant lies.
    func period(at instant: Int64) -> ZonePeriod {
        let seconds = min(max(instant, -Self.horizon), Self.horizon)
        guard let last = transitions.last, seconds < last else { return lastPeriods(at: seconds) }
        let next = firstTransition(after: seconds)
        let kind = next == 0 ? 0 : Int(kinds[next - 1])
        return ZonePeriod(
            start: next == 0 ? .min : transitions[next - 1], end: transitions[next],
            offset: types[kind].offset, type: kind)
    }

    /// The period of an instant that is not before the last change of the table.
    private func lastPeriods(at seconds: Int64) -> ZonePeriod {
        let last = transitions.last ?? .min
        guard let rule else {
            let kind = Int(kinds.last ?? 0)
            return ZonePeriod(start: last, end: .max, offset: types[kind].offset, type: kind)
        }
        let period = rule.period(at: seconds)
        return ZonePeriod(
            start: max(last, period.start), end: period.end,
            offset: period.isDaylight ? rule.daylight?.type.offset ?? 0 : rule.standard.offset,
            type: types.count + (period.isDaylight ? 1 : 0))
    }

    private func firstTransition(after seconds: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

/// What a zone's clocks show during some time: their offset, and how it is called.
public struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC.
    public var offset: Int
    /// Whether this is the zone's daylight saving time.
    public var isDaylightSaving: Bool
    /// The abbreviation, `CET`.
    public var abbreviation: String

    /// Makes a local time type.
    public init(offset: Int, isDaylightSaving: Bool = false, abbreviation: String) {
        self.offset = offset
        self.isDaylightSaving = isDaylightSaving
        self.abbreviation = abbreviation
    }

    /// Coordinated universal time.
    public static let utc = LocalTimeType(offset: 0, abbreviation: "UTC")

    /// The farthest that a zone is from UTC, in seconds; RFC 9636 3.2 asks for less than 26 hours.
    static let farthestOffset = 26 * 3_600
}

/// A stretch of time in which a zone's offset does not change; its ends need not be changes.
struct ZonePeriod: Hashable, Sendable {
    /// The first second, `Int64.min` where there is none.
    var start: Int64
    /// The second after the last, `Int64.max` where there is none.
    var end: Int64
    /// Seconds east of UTC.
    var offset: Int
    /// Which of the zone's types; those of the footer follow those of the table.
    var type: Int

    /// What the wall clock would show at the end, in seconds; `Int64.max` where there is none.
    var localEnd: Int64 { end == .max ? .max : end + Int64(offset) }
    /// What the wall clock shows at the start, in seconds; `Int64.min` where there is none.
    var localStart: Int64 { start == .min ? .min : start + Int64(offset) }
}
