internal import NotificationModel
internal import NotificationSchedule

/// Reads the buttons of `-A [ID=]Text`.
///
/// A button without an id gets its position, counted from 0, as its id.
enum ActionOption {
    /// The actions in their order; throws an error that names an unusable text.
    static func parse(_ texts: [String]) throws(ToolError) -> [NotificationAction] {
        var actions: [NotificationAction] = []
        for (index, text) in texts.enumerated() {
            let action = parse(text, position: index)
            guard !action.identifier.isEmpty, !action.title.isEmpty else {
                throw ToolError.usage(
                    "The action \(text.quotedForMessage()) has no id or no text. Write it as "
                        + "'yes=Yes' or 'Yes'.")
            }
            guard !actions.contains(where: { $0.identifier == action.identifier }) else {
                throw ToolError.usage(
                    "Two actions have the id \(action.identifier.quotedForMessage()). Give each "
                        + "action another id, as in '-A yes=Yes -A no=No'.")
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

    /// The button that shows the notification again after this length of time.
    static func snooze(
        _ text: String, in language: WordingLanguage
    ) throws(ToolError) -> NotificationAction {
        return try translatingErrors {
            let seconds = try Span(text).seconds
            let length = RelativeTime.length(seconds, in: language)
            return NotificationAction(
                identifier: "snooze", title: language.words.snooze(length), snooze: seconds)
        }
    }

    static let replyIdentifier = "reply"

    static func reply(
        _ placeholder: String, in language: WordingLanguage = .english
    ) -> NotificationAction {
        NotificationAction(
            identifier: replyIdentifier, title: language.words.reply,
            textInput: .init(
                buttonTitle: language.words.send,
                placeholder: ArgumentSanitizer.cleaned(placeholder)))
    }
}

/// Reads a hint of `-h TYPE:NAME:VALUE`.
enum HintOption {
    private static let types:
        [(name: String, remedy: String, read: @Sendable (String) -> DesktopOptions.Hint?)] = [
            ("int", "Write a whole number of 32 bits.", { Int32($0).map { .integer($0) } }),
            ("byte", "Write a number from 0 to 255.", { UInt8($0).map { .byte($0) } }),
            ("double", "Write a number such as 0.5.", { Double($0).map { .double($0) } }),
            ("string", "", { .string(ArgumentSanitizer.cleaned($0)) }),
            ("boolean", "Write true or false.", { Bool($0.lowercased()).map { .boolean($0) } }),
        ]

    static func parse(_ text: String) throws(ToolError) -> (String, DesktopOptions.Hint) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 3, !parts[1].isEmpty else {
            throw ToolError.usage(
                "The hint \(text.quotedForMessage()) is not TYPE:NAME:VALUE. Write it as "
                    + "'int:value:40' or 'string:sound-name:bell'.")
        }
        guard let type = types.first(where: { $0.name == parts[0] }) else {
            throw ToolError.usage(
                "The hint type \(parts[0].quotedForMessage()) is unknown. Types are int, byte, "
                    + "double, string and boolean.")
        }
        guard let hint = type.read(parts[2]) else {
            throw ToolError.usage(
                "The value \(parts[2].quotedForMessage()) of the hint '\(parts[1])' is no "
                    + "\(type.name). \(type.remedy)")
        }
        return (ArgumentSanitizer.cleaned(parts[1]), hint)
    }

    /// The urgency of a hint such as `byte:urgency:2`, which users of notify-send write.
    static func urgency(_ hint: DesktopOptions.Hint) throws(ToolError) -> UInt8 {
        let number: Int32? =
            switch hint {
            case .byte(let value): Int32(value)
            case .integer(let value): value
            case .boolean, .double, .string: nil
            }
        guard let number, Limits.urgency.contains(number) else {
            throw ToolError.usage(
                "The hint 'urgency' is no number from 0 to 2. Use '--urgency low', '--urgency "
                    + "normal' or '--urgency critical' instead.")
        }
        return UInt8(number)
    }
}
