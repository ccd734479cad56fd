/// Who is behind a name, as the bus knows it from the socket.
public struct BusCredentials: Sendable, Hashable {
    /// The user.
    public let uid: UInt32?
    /// The process at the time it connected; it may be gone, and its number used again.
    public let pid: UInt32?
    /// The label of a security module such as AppArmor or SELinux, without a final NUL.
    public let securityLabel: [UInt8]?

    /// Makes credentials.
    public init(uid: UInt32?, pid: UInt32?, securityLabel: [UInt8]?) {
        self.uid = uid
        self.pid = pid
        self.securityLabel = securityLabel
    }
}
