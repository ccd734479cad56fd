extension NSObject {
    /// A description in Apple's form: `<UNNotification: 0x1f00; date: …, request: …>`.
    func describe(_ fields: [(String, Any?)]) -> String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        let head = "\(type(of: self)): 0x\(address)"
        guard !fields.isEmpty else { return "<\(head)>" }
        let values = fields.map { name, value in "\(name): \(Self.text(of: value))" }
        return "<\(head); \(values.joined(separator: ", "))>"
    }

    // Prints values as Objective-C does, so that the logs of both platforms can be compared.
    private static func text(of value: Any?) -> String {
        switch value {
        case nil: "(null)"
        case let flag as Bool: flag ? "YES" : "NO"
        case let list as [Any] where list.isEmpty: "(\n)"
        case let list as [Any]:
            "(\n" + list.map { "    \"\(text(of: $0))\"" }.joined(separator: ",\n") + "\n)"
        case let value?: "\(value)"
        }
    }
}

extension DateComponents {
    /// The components that are set, each on its own line, by their names in Apple's descriptions.
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
