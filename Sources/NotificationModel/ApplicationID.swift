/// Names an app: the id of its desktop file, without `.desktop`.
///
/// Source: Desktop Entry Specification, "Desktop File ID". The id is also a directory name and a
/// D-Bus string, so it is checked here once: 1 to 255 bytes, no `/`, no control characters, no
/// leading dot.
public struct ApplicationID: Hashable, Sendable, CustomStringConvertible {
    /// The id as text, `org.example.Reminders`.
    public let rawValue: String

    /// Makes an id of this text, or fails with `invalidArgument` and what is wrong with it.
    public init(_ rawValue: String) throws(NotificationError) {
        guard Self.isValid(rawValue) else {
            throw NotificationError(
                .invalidArgument,
                "The application id \(rawValue.quotedForMessage()) cannot be used: an id has 1 to "
                    + "255 bytes, no '/', no control characters and no leading dot. Use the name "
                    + "of the app's desktop file without '.desktop'.")
        }
        self.rawValue = rawValue
    }

    /// The id of the command-line tool, which is an app like any other.
    public static let tocsin = ApplicationID(checked: "org.tocsin.Tocsin")

    private init(checked: String) {
        rawValue = checked
    }

    /// The id as text.
    public var description: String { rawValue }

    private static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...255).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
            && !bytes.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 || $0 == 0x7F }
    }

    /// Decodes the compact form in which the store keeps it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        try self.init(container.decode(String.self))
    }

    /// Encodes the compact form in which the store keeps it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
