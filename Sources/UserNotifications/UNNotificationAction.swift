internal import NotificationModel

/// A button of a notification.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Set by the initialisers only.
    var value: NotificationAction

    /// Handed back when the button is pressed.
    open var identifier: String { value.identifier }
    /// The button's label.
    open var title: String { value.title }
    /// What pressing it does.
    open var options: UNNotificationActionOptions { .init(rawValue: value.options.rawValue) }
    /// The button's icon, nil for none.
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

    /// The action itself, which never changes.
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
        guard let identifier = coder.string("identifier"), let title = coder.string("title") else {
            return nil
        }
        var value = NotificationAction(
            identifier: identifier, title: title,
            options: .init(rawValue: coder.number("options")?.uintValue ?? 0),
            icon: coder.string("icon"))
        if let button = coder.string("textInputButtonTitle") {
            value.textInput = .init(
                buttonTitle: button, placeholder: coder.string("textInputPlaceholder") ?? "")
        }
        self.value = value
    }

    /// Writes the action into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(title as NSString, forKey: "title")
        coder.encode(NSNumber(value: options.rawValue), forKey: "options")
        coder.encode(value.icon as NSString?, forKey: "icon")
        coder.encode(value.textInput?.buttonTitle as NSString?, forKey: "textInputButtonTitle")
        coder.encode(value.textInput?.placeholder as NSString?, forKey: "textInputPlaceholder")
    }
}
