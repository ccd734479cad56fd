extension NotificationCategory {
    /// A category and its actions.
    package static let record = Record<NotificationCategory>([
        Field(required: "id", \.identifier),
        Field("actions", \.actions) { NotificationAction.record }.limited(to: Limits.actions),
        Field("intents", \.intentIdentifiers, []),
        Field("options", \.options, []),
        Field("hiddenPreviewsBodyPlaceholder", \.hiddenPreviewsBodyPlaceholder, ""),
        Field("summaryFormat", \.summaryFormat, ""),
    ]) { NotificationCategory(identifier: "") }
}

extension NotificationAction {
    package static let record = Record<NotificationAction>([
        Field(required: "id", \.identifier),
        Field("title", \.title, ""),
        Field("options", \.options, []),
        Field("icon", \.icon),
        Field("textInput", \.textInput) { TextInput.record },
        Field("snooze", \.snooze).limited(to: Limits.interval),
    ]) { NotificationAction(identifier: "", title: "") }
}

extension NotificationAction.TextInput {
    static let record = Record<NotificationAction.TextInput>([
        Field("buttonTitle", \.buttonTitle, ""),
        Field("placeholder", \.placeholder, ""),
    ]) { NotificationAction.TextInput(buttonTitle: "", placeholder: "") }
}

extension NotificationCategory.Options: RecordScalar {}
extension NotificationAction.Options: RecordScalar {}
