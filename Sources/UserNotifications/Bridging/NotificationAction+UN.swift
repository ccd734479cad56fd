internal import NotificationModel

extension UNNotificationAction {
    /// The class that fits the action: one with a text field is a text-input action.
    static func made(of action: NotificationAction) -> UNNotificationAction {
        action.textInput == nil
            ? UNNotificationAction(value: action) : UNTextInputNotificationAction(value: action)
    }
}
