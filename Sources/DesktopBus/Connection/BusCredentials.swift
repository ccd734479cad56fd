/// The user and process behind a name, as the bus knows them from the socket.
public struct BusCredentials: Sendable, Hashable {
    /// The user.
    public let uid: UInt32?
    /// The process at the time it connected; it may be gone, and its number used again.
    public let pid: UInt32?
    /// The label of a security module such as AppArmor or SELinux, without a final NUL.
    public let securityLabel: [UInt8]?
    /// The process itself, as a pidfd, by buses that give it away: unlike its number it can mean no
    /// other process.
    public let process: BusDescriptor?
}
