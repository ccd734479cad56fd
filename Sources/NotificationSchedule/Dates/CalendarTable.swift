package import NotificationModel

/// The months of a calendar that `DatePattern` does not know, in order.
///
/// A caller that knows the calendar makes the table. The search for dates then needs no other
/// knowledge of the calendar, and its cost has a bound. Components mean the same as in
/// `DatePattern`.
package struct CalendarTable: Sendable {
    package struct Month: Hashable, Sendable {
        /// The month's first day, in days since 1970-01-01.
        package var start: Int64
        /// The era of the month's year.
        package var era: Int
        /// The month's year within the era.
        package var year: Int
        /// The month's number in the year, from 1.
        package var number: Int
        /// The number of the month's year, as `yearForWeekOfYear` counts years.
        ///
        /// In some calendars, this count of years begins at another year than `year` does.
        package var yearOfWeeks: Int
        /// Whether this is a leap month.
        ///
        /// A leap month has the number of the month before it.
        package var isLeap: Bool

        package init(
            start: Int64, era: Int, year: Int, number: Int, yearOfWeeks: Int, isLeap: Bool
        ) {
            self.start = start
            self.era = era
            self.year = year
            self.number = number
            self.yearOfWeeks = yearOfWeeks
            self.isLeap = isLeap
        }
    }

    let months: [Month]
    /// For each month, the first day of the month's year.
    ///
    /// The value is nil in the table's first year, which may begin before the table.
    let yearStarts: [Int64?]
    let weeks = WeekRule.gregorian

    /// The months must be in order and without a gap.
    ///
    /// The last month only marks the end of the table.
    package init(months: [Month]) {
        self.months = months
        var starts: [Int64?] = []
        var start: Int64?
        for (index, month) in months.enumerated() {
            if index > 0,
                month.year != months[index - 1].year || month.era != months[index - 1].era,
                month.number == 1
            {
                start = month.start
            }
            starts.append(start)
        }
        yearStarts = starts
    }

    /// The first date after this instant that matches the components in this calendar.
    ///
    /// Components mean the same as in `NextDate.find`.
    package func nextDate(
        matching components: CalendarComponents, after instant: Instant, in rules: ZoneRules
    ) -> Instant? {
        TablePattern(components, self)?.date(after: instant, in: rules)
    }

    /// Whether any date of the table matches.
    package func canMatch(_ components: CalendarComponents) -> Bool {
        TablePattern(components, self)?.canMatch ?? false
    }

    /// The index of the month that contains a day.
    ///
    /// The index is 0 for a day before the table, and nil for a day in the last month or later.
    func month(of day: Int64) -> Int? {
        guard let last = months.last, day < last.start else { return nil }
        return max(0, months.partitioningIndex { $0.start > day } - 1)
    }
}
