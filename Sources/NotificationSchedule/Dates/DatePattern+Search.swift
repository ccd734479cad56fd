internal import NotificationModel

extension DatePattern: WallPattern {
    func nextDay(from start: Int64) -> MatchedDay? {
        let start = max(start, days.lowerBound)
        guard start <= days.upperBound else { return nil }
        let from = CivilTime(day: start)
        var year = Year(from.year)
        // The calendar repeats after 400 years, and a year has one of at most 28 kinds. If no day
        // of a year matches, skip later years of its kind.
        var barren: UInt32 = 0
        let last = min(from.year + 400, CivilTime(day: days.upperBound).year)
        while true {
            if barren & year.kind == 0 {
                let isFirst = year.number == from.year
                if let found = firstDay(
                    of: year, from: start, month: isFirst ? from.month : 1)
                {
                    return found
                }
                if !isFirst { barren |= year.kind }
            }
            guard year.number < last else { return nil }
            year = year.next
        }
    }

    private func firstDay(
        of year: Year, from start: Int64, month first: Int
    ) -> MatchedDay? {
        let windows = windows(of: year)
        let last = components.month ?? 12
        var number = max(first, components.month ?? 1)
        while number <= last {
            let from = CivilTime(year: year.number, month: number, day: 1).dayNumber
            let length = CivilTime.days(inMonth: number, of: year.number)
            if let day = components.day, day > length, components.movesMissingDay {
                // The first day of the next month stands in for the missing day. It is never before
                // `start`, because the search begins in the month of `start`.
                return (from + Int64(length), true)
            }
            let range = range(ofMonth: from, length: length)
            for window in windows {
                let low = max(range.first, window.first)
                let high = min(range.last, window.last, days.upperBound)
                if let day = firstDay(from: low, to: high, notBefore: start) { return (day, false) }
            }
            number += 1
        }
        return nil
    }

    /// The first matching day among the days that the year, the month and the weeks allow.
    private func firstDay(from low: Int64, to high: Int64, notBefore start: Int64) -> Int64? {
        let low = max(low, days.lowerBound)
        guard low <= high else { return nil }
        if components.startsStretch { return low >= start && !continuesStretch(low) ? low : nil }
        let from = components.isOncePerMonth ? low : max(low, start)
        let day =
            components.weekday.map { from + Int64(($0 - CivilTime.weekday(ofDay: from) + 7) % 7) }
            ?? from
        return day <= high && day >= start ? day : nil
    }

    /// Whether the day before matches too.
    ///
    /// If so, the day continues a stretch of matching days that began in an earlier month.
    private func continuesStretch(_ day: Int64) -> Bool {
        guard components.month == nil, components.weekOfMonth == nil,
            components.weekdayOrdinal == nil, day > days.lowerBound
        else { return false }
        return components.weekOfYear == nil || CivilTime.weekday(ofDay: day) != weeks.firstWeekday
    }

    /// The days of a month that the smaller parts allow.
    private func range(ofMonth from: Int64, length: Int) -> (first: Int64, last: Int64) {
        var first = from
        var last = from + Int64(length) - 1
        if let day = components.day {
            first = from + Int64(day) - 1
            last = min(last, first)
        }
        if let weekdayOrdinal = components.weekdayOrdinal {
            let start = from + Int64(weekdayOrdinal - 1) * 7
            first = max(first, start)
            last = min(last, start + 6)
        }
        if let weekOfMonth = components.weekOfMonth {
            let start = weeks.firstWeek(ofPeriodFrom: from) + Int64(weekOfMonth - 1) * 7
            first = max(first, start)
            last = min(last, start + 6)
        }
        return (first, last)
    }

    /// The days of a year that are in the wanted week of the year.
    ///
    /// If no week is set, the result is all days of the year.
    ///
    /// The last days of December may belong to the first week of the next year. The first days of
    /// January may belong to the last week of the year before.
    private func windows(of year: Year) -> [(first: Int64, last: Int64)] {
        let end = year.start + (year.isLeap ? 365 : 364)
        guard let weekOfYear = components.weekOfYear else { return [(year.start, end)] }
        let first = weeks.firstWeek(ofPeriodFrom: year.start)
        let next = weeks.firstWeek(ofPeriodFrom: end + 1)
        var windows: [(first: Int64, last: Int64)] = []
        if first > year.start {
            let length = year.previousIsLeap ? 366 : 365
            let before = weeks.firstWeek(ofPeriodFrom: year.start - Int64(length))
            if before + Int64(weekOfYear) * 7 == first {
                windows.append((year.start, first - 1))
            }
        }
        let week = first + Int64(weekOfYear - 1) * 7
        if week < next { windows.append((max(week, year.start), min(week + 6, end))) }
        if weekOfYear == 1, next <= end { windows.append((next, end)) }
        return windows
    }

    private struct Year {
        let number: Int
        let start: Int64
        let isLeap: Bool
        let previousIsLeap: Bool

        init(_ number: Int) {
            self.init(
                number, start: CivilTime(year: number, month: 1, day: 1).dayNumber,
                previousIsLeap: Self.isLeap(number - 1))
        }

        private init(_ number: Int, start: Int64, previousIsLeap: Bool) {
            self.number = number
            self.start = start
            self.previousIsLeap = previousIsLeap
            isLeap = Self.isLeap(number)
        }

        var next: Year {
            Year(number + 1, start: start + (isLeap ? 366 : 365), previousIsLeap: isLeap)
        }

        /// The kind of the year, as one bit.
        ///
        /// The days of a year depend only on its first weekday, and on whether it and the year
        /// before are leap years.
        var kind: UInt32 {
            let weekday = UInt32(CivilTime.weekday(ofDay: start) - 1)
            return 1 << (weekday + (isLeap ? 7 : 0) + (previousIsLeap ? 14 : 0))
        }

        private static func isLeap(_ number: Int) -> Bool {
            CivilTime.days(inMonth: 2, of: number) == 29
        }
    }
}
