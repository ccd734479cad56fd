extension BusAddress {
    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else the socket that the D-Bus specification
    /// names.
    ///
    /// - Throws: `noBus` if the variable is not set and no socket exists; `invalidValue` if the
    ///   variable is not an address.
    public static func system(environment: [String: String]) throws(BusError) -> BusAddress {
        if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty {
            return try BusAddress(address)
        }
        for path in ["/var/run/dbus/system_bus_socket", "/run/dbus/system_bus_socket"]
        where isSocket(path) {
            return try BusAddress(socketPath: path)
        }
        throw BusError(
            .noBus,
            "No system bus was found: DBUS_SYSTEM_BUS_ADDRESS is not set and there is no socket at "
                + "/run/dbus/system_bus_socket. Containers often have no system bus.")
    }
}
