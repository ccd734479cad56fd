/// The reason why the system refused something that the reactor needs.
public struct ReactorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Says what was tried, what failed, and what to do.
    public let message: String

    /// Makes an error from its message.
    public init(message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
