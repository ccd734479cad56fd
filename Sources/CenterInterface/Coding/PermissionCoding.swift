internal import DesktopBus
internal import NotificationModel

/// Permissions and settings as `a{sv}`.
enum PermissionCoding {
    private static let names: [(status: Permission.Status, name: String)] = [
        (.notDetermined, "notDetermined"), (.denied, "denied"), (.authorized, "authorized"),
        (.provisional, "provisional"),
    ]

    private static let previewNames: [(value: ShowPreviews, name: String)] = [
        (.always, "always"), (.whenAuthenticated, "whenAuthenticated"), (.never, "never"),
    ]

    static func encode(_ previews: ShowPreviews) -> BusValue {
        .string(previewNames.first { $0.value == previews }?.name ?? "")
    }

    static func previews(_ value: BusValue?) throws(NotificationError) -> ShowPreviews {
        let name = value?.unwrapped.stringValue ?? ""
        guard let known = previewNames.first(where: { $0.name == name })?.value else {
            throw NotificationError(
                .invalidArgument,
                "The value \(name.quotedForMessage()) for when texts are shown is unknown: it must "
                    + "be always, whenAuthenticated or never.")
        }
        return known
    }

    /// What an older service does not tell is what it does: it shows them.
    private static func previews(in values: KeyedValues) throws(NotificationError) -> ShowPreviews {
        guard let value = values.raw("previews") else { return .always }
        return try previews(value)
    }

    static func encode(_ settings: ApplicationSettings) -> BusValue {
        var list = EntryList()
        if let permission = settings.permission { encode(permission, into: &list) }
        list.add("presenter", PresenterStatus.record.busValue(of: settings.presenter))
        list.flag("showsBadge", settings.showsBadge)
        list.add("previews", encode(settings.previews))
        list.add("desktop", settings.desktop.map { AppSwitch.record.busValue(of: $0) })
        return list.value
    }

    static func settings(_ value: BusValue) throws(NotificationError) -> ApplicationSettings {
        let values = try KeyedValues(value, of: "the settings")
        let presenter = try values.dictionary("presenter").map {
            known throws(NotificationError) in
            try PresenterStatus.record.value(of: known)
        }
        let desktop = try values.dictionary("desktop").map { known throws(NotificationError) in
            try AppSwitch.record.value(of: known)
        }
        var settings = ApplicationSettings(
            permission: try permission(values),
            presenter: presenter ?? PresenterStatus(isAvailable: false),
            showsBadge: try values.flag("showsBadge"), desktop: desktop)
        settings.previews = try previews(in: values)
        return settings
    }

    static func encode(_ entry: ApplicationPermission) -> BusValue {
        var list = EntryList()
        list.text("app", entry.app.rawValue)
        list.text("name", entry.name)
        if let permission = entry.permission { encode(permission, into: &list) }
        list.add("previews", encode(entry.previews))
        return list.value
    }

    static func entry(_ values: KeyedValues) throws(NotificationError) -> ApplicationPermission {
        ApplicationPermission(
            app: try ApplicationID(values.required("app")), name: try values.text("name"),
            permission: try permission(values), previews: try previews(in: values))
    }

    private static func encode(_ permission: Permission, into list: inout EntryList) {
        list.text("status", names.first { $0.status == permission.status }?.name ?? "")
        list.add("options", .uint64(UInt64(permission.options.rawValue)))
    }

    private static func permission(
        _ values: KeyedValues
    ) throws(NotificationError) -> Permission? {
        guard let name = try values.string("status") else { return nil }
        guard let status = names.first(where: { $0.name == name })?.status else {
            throw values.wrongValue(
                "status", name, wanted: "notDetermined, denied, authorized or provisional")
        }
        let options = try values.integer("options") ?? 0
        return Permission(status, options: .init(rawValue: UInt(clamping: options)))
    }

    static func decision(_ value: BusValue) throws(NotificationError) -> PermissionDecision {
        let name = value.stringValue ?? ""
        guard let decision = PermissionDecision(rawValue: name) else {
            throw NotificationError(
                .invalidArgument,
                "The decision \(name.quotedForMessage()) is unknown: it must be allow, deny or "
                    + "reset.")
        }
        return decision
    }
}
