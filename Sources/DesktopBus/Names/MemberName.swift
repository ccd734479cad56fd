/// The name of a method, signal or property.
///
/// Its text is checked by the rules of the D-Bus specification; a wrong literal in source is a
/// programmer's error and stops the program.
public struct MemberName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// Checks and takes a text; throws `invalidValue` if it breaks the rules.
    public init(_ string: String) throws(BusError) {
        guard NameGrammar.isMemberName(string) else {
            throw .invalid("member name", string, rule: Self.rule)
        }
        rawValue = string
    }

    /// Takes a literal of the source.
    public init(stringLiteral string: String) {
        precondition(NameGrammar.isMemberName(string), "\"\(string)\": \(Self.rule)")
        rawValue = string
    }

    /// Takes a text that libdbus or the bus has checked already.
    init(trusted string: String) {
        rawValue = string
    }

    /// The text.
    public var description: String { rawValue }

    private static let rule =
        "a member name has letters, digits and '_', and starts with no digit, at most 255 bytes"
}
