/// The user and process that own a bus name, as the bus knows them from the socket.
public struct BusCredentials: Sendable, Hashable {
    /// The user's id.
    public let uid: UInt32?
    /// The process id when the process connected; another process may have this id now.
    public let pid: UInt32?
    /// The label of a security module such as AppArmor or SELinux, without a final NUL.
    public let securityLabel: [UInt8]?
    /// A pidfd of the process, if the bus gives one.
    ///
    /// Unlike an id, a pidfd never refers to another process.
    public let process: BusDescriptor?
}
