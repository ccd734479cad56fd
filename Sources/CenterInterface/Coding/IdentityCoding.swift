internal import DesktopBus
internal import NotificationModel

/// What an app says of itself in `Connect`, as `a{sv}`.
enum IdentityCoding {
    /// What its connection is for.
    struct Wishes: Hashable {
        var asksBeforePresenting = false
        var extendsPushes = false
        /// Whose answers it waits for; nil for all.
        var identifiers: Set<String>?
    }

    static func encode(_ identity: ApplicationIdentity, _ wishes: Wishes) -> BusValue {
        var list = EntryList()
        list.text("id", identity.id.rawValue)
        list.text("name", identity.name)
        list.text("icon", identity.icon)
        list.flag("hasDesktopEntry", identity.hasDesktopEntry)
        list.text("executable", identity.executable)
        list.strings("arguments", identity.arguments)
        list.text("directory", identity.directory)
        list.flag("startsInBackground", identity.startsInBackground)
        list.text("usageDescription", identity.usageDescription)
        list.flag("needsPermission", identity.needsPermission)
        list.strings("resources", identity.resources ?? [])
        list.text("formerID", identity.formerID?.rawValue ?? "")
        list.flag("asksBeforePresenting", wishes.asksBeforePresenting)
        list.flag("extendsPushes", wishes.extendsPushes)
        list.strings("identifiers", wishes.identifiers?.sorted() ?? [])
        return list.value
    }

    static func decode(
        _ value: BusValue
    ) throws(NotificationError) -> (identity: ApplicationIdentity, wishes: Wishes) {
        let values = try KeyedValues(value, of: "the application")
        let resources = try values.strings("resources")
        var identity = ApplicationIdentity(
            id: try ApplicationID(values.required("id")), name: try values.text("name"),
            icon: try values.text("icon"), hasDesktopEntry: try values.flag("hasDesktopEntry"),
            executable: try values.text("executable"), arguments: try values.strings("arguments"),
            directory: try values.text("directory"),
            usageDescription: try values.text("usageDescription"),
            needsPermission: try values.flag("needsPermission"),
            resources: resources.isEmpty ? nil : resources)
        identity.startsInBackground = try values.flag("startsInBackground")
        let former = try values.text("formerID")
        if !former.isEmpty { identity.formerID = try ApplicationID(former) }
        let identifiers = Set(try values.strings("identifiers"))
        return (
            identity,
            Wishes(
                asksBeforePresenting: try values.flag("asksBeforePresenting"),
                extendsPushes: try values.flag("extendsPushes"),
                identifiers: identifiers.isEmpty ? nil : identifiers)
        )
    }
}
