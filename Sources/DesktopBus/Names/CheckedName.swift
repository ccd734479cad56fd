/// A D-Bus name with a text that follows the rules of the D-Bus specification.
///
/// A wrong literal in source is a programmer's error and stops the program.
///
/// `Rule` has no protocol constraint here. With a constraint, the runtime would search for the
/// conformance when it makes the type. The search would take 0.1 ms, which matters in a program
/// that only sends one message.
public struct CheckedName<Rule>: Sendable, Hashable, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// Takes a text that libdbus or the bus has checked, or that was built from such texts.
    init(trusted string: String) {
        rawValue = string
    }

    /// The text.
    public var description: String { rawValue }
}

extension CheckedName where Rule: NameRule {
    /// Checks a text.
    ///
    /// - Throws: `invalidValue` if the text breaks the rules.
    public init(_ string: String) throws(BusError) {
        guard Rule.allows(string) else { throw .invalid(Rule.kind, string, rule: Rule.words) }
        rawValue = string
    }
}

extension CheckedName: ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByUnicodeScalarLiteral, ExpressibleByStringLiteral
where Rule: NameRule {
    /// Takes a literal of the source.
    public init(stringLiteral string: String) {
        precondition(Rule.allows(string), "\"\(string)\": \(Rule.words)")
        rawValue = string
    }
}

/// The rule for one kind of name.
public protocol NameRule: Sendable {
    /// The word for such a name in messages.
    static var kind: String { get }
    /// The rule, for messages.
    static var words: String { get }
    /// Whether a text follows the rule.
    static func allows(_ text: String) -> Bool
}

/// The name of a connection on the bus: unique (`:1.42`) or well-known (`org.example.App`).
public typealias BusName = CheckedName<BusNameRule>
/// The name of an error, such as `org.freedesktop.DBus.Error.Failed`.
public typealias ErrorName = CheckedName<ErrorNameRule>
/// The name of an interface, such as `org.freedesktop.Notifications`.
public typealias InterfaceName = CheckedName<InterfaceNameRule>
/// The name of a method, signal or property.
public typealias MemberName = CheckedName<MemberNameRule>
/// The path of an object, such as `/org/freedesktop/Notifications`.
public typealias ObjectPath = CheckedName<ObjectPathRule>
/// A type signature: zero or more complete types, such as `susssasa{sv}i`.
public typealias Signature = CheckedName<SignatureRule>

/// The rule of bus names.
public enum BusNameRule: NameRule {
    /// The word for such a name in messages.
    public static let kind = "name"
    /// The rule, for messages.
    public static let words =
        "a bus name has two or more elements of letters, digits, '_' and '-', joined by dots, at "
        + "most 255 bytes; an element may start with a digit only if the name starts with ':'"
    /// Whether a text follows the rule.
    public static func allows(_ text: String) -> Bool { NameGrammar.isBusName(text) }
}

/// The rule of error names.
public enum ErrorNameRule: NameRule {
    /// The word for such a name in messages.
    public static let kind = "error name"
    /// The rule, for messages.
    public static let words =
        "an error name has two or more elements of letters, digits and '_', joined by dots, none "
        + "starting with a digit, at most 255 bytes"
    /// Whether a text follows the rule.
    public static func allows(_ text: String) -> Bool { NameGrammar.isInterfaceName(text) }
}

/// The rule of interface names.
public enum InterfaceNameRule: NameRule {
    /// The word for such a name in messages.
    public static let kind = "interface name"
    /// The rule, for messages.
    public static let words =
        "an interface name has two or more elements of letters, digits and '_', joined by dots, "
        + "none starting with a digit, at most 255 bytes"
    /// Whether a text follows the rule.
    public static func allows(_ text: String) -> Bool { NameGrammar.isInterfaceName(text) }
}

/// The rule of member names.
public enum MemberNameRule: NameRule {
    /// The word for such a name in messages.
    public static let kind = "member name"
    /// The rule, for messages.
    public static let words =
        "a member name has letters, digits and '_', does not start with a digit, and has at most "
        + "255 bytes"
    /// Whether a text follows the rule.
    public static func allows(_ text: String) -> Bool { NameGrammar.isMemberName(text) }
}

/// The rule of paths.
public enum ObjectPathRule: NameRule {
    /// The word for such a name in messages.
    public static let kind = "object path"
    /// The rule, for messages.
    public static let words =
        "an object path is '/' or elements of letters, digits and '_', each after a '/'"
    /// Whether a text follows the rule.
    public static func allows(_ text: String) -> Bool { NameGrammar.isObjectPath(text) }
}

/// The rule of signatures.
public enum SignatureRule: NameRule {
    /// The word for such a name in messages.
    public static let kind = "signature"
    /// The rule, for messages.
    public static let words =
        "a signature consists of complete types, in at most 255 bytes; arrays and structures each "
        + "nest at most 32 deep"
    /// Whether a text follows the rule.
    public static func allows(_ text: String) -> Bool { SignatureGrammar.isValid(text) }
}

extension CheckedName where Rule == SignatureRule {
    /// Whether this is exactly one complete type, as an array's element must be.
    public var isSingleType: Bool { SignatureGrammar.isSingleType(rawValue) }
}
