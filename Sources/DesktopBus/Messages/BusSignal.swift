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

    /// Makes a signal.
    public init(
        sender: BusName?, path: ObjectPath, interface: InterfaceName, member: MemberName,
        arguments: [BusValue]
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}
