/// An error of Web Push.
public struct WebPushError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the value that cannot be used.
    public enum Code: Hashable, Sendable {
        /// A key or an authentication secret.
        case invalidKey
        /// A subscription, or its endpoint.
        case invalidSubscription
        /// An encrypted message: it is malformed, or it was encrypted for other keys.
        case invalidMessage
        /// A payload that is too large for one message.
        case payloadTooLarge
        /// The topic, the subject or the lifetime of a message.
        case invalidHeader
    }

    /// The kind of the value that cannot be used.
    public let code: Code
    /// The failed action, the reason, and the remedy.
    public let message: String

    /// The message.
    public var description: String { message }

    /// Makes an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
