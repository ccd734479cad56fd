/// The name of an interface, such as `org.freedesktop.Notifications`.
///
/// Its text is checked by the rules of the D-Bus specification; a wrong literal in source is a
/// programmer's error and stops the program.
public struct InterfaceName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible
{
    /// The text.
    public let rawValue: String

    /// Checks and takes a text; throws `invalidValue` if it breaks the rules.
    public init(_ string: String) throws(BusError) {
        guard NameGrammar.isInterfaceName(string) else {
            throw .invalid("interface name", string, rule: Self.rule)
        }
        rawValue = string
    }

    /// Takes a literal of the source.
    public init(stringLiteral string: String) {
        precondition(NameGrammar.isInterfaceName(string), "\"\(string)\": \(Self.rule)")
        rawValue = string
    }

    /// Takes a text that libdbus or the bus has checked already.
    init(trusted string: String) {
        rawValue = string
    }

    /// The text.
    public var description: String { rawValue }

    private static let rule =
        "an interface name has two or more elements of letters, digits and '_', joined by dots, at most 255 bytes"
}
