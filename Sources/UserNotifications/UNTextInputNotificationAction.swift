internal import NotificationModel

/// A button that asks for text.
///
/// Where the notification server has no text field, a prompt opens in its place.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// The label of the button that sends the text.
    open var textInputButtonTitle: String { value.textInput?.buttonTitle ?? "" }
    /// Shown in the empty field.
    open var textInputPlaceholder: String { value.textInput?.placeholder ?? "" }

    /// Makes a button that asks for text, with the desktop's own labels.
    public override init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) {
        super.init(identifier: identifier, title: title, options: options, icon: icon)
        value.textInput = .init(buttonTitle: "", placeholder: "")
    }

    /// Makes a button that asks for text.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.init(
            identifier: identifier, title: title, options: options, icon: nil,
            textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder)
    }

    /// Makes a button with an icon that asks for text.
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        super.init(identifier: identifier, title: title, options: options, icon: icon)
        value.textInput = .init(
            buttonTitle: textInputButtonTitle, placeholder: textInputPlaceholder)
    }

    /// Reads an action from an archive.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}
