/// Why the system refused something the reactor needs.
public struct ReactorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's error number.
    public let errno: Int32
    /// What was tried, what happened, and what to do.
    public let message: String

    /// Makes an error from its parts.
    public init(errno: Int32, message: String) {
        self.errno = errno
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
