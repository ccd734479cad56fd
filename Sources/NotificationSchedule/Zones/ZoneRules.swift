/// The rules of one time zone: how far its clocks are from UTC at every instant.
///
/// A TZif file (RFC 9636) has a table of changes, and a rule for all years after the last change.
/// All instants are whole seconds since 1970-01-01 00:00:00 UTC.
public struct ZoneRules: Hashable, Sendable {
    /// The instants of the changes, ascending.
    let transitions: [Int64]
    /// For each change, the index in `types` of the type that holds after the change.
    let kinds: [UInt8]
    /// The types of the table.
    ///
    /// The first type holds before the first change.
    let types: [LocalTimeType]
    /// The rule after the last change.
    let rule: RecurringRule?

    /// A zone that is always this many seconds east of UTC.
    public static func fixed(_ offset: Int, abbreviation: String = "") -> ZoneRules {
        ZoneRules(
            transitions: [], kinds: [],
            types: [LocalTimeType(offset: offset, abbreviation: abbreviation)], rule: nil)
    }

    /// Coordinated universal time.
    public static let utc = fixed(0, abbreviation: "UTC")

    // About a million years, in seconds. No caller asks for a later instant, and no addition in
    // this type overflows `Int64` up to this instant.
    private static let horizon: Int64 = 1 << 45

    /// The local time type of the clocks at this instant.
    public func localTime(at seconds: Int64) -> LocalTimeType {
        type(period(at: seconds).type)
    }

    /// Seconds east of UTC at this instant.
    public func offset(at seconds: Int64) -> Int {
        period(at: seconds).offset
    }

    private func type(_ index: Int) -> LocalTimeType {
        if index < types.count { return types[index] }
        guard let rule else { return types[0] }
        return index == types.count ? rule.standard : rule.daylight?.type ?? rule.standard
    }

    /// The period that contains this instant.
    package func period(at instant: Int64) -> ZonePeriod {
        let seconds = min(max(instant, -Self.horizon), Self.horizon)
        guard let last = transitions.last, seconds < last else { return lastPeriods(at: seconds) }
        let next = transitions.partitioningIndex { $0 > seconds }
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
}

/// The offset of a zone's clocks during some time, and the abbreviation of this kind of time.
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

    /// The farthest that a zone is from UTC, in seconds; RFC 9636 3.2 requires less than 26 hours.
    static let farthestOffset = 26 * 3_600
}

/// A stretch of time in which a zone's offset does not change.
///
/// The offset may be the same in the next period.
package struct ZonePeriod: Hashable, Sendable {
    /// The first second of the period; `Int64.min` for a period without a start.
    var start: Int64
    /// The first second after the period; `Int64.max` for a period without an end.
    package var end: Int64
    /// Seconds east of UTC.
    var offset: Int
    /// The index of the period's local time type.
    ///
    /// The types of the file's footer follow the types of its table.
    var type: Int

    /// The time on the wall clock at the end, in seconds; `Int64.max` if there is no end.
    var localEnd: Int64 { end == .max ? .max : end + Int64(offset) }
    /// The time on the wall clock at the start, in seconds; `Int64.min` if there is no start.
    var localStart: Int64 { start == .min ? .min : start + Int64(offset) }
}

extension RandomAccessCollection {
    /// The index of the first element that is beyond a border.
    ///
    /// The elements must be sorted so that all elements beyond the border come last.
    func partitioningIndex(where isBeyond: (Element) -> Bool) -> Index {
        var start = startIndex
        var count = count
        while count > 0 {
            let middle = index(start, offsetBy: count / 2)
            if isBeyond(self[middle]) {
                count /= 2
            } else {
                start = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return start
    }
}
