/// A method call to be made.
public struct MethodCall: Sendable, Hashable {
    /// The called name.
    public var destination: BusName
    /// The object.
    public var path: ObjectPath
    /// The interface.
    public var interface: InterfaceName
    /// The method.
    public var member: MemberName
    /// The arguments; their types make the signature.
    public var arguments: [BusValue]
    /// The flags in the header of the message.
    public var flags: MethodCallFlags

    /// Makes a call.
    public init(
        destination: BusName, path: ObjectPath, interface: InterfaceName, member: MemberName,
        arguments: [BusValue] = [], flags: MethodCallFlags = []
    ) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
        self.flags = flags
    }

    /// Makes a call that reads a property of an object.
    ///
    /// The answer has one argument: a variant with the property's value.
    public init(
        reading property: String, of interface: InterfaceName, destination: BusName,
        path: ObjectPath, flags: MethodCallFlags = []
    ) {
        self.init(
            destination: destination, path: path, interface: .properties, member: "Get",
            arguments: [.string(interface.rawValue), .string(property)], flags: flags)
    }
}

extension InterfaceName {
    /// The interface by which an object's properties are read, set and watched.
    public static let properties: InterfaceName = "org.freedesktop.DBus.Properties"
}
