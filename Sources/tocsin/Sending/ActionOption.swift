internal import NotificationModel
internal import NotificationSchedule

/// The buttons of `-A [ID=]Text`; without an id a button is called by its position, from 0.
enum ActionOption {
    /// The actions in their order, or the error that names the one which cannot be used.
    static func parse(_ texts: [String]) throws(ToolError) -> [NotificationAction] {
        var actions: [NotificationAction] = []
        for (index, text) in texts.enumerated() {
            let action = parse(text, position: index)
            guard !action.identifier.isEmpty, !action.title.isEmpty else {
                throw ToolError(
                    .usage,
                    "The action \(text.quotedForMessage()) has no id or no text. Write it as "
                        + "'yes=Yes' or 'Yes'.")
            }
            guard !actions.contains(where: { $0.identifier == action.identifier }) else {
                throw ToolError(
                    .usage,
                    "Two actions have the id \(action.identifier.quotedForMessage()). Give each "
                        + "its own, as in '-A yes=Yes -A no=No'.")
            }
            actions.append(action)
        }
        return actions
    }

    private static func parse(_ text: String, position: Int) -> NotificationAction {
        let text = ArgumentSanitizer.cleaned(text)
        guard let equals = text.firstIndex(of: "=") else {
            return NotificationAction(identifier: String(position), title: text)
        }
        return NotificationAction(
            identifier: String(text[..<equals]), title: String(text[text.index(after: equals)...]))
    }

    /// The button that has the notification come again after a length of time.
    static func snooze(_ text: String) throws(ToolError) -> NotificationAction {
        return try translatingErrors {
            let seconds = try Span(text).seconds
            return NotificationAction(
                identifier: "snooze", title: "Snooze \(RelativeTime.length(seconds))",
                snooze: seconds)
        }
    }

    /// The id of the button that takes a line of text.
    static let replyIdentifier = "reply"

    /// The button that takes a line of text.
    static func reply(_ placeholder: String) -> NotificationAction {
        NotificationAction(
            identifier: replyIdentifier, title: "Reply",
            textInput: .init(
                buttonTitle: "Send", placeholder: ArgumentSanitizer.cleaned(placeholder)))
    }
}

/// A hint of `-h TYPE:NAME:VALUE`.
enum HintOption {
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
        return (ArgumentSanitizer.cleaned(String(parts[1])), hint)
    }

    private static func hint(
        type: String, value: String
    ) throws(ToolError) -> DesktopOptions.Hint? {
        switch type {
        case "int": Int32(value).map { .integer($0) }
        case "byte": UInt8(value).map { .byte($0) }
        case "double": Double(value).map { .double($0) }
        case "string": .string(ArgumentSanitizer.cleaned(value))
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
