internal import NotificationModel

/// A hint of `-h TYPE:NAME:VALUE`.
enum HintText {
    /// The name and value, or the error that says what is wrong.
    static func parse(_ text: String) throws(ToolError) -> (String, DesktopOptions.Hint) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty else {
            throw ToolError(
                .usage,
                "The hint \(text.quotedForMessage()) is not TYPE:NAME:VALUE. Write it as "
                    + "'int:value:40' or 'string:sound-name:bell'.")
        }
        let value = String(parts[2])
        guard let hint = try hint(type: String(parts[0]), value: value) else {
            throw ToolError(
                .usage,
                "The value \(value.quotedForMessage()) of the hint '\(parts[1])' is no "
                    + "\(parts[0]). \(remedy(type: parts[0]))")
        }
        return (ArgumentText.cleaned(String(parts[1])), hint)
    }

    private static func hint(
        type: String, value: String
    ) throws(ToolError) -> DesktopOptions.Hint? {
        switch type {
        case "int": Int32(value).map { .integer($0) }
        case "byte": UInt8(value).map { .byte($0) }
        case "double": Double(value).map { .double($0) }
        case "string": .string(ArgumentText.cleaned(value))
        case "boolean": Bool(value.lowercased()).map { .boolean($0) }
        default:
            throw ToolError(
                .usage,
                "The hint type \(type.quotedForMessage()) is unknown. Types are int, byte, "
                    + "double, string and boolean.")
        }
    }

    private static func remedy(type: Substring) -> String {
        switch type {
        case "byte": "Write a number from 0 to 255."
        case "boolean": "Write true or false."
        case "double": "Write a number such as 0.5."
        default: "Write a whole number of 32 bits."
        }
    }
}
