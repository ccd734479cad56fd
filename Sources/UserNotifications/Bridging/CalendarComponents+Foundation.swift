internal import NotificationModel

extension CalendarComponents {
    /// Converts components to the model; throws `invalidArgument` for `dayOfYear` without a whole
    /// date, and for a calendar that is not supported.
    init(_ components: DateComponents) throws(NotificationError) {
        self.init()
        calendar = try components.calendar.map(CalendarName.named(of:))
        timeZone = Self.fixedZone(of: components)
        for (field, component) in Self.pairs {
            self[keyPath: field] = components[keyPath: component]
        }
        isLeapMonth = components.isLeapMonth
        // Accept `dayOfYear` beside a whole date: `Calendar.dateComponents(in:from:)` sets it, too.
        guard components.dayOfYear == nil || isWholeDate else {
            throw NotificationError(
                .invalidArgument,
                "The calendar trigger sets dayOfYear, which cannot be matched. Use month and day.")
        }
        guard countsWeeks else { return }
        if let weeks = Self.weeks(of: components.calendar) {
            (firstWeekday, minimumDaysInFirstWeek) = weeks
        } else if isWholeDate {
            // For a calendar that is neither Gregorian nor ISO 8601, the model always uses the
            // Gregorian week rule. The app's calendar may count weeks differently, so drop the
            // weeks, which a whole date does not need.
            (weekOfMonth, weekOfYear, yearForWeekOfYear) = (nil, nil, nil)
        }
    }

    private var isWholeDate: Bool { year != nil && month != nil && day != nil }

    private var countsWeeks: Bool {
        weekOfMonth != nil || weekOfYear != nil || yearForWeekOfYear != nil
    }

    /// The first weekday of a calendar, and the fewest days of its first week.
    ///
    /// Instead of a number that is the default of this kind of calendar, the result has nil.
    ///
    /// As on Apple's platforms, components without a calendar use the current calendar. On Linux,
    /// the weeks of the current calendar begin on Monday, and its first week may have a single day.
    ///
    /// Returns nil for a calendar that is neither Gregorian nor ISO 8601.
    private static func weeks(of calendar: Calendar?) -> (Int?, Int?)? {
        let counted = calendar ?? .current
        guard counted.identifier == .gregorian || counted.identifier == .iso8601 else {
            return nil
        }
        let usual = Calendar(identifier: calendar?.identifier ?? .gregorian)
        let (first, days) = (counted.firstWeekday, counted.minimumDaysInFirstWeek)
        return (
            first == usual.firstWeekday ? nil : first,
            days == usual.minimumDaysInFirstWeek ? nil : days
        )
    }

    /// The calendar for `dateComponents`, with the week rule of these components.
    ///
    /// For components without a calendar, the result is usually nil. It is a Gregorian calendar if
    /// the components have weeks whose rule differs from the rule of the current calendar.
    private var countingCalendar: Calendar? {
        var result = calendar.flatMap(CalendarName.calendar(named:))
        if calendar == nil, countsWeeks,
            (Self.weeks(of: nil) ?? (nil, nil)) != (firstWeekday, minimumDaysInFirstWeek)
        {
            result = Calendar(identifier: .gregorian)
        }
        // Another program may have stored a wrong number. Foundation would stop this process at
        // such a number.
        if let firstWeekday, (1...7).contains(firstWeekday) { result?.firstWeekday = firstWeekday }
        if let minimumDaysInFirstWeek, (1...7).contains(minimumDaysInFirstWeek) {
            result?.minimumDaysInFirstWeek = minimumDaysInFirstWeek
        }
        return result
    }

    var dateComponents: DateComponents {
        var result = DateComponents()
        result.calendar = countingCalendar
        result.timeZone = timeZone.flatMap(TimeZone.init(identifier:))
        for (field, component) in Self.pairs {
            result[keyPath: component] = self[keyPath: field]
        }
        result.isLeapMonth = isLeapMonth
        return result
    }

    private static var pairs:
        [(WritableKeyPath<CalendarComponents, Int?>, WritableKeyPath<DateComponents, Int?>)]
    {
        [
            (\.era, \.era), (\.year, \.year), (\.month, \.month), (\.day, \.day),
            (\.hour, \.hour), (\.minute, \.minute), (\.second, \.second),
            (\.nanosecond, \.nanosecond), (\.weekday, \.weekday),
            (\.weekdayOrdinal, \.weekdayOrdinal), (\.quarter, \.quarter),
            (\.weekOfMonth, \.weekOfMonth), (\.weekOfYear, \.weekOfYear),
            (\.yearForWeekOfYear, \.yearForWeekOfYear),
        ]
    }

    // Without a zone, the trigger follows the user's zone. `Calendar.current` has the current zone,
    // although the app has not chosen a zone. So this function uses a calendar's zone only if the
    // zone differs from the current zone.
    private static func fixedZone(of components: DateComponents) -> String? {
        if let zone = components.timeZone {
            return zone == .autoupdatingCurrent ? nil : tzdataName(of: zone)
        }
        guard let zone = components.calendar?.timeZone, zone != .autoupdatingCurrent,
            zone.identifier != TimeZone.current.identifier
        else { return nil }
        return tzdataName(of: zone)
    }

    // Foundation's name of a fixed offset is, for example, `GMT+0100`. The offset's name in tzdata
    // has the opposite sign: `Etc/GMT-1`.
    private static func tzdataName(of zone: TimeZone) -> String {
        let name = zone.identifier
        guard name.hasPrefix("GMT+") || name.hasPrefix("GMT-") else { return name }
        let seconds = zone.secondsFromGMT()
        let hours = seconds / 3600
        guard seconds % 3600 == 0, (-12...14).contains(hours) else { return name }
        return hours == 0 ? "GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
    }
}

/// The names of the calendars in Foundation's archives and in CLDR.
private enum CalendarName {
    private static let table: [(Calendar.Identifier, String)] = [
        (.gregorian, "gregorian"), (.buddhist, "buddhist"), (.chinese, "chinese"),
        (.coptic, "coptic"), (.ethiopicAmeteMihret, "ethiopic"),
        (.ethiopicAmeteAlem, "ethiopic-amete-alem"), (.hebrew, "hebrew"), (.iso8601, "iso8601"),
        (.indian, "indian"), (.islamic, "islamic"), (.islamicCivil, "islamic-civil"),
        (.japanese, "japanese"), (.persian, "persian"), (.republicOfChina, "roc"),
        (.islamicTabular, "islamic-tbla"), (.islamicUmmAlQura, "islamic-umalqura"),
    ]

    static func named(of calendar: Calendar) throws(NotificationError) -> String {
        for (identifier, name) in table where identifier == calendar.identifier { return name }
        throw NotificationError(
            .invalidArgument,
            "The calendar trigger uses the calendar \(calendar.identifier), which is not "
                + "supported. Use the Gregorian calendar.")
    }

    static func calendar(named name: String) -> Calendar? {
        table.first { $0.1 == name }.map { Calendar(identifier: $0.0) }
    }
}
