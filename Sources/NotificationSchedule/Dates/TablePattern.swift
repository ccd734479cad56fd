internal import NotificationModel

/// The days and times that components match in a table of months, checked day by day.
///
/// `TablePattern` serves the calendars that `DatePattern` does not know.
struct TablePattern: WallPattern {
    let components: CalendarComponents
    let time: TimePattern
    private let table: CalendarTable

    var namesDays: Bool { components.hasYear || components.hasWeek || components.isOncePerDay }

    /// The pattern is nil if no date can match.
    init?(_ wanted: CalendarComponents, _ table: CalendarTable) {
        guard wanted.canIgnoreQuarter, wanted.isInRange, wanted.isAnySet,
            wanted.weekOfYear.isIn(1...60), wanted.day.isIn(1...32)
        else { return nil }
        time = TimePattern(wanted, hourIsFixed: wanted.isOncePerDay)
        components = wanted.withBeginnings
        self.table = table
        // A date can match only if at least one fitting month of the table has the day.
        let fitting = table.months.indices.dropLast().filter { fitsMonth(table.months[$0]) }
        guard fitting.contains(where: { length($0) >= components.day ?? 1 }) else { return nil }
    }

    func nextDay(from start: Int64) -> MatchedDay? {
        guard let first = table.month(of: start) else { return nil }
        for index in first..<table.months.count - 1 {
            let month = table.months[index]
            guard fitsMonth(month) else { continue }
            if let day = components.day, day > length(index), components.movesMissingDay {
                return (table.months[index + 1].start, true)
            }
            let isOnce = components.isOncePerMonth
            var day = isOnce ? month.start : max(start, month.start)
            while day < table.months[index + 1].start {
                if fits(day, in: index), !continuesStretch(day, in: index) {
                    if day >= start { return (day, false) }
                    if isOnce { break }
                }
                day += 1
            }
        }
        return nil
    }

    private func length(_ index: Int) -> Int {
        Int(table.months[index + 1].start - table.months[index].start)
    }

    private func fitsMonth(_ month: CalendarTable.Month) -> Bool {
        (components.era ?? month.era) == month.era && (components.year ?? month.year) == month.year
            && (components.month ?? month.number) == month.number && fitsLeap(month)
    }

    /// Whether the month fits `isLeapMonth`; as in Foundation, false means the same as nil.
    ///
    /// With false or nil, a leap month fits only if the components have no month.
    private func fitsLeap(_ month: CalendarTable.Month) -> Bool {
        components.isLeapMonth == true ? month.isLeap : components.month == nil || !month.isLeap
    }

    private func fits(_ day: Int64, in index: Int) -> Bool {
        let month = table.months[index]
        guard fitsMonth(month) else { return false }
        let number = Int(day - month.start) + 1
        guard (components.day ?? number) == number,
            components.weekday.map({ $0 == CivilTime.weekday(ofDay: day) }) ?? true,
            components.weekdayOrdinal.map({ $0 == (number - 1) / 7 + 1 }) ?? true
        else { return false }
        if let week = components.weekOfMonth {
            let first = table.weeks.firstWeek(ofPeriodFrom: month.start)
            guard Int(day - first) / 7 + 1 == week else { return false }
        }
        guard components.weekOfYear != nil || components.yearForWeekOfYear != nil else {
            return true
        }
        guard let week = week(of: day, in: index) else { return false }
        return (components.weekOfYear ?? week.number) == week.number
            && (components.yearForWeekOfYear ?? week.year) == week.year
    }

    /// The number and the year of the week that contains a day; nil in the table's first year.
    ///
    /// `minimumDays` is 1, so the week that contains a year's first day is the first week of that
    /// year. All days of this week belong to the new year, even if the week begins in the old year.
    private func week(of day: Int64, in index: Int) -> (number: Int, year: Int)? {
        guard let start = table.yearStarts[index] else { return nil }
        let end =
            day - Int64((CivilTime.weekday(ofDay: day) - table.weeks.firstWeekday + 7) % 7) + 7
        if let next = table.month(of: end - 1), let following = table.yearStarts[next],
            following != start
        {
            return (1, table.months[next].yearOfWeeks)
        }
        let first = table.weeks.firstWeek(ofPeriodFrom: start)
        return (Int(day - first) / 7 + 1, table.months[index].yearOfWeeks)
    }

    private func continuesStretch(_ day: Int64, in index: Int) -> Bool {
        guard components.startsStretch, components.day == nil else { return false }
        if day > table.months[index].start { return fits(day - 1, in: index) }
        return index > 0 && fits(day - 1, in: index - 1)
    }
}
