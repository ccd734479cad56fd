/// The user and process behind a name, as the bus knows them from the socket.
public struct BusCredentials: Sendable, Hashable {
    /// The user's id.
    public let uid: UInt32?
    /// The process id when the process connected; by now another process may have this id.
    public let pid: UInt32?
    /// The label of a security module such as AppArmor or SELinux, without a final NUL.
    public let securityLabel: [UInt8]?
    /// The process itself, as a pidfd, if the bus gives it.
    ///
    /// Unlike an id, it never refers to another process.
    public let process: BusDescriptor?
}
