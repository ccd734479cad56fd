/// One connection of one app to the notification centre.
public struct ServiceSession: Hashable, Sendable {
    /// The number of the session within its service.
    public let rawValue: UInt64

    /// Makes a session of its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
