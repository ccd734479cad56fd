internal import NotificationModel

/// The times of day that components match: one time a day, or one time in each hour, minute or
/// second.
struct TimePattern: Hashable, Sendable {
    static let day: Int64 = 86_400_000_000
    private static let hour: Int64 = 3_600_000_000
    private static let minute: Int64 = 60_000_000
    private static let second: Int64 = 1_000_000

    /// The first time of a day, in microseconds.
    let first: Int64
    /// The time from one match to the next, in microseconds.
    let period: Int64

    /// Whether the pattern has several times a day; each hour then has at least one time.
    var repeatsWithinDay: Bool { period < Self.day }

    /// Makes the pattern of components whose parts are all within their ranges.
    ///
    /// A larger unit that is not set matches every value: `minute` alone is that minute of each
    /// hour. If the hour is set, the pattern has one time a day. With `hourIsFixed`, components
    /// without an hour also have one time a day, in the day's first hour.
    init(_ components: CalendarComponents, hourIsFixed: Bool) {
        let fraction = Int64(components.nanosecond ?? 0) / 1_000
        var phase = fraction
        if let hour = components.hour { phase += Int64(hour) * Self.hour }
        if let minute = components.minute { phase += Int64(minute) * Self.minute }
        if let second = components.second { phase += Int64(second) * Self.second }
        first = phase
        let isUnset =
            components.minute == nil && components.second == nil && components.nanosecond == nil
        if components.hour != nil || hourIsFixed || isUnset {
            period = Self.day
        } else if components.minute != nil {
            period = Self.hour
        } else {
            period = components.second != nil ? Self.minute : Self.second
        }
    }

    /// The first matching time after `time`; nil if the day has no later match.
    ///
    /// Both times are in microseconds since the start of the day.
    func next(after time: Int64) -> Int64? {
        guard time >= first else { return first }
        let next = first + ((time - first) / period + 1) * period
        return next < Self.day ? next : nil
    }
}
