internal import DesktopBus
internal import NotificationModel

/// What an app says of itself in `Connect`, as `a{sv}`.
enum IdentityCoding {
    static func encode(
        _ identity: ApplicationIdentity, asksBeforePresenting: Bool,
        identifiers: Set<String>? = nil
    ) -> BusValue {
        var list = EntryList()
        list.text("id", identity.id.rawValue)
        list.text("name", identity.name)
        list.text("icon", identity.icon)
        list.flag("hasDesktopEntry", identity.hasDesktopEntry)
        list.text("executable", identity.executable)
        list.strings("arguments", identity.arguments)
        list.text("directory", identity.directory)
        list.text("usageDescription", identity.usageDescription)
        list.flag("needsPermission", identity.needsPermission)
        list.flag("asksBeforePresenting", asksBeforePresenting)
        list.strings("identifiers", identifiers?.sorted() ?? [])
        return list.value
    }

    static func decode(
        _ value: BusValue
    ) throws(NotificationError) -> (
        identity: ApplicationIdentity, asksBeforePresenting: Bool, identifiers: Set<String>?
    ) {
        let values = try KeyedValues(value, of: "the application")
        let identity = ApplicationIdentity(
            id: try ApplicationID(values.required("id")), name: try values.text("name"),
            icon: try values.text("icon"), hasDesktopEntry: try values.flag("hasDesktopEntry"),
            executable: try values.text("executable"), arguments: try values.strings("arguments"),
            directory: try values.text("directory"),
            usageDescription: try values.text("usageDescription"),
            needsPermission: try values.flag("needsPermission"))
        let identifiers = Set(try values.strings("identifiers"))
        return (
            identity, try values.flag("asksBeforePresenting"),
            identifiers.isEmpty ? nil : identifiers
        )
    }
}
