internal import NotificationModel

/// The days on which a word rule fires.
///
/// `RuleDays` knows neither times of day nor zones.
struct RuleDays: Hashable {
    struct MonthDay: Hashable, Comparable {
        var month: Int
        var day: Int

        static func < (left: MonthDay, right: MonthDay) -> Bool {
            (left.month, left.day) < (right.month, right.day)
        }
    }

    enum Unit: Hashable {
        case day, week, month, year
    }

    /// The days within the unit.
    enum Days: Hashable {
        case every
        /// These weekdays; bit 0 is Sunday.
        case weekdays(UInt8)
        /// These days of each month; -1 stands for the last day.
        case numbered([Int])
        /// The first, second, … or last (-1) of the days of each month that fall on these weekdays.
        case ordinal([Int], UInt8)
        /// These days of each year.
        case dates([MonthDay])
    }

    static let everyWeekday: UInt8 = 0b111_1111
    static let workdays: UInt8 = 0b011_1110
    static let weekend: UInt8 = 0b100_0001

    var days: Days
    /// The months of `.ordinal` days: bit 1 is January, and the value 0 stands for all months.
    var months: UInt16 = 0
    /// The number of units from one matching unit to the next: 2 is every second unit.
    var step = 1
    /// The first day on which the rule may fire.
    ///
    /// Units count from this day.
    var from: CivilTime?

    var unit: Unit {
        switch days {
        case .every: .day
        case .weekdays: .week
        case .numbered: .month
        case .ordinal: months == 0 ? .month : .year
        case .dates: .year
        }
    }

    func matches(_ date: CivilTime) -> Bool {
        guard isInStep(date) else { return false }
        switch days {
        case .every: return true
        case .weekdays(let weekdays): return weekdays & date.weekdayBit != 0
        case .numbered(let numbers):
            return numbers.contains(date.day)
                || numbers.contains(-1) && date.day == date.daysInMonth
        case .ordinal(let ordinals, let weekdays):
            guard weekdays & date.weekdayBit != 0 else { return false }
            return ordinals.contains { date.isOrdinal($0, among: weekdays) }
        case .dates(let dates):
            return dates.contains(MonthDay(month: date.month, day: date.day))
        }
    }

    func next(from date: CivilTime) -> CivilTime? {
        var date = date
        if let from, date.dayNumber < from.dayNumber { date = from }
        return date.firstDate(within: searchedDays, matching: matches, inMonth: isPossible)
    }

    // Every date, even 29 February, falls on the same weekday again within 40 years.
    private var searchedDays: Int64 {
        let years: Int =
            switch unit {
            case .day, .week: 1
            case .month: step / 12 + 1
            case .year: step
            }
        return Int64(41 * 366 * years)
    }

    private func isPossible(_ date: CivilTime) -> Bool {
        switch days {
        case .every, .weekdays: true
        case .numbered: isInStep(date)
        case .ordinal: isInStep(date) && (months == 0 || months & 1 << UInt16(date.month) != 0)
        case .dates(let dates): isInStep(date) && dates.contains { $0.month == date.month }
        }
    }

    private func isInStep(_ date: CivilTime) -> Bool {
        if case .ordinal = days, months != 0, months & 1 << UInt16(date.month) == 0 { return false }
        guard step > 1, let from else { return true }
        return (count(date) - count(from)) % Int64(step) == 0
    }

    /// The number of the unit that contains a date.
    private func count(_ date: CivilTime) -> Int64 {
        switch unit {
        case .day: date.dayNumber
        case .week: date.weekNumber
        case .month: Int64(date.year * 12 + date.month)
        case .year: Int64(date.year)
        }
    }
}

extension CivilTime {
    /// The start of the first day that matches, among this day and the days after it.
    ///
    /// The result is nil if no day within `days` days matches.
    ///
    /// `isPossible` tells for a date whether any date of the same month can match.
    func firstDate(
        within days: Int64, matching: (CivilTime) -> Bool,
        inMonth isPossible: (CivilTime) -> Bool
    ) -> CivilTime? {
        var date = CivilTime(year: year, month: month, day: day)
        let limit = date.dayNumber + days
        while date.dayNumber < limit {
            if matching(date) { return date }
            date = isPossible(date) ? date.adding(days: 1) : date.startOfNextMonth
        }
        return nil
    }

    private var startOfNextMonth: CivilTime {
        CivilTime(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
    }

    /// The bit of the date's weekday; Sunday is bit 0.
    fileprivate var weekdayBit: UInt8 { 1 << UInt8(weekday - 1) }

    fileprivate var daysInMonth: Int { CivilTime.days(inMonth: month, of: year) }

    /// The number of the date's week since 1970.
    ///
    /// Weeks begin on Monday; 1970-01-01 was a Thursday.
    fileprivate var weekNumber: Int64 { (dayNumber + 3).floorDivided(by: 7) }

    /// Whether the date is number `ordinal` among the days of its month that fall on these
    /// weekdays.
    ///
    /// The ordinal -1 stands for the last such day.
    fileprivate func isOrdinal(_ ordinal: Int, among weekdays: UInt8) -> Bool {
        let days = ordinal < 0 ? day...daysInMonth : 1...day
        let count = days.count {
            weekdays & CivilTime(year: year, month: month, day: $0).weekdayBit != 0
        }
        return count == abs(ordinal)
    }
}
