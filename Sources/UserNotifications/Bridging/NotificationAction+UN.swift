internal import NotificationModel

extension UNNotificationAction {
    /// The class that fits the action: one with a text field is a text-input action.
    static func made(of action: NotificationAction) -> UNNotificationAction {
        let made =
            action.textInput == nil
            ? UNNotificationAction(identifier: action.identifier, title: action.title)
            : UNTextInputNotificationAction(identifier: action.identifier, title: action.title)
        made.value = action
        return made
    }
}
