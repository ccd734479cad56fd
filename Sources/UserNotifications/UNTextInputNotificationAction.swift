internal import NotificationModel

/// A button that asks for text.
///
/// Where the notification server has no text field, a prompt opens in its place.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// The label of the button that sends the text.
    open var textInputButtonTitle: String { value.textInput?.buttonTitle ?? "" }
    /// Shown in the empty field.
    open var textInputPlaceholder: String { value.textInput?.placeholder ?? "" }

    // Also made by the two inherited initialisers, which know no text field.
    override init(value: NotificationAction) {
        var value = value
        value.textInput = value.textInput ?? .init(buttonTitle: "", placeholder: "")
        super.init(value: value)
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
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.init(
            value: NotificationAction(
                identifier: identifier, title: title, options: .init(rawValue: options.rawValue),
                icon: icon?.name,
                textInput: .init(
                    buttonTitle: textInputButtonTitle, placeholder: textInputPlaceholder)))
    }

    /// Reads an action from an archive.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}
