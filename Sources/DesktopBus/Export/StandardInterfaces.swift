internal import CDesktopBus

/// The standard interfaces of exported paths: Introspectable, Peer, and Properties.
///
/// Only objects with properties have the interface Properties. For unknown interfaces and
/// properties, callers get the errors of the specification. A property never gets a value of a
/// wrong type.
enum StandardInterfaces {
    /// The interface Peer, which every path has.
    static let peer = InterfaceTable(
        name: "org.freedesktop.DBus.Peer",
        methods: [
            MethodEntry("Ping") { _ in [] },
            MethodEntry("GetMachineId", out: [ArgumentEntry("id", "s")]) { _ in
                [.string(try machineID())]
            },
        ])

    private static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"

    /// The standard interfaces of one path; `object` is nil if objects are exported only below the
    /// path.
    static func tables(of object: ExportedObject?, children: [String]) -> [InterfaceTable] {
        let introspectable = InterfaceTable(
            name: introspectable,
            methods: [
                MethodEntry("Introspect", out: [ArgumentEntry("xml", "s")]) { _ in
                    [.string(IntrospectionXML.document(object, children: children))]
                }
            ])
        guard let object, object.interfaces.contains(where: { !$0.properties.isEmpty }) else {
            return [introspectable]
        }
        return [introspectable, properties(of: object)]
    }

    private static func properties(of object: ExportedObject) -> InterfaceTable {
        let interface = ArgumentEntry("interface", "s")
        let property = ArgumentEntry("property", "s")
        let admission = object.propertyAdmission
        return InterfaceTable(
            name: .properties,
            methods: [
                MethodEntry(
                    "Get", in: [interface, property], out: [ArgumentEntry("value", "v")],
                    admission: admission
                ) {
                    let entry = try find($0.arguments, in: object)
                    return [.variant(try await read(entry))]
                },
                MethodEntry(
                    "GetAll", in: [interface], out: [ArgumentEntry("properties", "a{sv}")],
                    admission: admission
                ) {
                    [try await readAll($0.arguments[0].stringValue ?? "", of: object)]
                },
                MethodEntry(
                    "Set", in: [interface, property, ArgumentEntry("value", "v")],
                    admission: admission
                ) {
                    try await write($0.arguments, in: object)
                    return []
                },
            ],
            signals: [
                SignalEntry(
                    "PropertiesChanged",
                    [
                        interface, ArgumentEntry("changed", "a{sv}"),
                        ArgumentEntry("invalidated", "as"),
                    ])
            ])
    }

    private static func machineID() throws(BusError) -> String {
        guard let id = dbus_try_get_local_machine_id(nil) else {
            throw .remote(
                "org.freedesktop.DBus.Error.FileNotFound",
                "This machine has no valid machine id. Run 'dbus-uuidgen --ensure' as root.")
        }
        defer { dbus_free(id) }
        return String(cString: id)
    }

    /// Finds a property; an empty interface name matches any interface, as the specification says.
    private static func find(
        _ arguments: [BusValue], in object: ExportedObject
    ) throws(BusError) -> PropertyEntry {
        let interface = arguments[0].stringValue ?? ""
        let name = arguments[1].stringValue ?? ""
        let tables = try tables(interface, of: object)
        for table in tables {
            if let entry = table.property(name) { return entry }
        }
        let owner = interface.isEmpty ? "" : " of \(interface.prefix(255))"
        throw .remote(
            "org.freedesktop.DBus.Error.UnknownProperty",
            "There is no property \(name.prefix(255))\(owner).")
    }

    private static func tables(
        _ interface: String, of object: ExportedObject
    ) throws(BusError) -> [InterfaceTable] {
        if interface.isEmpty { return object.interfaces }
        if let table = object.interface(interface) { return [table] }
        // The standard interfaces exist, but have no property.
        if [peer.name, introspectable, .properties].contains(where: { $0.rawValue == interface }) {
            return []
        }
        throw .remote(
            "org.freedesktop.DBus.Error.UnknownInterface",
            "There is no interface \(interface.prefix(255)) here.")
    }

    private nonisolated(nonsending) static func read(
        _ entry: PropertyEntry
    ) async throws -> BusValue {
        let value = try await entry.get()
        guard TypeCheck.matches(value, entry.signature) else {
            throw BusError(
                .unexpectedType, "The property \(entry.name) is not of type \(entry.signature).")
        }
        return value
    }

    private nonisolated(nonsending) static func readAll(
        _ interface: String, of object: ExportedObject
    ) async throws -> BusValue {
        var entries: [(String, BusValue)] = []
        for table in try tables(interface, of: object) {
            for entry in table.properties {
                entries.append((entry.name.rawValue, try await read(entry)))
            }
        }
        return .vardict(entries)
    }

    private nonisolated(nonsending) static func write(
        _ arguments: [BusValue], in object: ExportedObject
    ) async throws {
        let entry = try find(arguments, in: object)
        guard let set = entry.set else {
            throw BusError.remote(
                "org.freedesktop.DBus.Error.PropertyReadOnly",
                "The property \(entry.name) cannot be written.")
        }
        guard case .variant(let value) = arguments[2], TypeCheck.matches(value, entry.signature)
        else {
            throw BusError.remote(
                "org.freedesktop.DBus.Error.InvalidArgs",
                "The property \(entry.name) is of type \(entry.signature).")
        }
        try await set(value)
    }
}
