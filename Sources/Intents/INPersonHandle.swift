/// The address of a person.
open class INPersonHandle: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked Sendable: an address never changes.
    /// The address; nil if the app gave none.
    open private(set) var value: String?
    /// The kind of address.
    open private(set) var type: INPersonHandleType
    /// The label in the address book; nil if the app gave none.
    open private(set) var label: INPersonHandleLabel?

    /// Makes an address with a label.
    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        self.value = value
        self.type = type
        self.label = label
    }

    /// Makes an address.
    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }

    /// Returns this address, because it never changes.
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
        label = coder.text("label").map(INPersonHandleLabel.init(rawValue:))
    }

    /// Writes the address into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(value as NSString?, forKey: "value")
        coder.encode(type.rawValue, forKey: "type")
        coder.encode(label?.rawValue as NSString?, forKey: "label")
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

/// The label of an address, such as "home".
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    /// The name of the label.
    public let rawValue: String
    /// Makes a label.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a label.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// An address at home.
    public static let home = Self("INPersonHandleLabelHome")
    /// An address at work.
    public static let work = Self("INPersonHandleLabelWork")
    /// An iPhone.
    public static let iPhone = Self("INPersonHandleLabeliPhone")
    /// A mobile telephone.
    public static let mobile = Self("INPersonHandleLabelMobile")
    /// The main address.
    public static let main = Self("INPersonHandleLabelMain")
    /// A fax machine at home.
    public static let homeFax = Self("INPersonHandleLabelHomeFax")
    /// A fax machine at work.
    public static let workFax = Self("INPersonHandleLabelWorkFax")
    /// A pager.
    public static let pager = Self("INPersonHandleLabelPager")
    /// Another address.
    public static let other = Self("INPersonHandleLabelOther")
    /// An address at school.
    public static let school = Self("INPersonHandleLabelSchool")
}
