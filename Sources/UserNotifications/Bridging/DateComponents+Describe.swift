extension DateComponents {
    /// The components that are set, one a line, by the names that Apple's descriptions have.
    var described: String {
        let values: [(String, Any?)] = [
            ("Calendar", calendar.map { "\($0.identifier)" }),
            ("Time Zone", timeZone?.identifier), ("Era", era), ("Calendar Year", year),
            ("Month", month), ("Leap Month", isLeapMonth == true ? "yes" : nil), ("Day", day),
            ("Hour", hour), ("Minute", minute), ("Second", second), ("Nanosecond", nanosecond),
            ("Quarter", quarter), ("Year for Week of Year", yearForWeekOfYear),
            ("Week of Year", weekOfYear), ("Week of Month", weekOfMonth), ("Weekday", weekday),
            ("Weekday Ordinal", weekdayOrdinal), ("Day of Year", dayOfYear),
        ]
        let lines = values.compactMap { name, value in value.map { "\n    \(name): \($0)" } }
        return "<NSDateComponents> {\(lines.joined())"
    }
}
