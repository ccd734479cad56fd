internal import Glibc

/// The reason why a system call failed.
public struct SystemFailure: Error, Hashable, CustomStringConvertible {
    /// The number in `errno`.
    public let code: Int32

    /// Makes a failure from its number.
    public init(code: Int32) {
        self.code = code
    }

    /// The system's text for the number.
    public var description: String { String(cString: strerror(code)) }
}
