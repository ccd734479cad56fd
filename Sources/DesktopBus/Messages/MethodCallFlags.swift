internal import CDesktopBus

/// What the bus is told about a call.
public struct MethodCallFlags: OptionSet, Sendable, Hashable {
    /// The bits of the message header.
    public let rawValue: UInt8

    /// Takes the bits of the message header.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// No answer is wanted.
    public static let noReplyExpected = Self(rawValue: UInt8(DESKTOPBUS_NO_REPLY_EXPECTED))
    /// The bus does not start the destination.
    public static let noAutoStart = Self(rawValue: UInt8(DESKTOPBUS_NO_AUTO_START))
    /// The other side may ask the user for permission.
    public static let allowInteractiveAuthorization = Self(
        rawValue: UInt8(DESKTOPBUS_ALLOW_INTERACTIVE_AUTHORIZATION))
}
