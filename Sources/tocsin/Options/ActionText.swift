internal import NotificationModel
internal import NotificationSchedule

/// The buttons of `-A [ID=]Text`; without an id a button is called by its position, from 0.
enum ActionText {
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
        let text = ArgumentText.cleaned(text)
        guard let equals = text.firstIndex(of: "=") else {
            return NotificationAction(identifier: String(position), title: text)
        }
        return NotificationAction(
            identifier: String(text[..<equals]), title: String(text[text.index(after: equals)...]))
    }

    /// The button that has the notification come again after a length of time.
    static func snooze(_ text: String) throws(ToolError) -> NotificationAction {
        do throws(TimeTextError) {
            let seconds = try Span(text).seconds
            return NotificationAction(
                identifier: "snooze", title: "Snooze \(RelativeTime.length(seconds))",
                snooze: seconds)
        } catch {
            throw ToolError(error)
        }
    }

    /// The id of the button that takes a line of text.
    static let replyIdentifier = "reply"

    /// The button that takes a line of text.
    static func reply(_ placeholder: String) -> NotificationAction {
        NotificationAction(
            identifier: replyIdentifier, title: "Reply",
            textInput: .init(
                buttonTitle: "Send", placeholder: ArgumentText.cleaned(placeholder)))
    }
}
