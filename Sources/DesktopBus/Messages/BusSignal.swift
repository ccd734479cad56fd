/// A signal as it arrived.
public struct BusSignal: Sendable, Hashable {
    /// The sender: a unique name, or the bus itself.
    public let sender: BusName?
    /// The object that the signal is about.
    public let path: ObjectPath
    /// The interface.
    public let interface: InterfaceName
    /// The signal.
    public let member: MemberName
    /// The arguments.
    public let arguments: [BusValue]
}
