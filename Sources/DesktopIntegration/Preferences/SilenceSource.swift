internal import DesktopBus

/// Where a desktop says whether Do Not Disturb is on.
enum SilenceSource: Sendable {
    /// An answer of a program on the session bus, which is not started for it.
    case bus(MethodCall, reading: @Sendable (BusValue) -> Bool?)
    /// A GSettings key, and the text of its value while Do Not Disturb is on.
    case setting(schema: String, key: String, isOnAt: String)
    /// A key of a file in the person's folder of configuration, which is `true` while it is on.
    case file(path: String, group: String, key: String)
}

extension SilenceSource {
    /// A property of type `b`.
    static func property(
        _ name: String, of interface: InterfaceName, at path: ObjectPath, on bus: BusName
    ) -> SilenceSource {
        .bus(
            MethodCall(
                destination: bus, path: path, interface: "org.freedesktop.DBus.Properties",
                member: "Get", arguments: [.string(interface.rawValue), .string(name)],
                flags: .noAutoStart)
        ) { $0.boolValue }
    }

    /// A method without arguments that answers with `b`.
    static func method(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath, on bus: BusName
    ) -> SilenceSource {
        .bus(
            MethodCall(
                destination: bus, path: path, interface: interface, member: member,
                flags: .noAutoStart)
        ) { $0.boolValue }
    }
}
