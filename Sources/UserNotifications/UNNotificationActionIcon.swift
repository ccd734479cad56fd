/// The icon of a button.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let name: String

    /// Makes an icon of the app's own picture of this name.
    public init(templateImageName: String) {
        name = templateImageName
    }

    /// Makes an icon of the system's: on Linux a name of the icon theme.
    public init(systemImageName: String) {
        name = systemImageName
    }

    /// The icon itself, which never changes.
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
