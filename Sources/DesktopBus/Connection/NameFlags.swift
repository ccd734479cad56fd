/// The way in which a name is requested.
///
/// A request never waits in a queue for a name that another connection owns.
public struct NameFlags: OptionSet, Sendable, Hashable {
    /// The bits of RequestName.
    public let rawValue: UInt32

    /// Takes the bits of RequestName.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Another connection may take the name from this connection.
    public static let allowReplacement = Self(rawValue: 1)
    /// Takes the name from its owner, if the owner has set `allowReplacement`.
    public static let replaceExisting = Self(rawValue: 2)

    static let doNotQueue = Self(rawValue: 4)
}
