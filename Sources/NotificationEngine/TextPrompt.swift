import NotificationModel

/// The question for the text of an action, where the notification server has no field for it; pure.
enum TextPrompt {
    static func dialog(
        _ action: NotificationAction, of notification: DeliveredNotification,
        _ application: ApplicationIdentity
    ) -> Dialog {
        let content = notification.request.content
        let input = action.textInput
        let heading = content.title.isEmpty ? content.body : content.title
        let lines = [heading, input?.placeholder ?? ""].filter { !$0.isEmpty }
        let button = input?.buttonTitle ?? ""
        return Dialog(
            .text(accept: button.isEmpty ? action.title : button),
            title: application.name.isEmpty ? action.title : application.name,
            text: lines.joined(separator: "\n"))
    }
}
