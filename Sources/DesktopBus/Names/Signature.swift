/// A type signature: zero or more complete types, such as `susssasa{sv}i`.
///
/// Its text is checked by the rules of the D-Bus specification; a wrong literal in source is a
/// programmer's error and stops the program.
public struct Signature: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// Checks and takes a text; throws `invalidValue` if it breaks the rules.
    public init(_ string: String) throws(BusError) {
        guard SignatureGrammar.isValid(string) else {
            throw .invalid("signature", string, rule: Self.rule)
        }
        rawValue = string
    }

    /// Takes a literal of the source.
    public init(stringLiteral string: String) {
        precondition(SignatureGrammar.isValid(string), "\"\(string)\": \(Self.rule)")
        rawValue = string
    }

    /// Takes a text that libdbus or the bus has checked already, or that was built from types.
    init(trusted string: String) {
        rawValue = string
    }

    /// The text.
    public var description: String { rawValue }

    /// Whether this is exactly one complete type, as an array's element has to be.
    public var isSingleType: Bool {
        SignatureGrammar.isSingleType(rawValue)
    }

    /// The complete types one by one.
    public var types: [Signature] {
        SignatureGrammar.split(rawValue).map(Signature.init(trusted:))
    }

    private static let rule =
        "a signature has complete types, at most 255 bytes, 32 arrays and 32 structures deep"
}
