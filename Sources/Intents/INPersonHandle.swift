/// The address of a person.
open class INPersonHandle: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: it never changes.
    /// The address; nil if the app gave none.
    open private(set) var value: String?
    /// The kind of address.
    open private(set) var type: INPersonHandleType

    /// Makes an address.
    public init(value: String?, type: INPersonHandleType) {
        self.value = value
        self.type = type
    }

    /// The address itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is an equal address.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? INPersonHandle else { return false }
        return other.value == value && other.type == type
    }

    /// A hash of the address.
    open override var hash: Int { value.hashValue }

    /// An address can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads an address from an archive.
    public required init?(coder: NSCoder) {
        value = coder.text("value")
        type = INPersonHandleType(rawValue: coder.decodeInteger(forKey: "type")) ?? .unknown
    }

    /// Writes the address into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(value as NSString?, forKey: "value")
        coder.encode(type.rawValue, forKey: "type")
    }
}

/// A kind of address.
@nonexhaustive(warn)
public enum INPersonHandleType: Int, Sendable {
    /// The kind is unknown.
    case unknown = 0
    /// An e-mail address.
    case emailAddress = 1
    /// A telephone number.
    case phoneNumber = 2
}
