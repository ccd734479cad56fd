/// A signal as it arrived.
public struct BusSignal: Sendable, Hashable {
    /// Who sent it: a unique name, or the bus itself.
    public let sender: BusName?
    /// The object it tells of.
    public let path: ObjectPath
    /// The interface.
    public let interface: InterfaceName
    /// The signal.
    public let member: MemberName
    /// What it carries.
    public let arguments: [BusValue]
}
