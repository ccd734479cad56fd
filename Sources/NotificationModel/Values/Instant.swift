/// A point of wall-clock time, in microseconds since 1970-01-01 00:00:00 UTC.
///
/// The model does not use `Date`, because the command-line tool starts faster without Foundation.
/// Int64 microseconds reach past the year 290,000.
public struct Instant: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01 00:00:00 UTC; negative before that instant.
    public var microseconds: Int64

    /// Makes the instant that lies this many microseconds after 1970-01-01 00:00:00 UTC.
    @inlinable public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes an instant from seconds since 1970, rounded to microseconds.
    ///
    /// The result is nil if the value is out of range or not finite.
    public init?(secondsSince1970 seconds: Double) {
        let scaled = (seconds * 1_000_000).rounded()
        guard scaled.isFinite, abs(scaled) < 9.2e18 else { return nil }
        self.microseconds = Int64(scaled)
    }

    /// Seconds since 1970-01-01 00:00:00 UTC.
    public var secondsSince1970: Double { Double(microseconds) / 1_000_000 }

    /// Makes the instant that lies this many seconds after 1970, clamped to the range.
    @inlinable package init(seconds: Int64) {
        microseconds = seconds.saturatingMultiply(1_000_000)
    }

    /// Seconds since 1970, rounded down.
    @inlinable package var wholeSeconds: Int64 { microseconds.floorDivided(by: 1_000_000) }

    /// The microseconds within the instant's second: from 0 to 999,999, also before 1970.
    @inlinable package var fraction: Int64 {
        let rest = microseconds % 1_000_000
        return rest < 0 ? rest + 1_000_000 : rest
    }

    /// The instant this many microseconds later, clamped to the range.
    @inlinable public func adding(microseconds delta: Int64) -> Instant {
        Instant(microseconds: microseconds.saturatingAdd(delta))
    }

    /// Microseconds from another instant to this one, clamped to the range.
    @inlinable package func microseconds(since other: Instant) -> Int64 {
        microseconds.saturatingSubtract(other.microseconds)
    }

    /// The last microsecond of the year 9999.
    package static let latest = Instant(
        microseconds: Limits.date.range.upperBound * 1_000_000 + 999_999)

    /// Whether a request may have this date: true from 1970 to 9999.
    package var isUsable: Bool { microseconds >= 0 && self <= .latest }

    /// Whether the left instant comes first.
    @inlinable public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// A date and time of day in the proleptic Gregorian calendar, without a time zone.
public struct CivilTime: Hashable, Sendable {
    /// The year; 0 is 1 BC.
    public var year: Int
    /// The month, 1 to 12.
    public var month: Int
    /// The day of the month, from 1.
    public var day: Int
    /// The hour, 0 to 23.
    public var hour: Int
    /// The minute, 0 to 59.
    public var minute: Int
    /// The second, 0 to 59.
    public var second: Int

    /// Makes a date and time without a check of the values.
    @inlinable public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The date and time this many seconds after 1970-01-01 00:00:00.
    @inlinable public init(seconds: Int64) {
        let day = seconds.floorDivided(by: 86_400)
        let rest = Int(seconds - day * 86_400)
        self.init(day: day)
        hour = rest / 3_600
        minute = rest / 60 % 60
        second = rest % 60
    }

    // The shifted year starts on 1 March, so that the leap day is its last day. The days before a
    // month then follow from one linear formula. 400 years are 146,097 days.
    @inlinable package init(day number: Int64) {
        let shifted = number + 719_468
        let cycle = shifted.floorDivided(by: 146_097)
        let dayOfCycle = Int(shifted - cycle * 146_097)
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: Int(cycle) * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Seconds from 1970-01-01 00:00:00 to this date and time.
    @inlinable public var seconds: Int64 {
        dayNumber * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Days from 1970-01-01 to this date.
    @inlinable public var dayNumber: Int64 {
        let shiftedYear = Int64(month <= 2 ? year - 1 : year)
        let cycle = shiftedYear.floorDivided(by: 400)
        let yearOfCycle = shiftedYear - cycle * 400
        let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - 719_468
    }

    /// The weekday, 1 = Sunday.
    public var weekday: Int { Self.weekday(ofDay: dayNumber) }

    /// The weekday of a day, given in days since 1970-01-01; 1 is Sunday.
    @inlinable package static func weekday(ofDay day: Int64) -> Int {
        // 1970-01-01 was a Thursday.
        let rest = (day + 4) % 7
        return Int(rest < 0 ? rest + 7 : rest) + 1
    }

    /// The same time of day this many days later.
    public func adding(days: Int) -> CivilTime {
        CivilTime(seconds: seconds + Int64(days) * 86_400)
    }

    /// The number of days of a month.
    @inlinable public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension Int64 {
    /// The quotient rounded down; the divisor is positive.
    @inlinable package func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
