internal import NotificationModel

/// A button of a notification.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Set only while the action is made.
    var value: NotificationAction

    /// The identifier that a response to this button has.
    open var identifier: String { value.identifier }
    /// The button's label.
    open var title: String { value.title }
    /// The effects of pressing the button.
    open var options: UNNotificationActionOptions { .init(rawValue: value.options.rawValue) }
    /// The button's icon, which Linux stores and does not draw; nil for none.
    open var icon: UNNotificationActionIcon? {
        value.icon.map(UNNotificationActionIcon.init(systemImageName:))
    }

    /// Makes a button.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = []
    ) {
        self.init(identifier: identifier, title: title, options: options, icon: nil)
    }

    /// Makes a button with an icon.
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?
    ) {
        value = NotificationAction(
            identifier: identifier, title: title, options: .init(rawValue: options.rawValue),
            icon: icon?.name)
    }

    /// Returns this action, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is an action with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationAction else { return false }
        return type(of: other) == type(of: self) && other.value == value
    }

    /// A hash of the values.
    open override var hash: Int { value.hashValue }

    /// The class, the address and the values.
    open override var description: String {
        describe([("identifier", identifier), ("title", title), ("options", options.rawValue)])
    }

    /// An action can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an action from an archive.
    public required init?(coder: NSCoder) {
        guard let value = coder.value(NotificationAction.record, "action") else { return nil }
        self.value = value
    }

    /// Writes the action into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(value, as: NotificationAction.record, forKey: "action")
    }
}

/// The effects of pressing a button.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options from Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Delays the response while the login session is locked.
    ///
    /// Pressing the button opens no password prompt on Linux. The app gets the response when the
    /// user has unlocked the session at the lock screen.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// Marks the action as destructive.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// Brings the app to the front.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

/// The icon of a button, which Linux stores and does not draw.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let name: String

    /// Makes an icon from the app's own image of this name.
    public init(templateImageName: String) {
        name = templateImageName
    }

    /// Makes an icon from the system's image of this name.
    public init(systemImageName: String) {
        name = systemImageName
    }

    /// Returns this icon, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is an icon of the same name.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationActionIcon)?.name == name
    }

    /// A hash of the name.
    open override var hash: Int { name.hashValue }

    /// The class, the address and the name.
    open override var description: String { describe([("name", name)]) }

    /// An icon can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an icon from an archive.
    public required init?(coder: NSCoder) {
        guard let name = coder.string("name") else { return nil }
        self.name = name
    }

    /// Writes the icon into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
    }
}

/// A button that asks for text.
///
/// If the notification server has no text field, a prompt opens instead. If no prompt can be shown
/// either, the app gets a ``UNTextInputNotificationResponse`` with an empty text. So the response
/// always has this class, as on Apple's platforms.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// The label of the button that sends the text.
    open var textInputButtonTitle: String { value.textInput?.buttonTitle ?? "" }
    /// The text in the empty field.
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
