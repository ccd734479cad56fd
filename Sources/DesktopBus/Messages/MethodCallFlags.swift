/// The flags in the header of a method call.
public struct MethodCallFlags: OptionSet, Sendable, Hashable {
    /// The bits of the message header.
    public let rawValue: UInt8

    /// Takes the bits of the message header.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No answer is wanted.
    public static let noReplyExpected = Self(rawValue: 1)
    /// The bus does not start the destination.
    public static let noAutoStart = Self(rawValue: 2)
}
