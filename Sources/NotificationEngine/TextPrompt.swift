import NotificationModel

/// The question for the text of an action, where the notification server has no field for it; pure.
enum TextPrompt {
    static func dialog(
        _ action: NotificationAction, of notification: DeliveredNotification,
        _ application: ApplicationIdentity, isHidden: Bool
    ) -> Dialog {
        let content = notification.request.content
        let input = action.textInput
        let heading = content.title.isEmpty ? content.body : content.title
        // A window is seen by who sees a popup.
        let lines = isHidden ? [action.title] : [heading, input?.placeholder ?? ""]
        let button = input?.buttonTitle ?? ""
        return Dialog(
            .text(accept: button.isEmpty ? action.title : button),
            title: application.name.isEmpty ? action.title : application.name,
            text: lines.filter { !$0.isEmpty }.joined(separator: "\n"))
    }
}
