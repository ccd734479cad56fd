/// The path of an object, such as `/org/freedesktop/Notifications`.
///
/// Its text is checked by the rules of the D-Bus specification; a wrong literal in source is a
/// programmer's error and stops the program.
public struct ObjectPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// Checks and takes a text; throws `invalidValue` if it breaks the rules.
    public init(_ string: String) throws(BusError) {
        guard NameGrammar.isObjectPath(string) else {
            throw .invalid("object path", string, rule: Self.rule)
        }
        rawValue = string
    }

    /// Takes a literal of the source.
    public init(stringLiteral string: String) {
        precondition(NameGrammar.isObjectPath(string), "\"\(string)\": \(Self.rule)")
        rawValue = string
    }

    /// Takes a text that libdbus or the bus has checked already.
    init(trusted string: String) {
        rawValue = string
    }

    /// The text.
    public var description: String { rawValue }

    private static let rule =
        "an object path is '/' or elements of letters, digits and '_', each after a '/'"
}
