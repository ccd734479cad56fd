import Glibc

/// The events of a descriptor, awaited or reported.
public struct DescriptorEvents: OptionSet, Sendable, Hashable {
    /// The bits of poll(2).
    public let rawValue: Int16

    /// Takes the bits of poll(2).
    public init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    /// Something can be read, or a connection can be accepted.
    public static let readable = Self(rawValue: Int16(POLLIN))
    /// Something can be written without blocking.
    public static let writable = Self(rawValue: Int16(POLLOUT))
    /// The descriptor has an error, or is not open; every watch reports this event.
    public static let error = Self(rawValue: Int16(POLLERR) | Int16(POLLNVAL))
}
