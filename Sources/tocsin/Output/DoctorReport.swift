internal import NotificationModel
internal import NotificationSchedule

/// What `tocsin doctor` found.
struct DoctorReport {
    var bus: String
    var status: ServiceStatus
    var now: Instant
    var zone: ZoneOffsets

    /// What a server without a capability gets instead.
    private static let substitutes: [(capability: String, instead: String)] = [
        ("actions", "no buttons: only the popup itself can be clicked"),
        ("body", "the text is not shown"),
        ("body-markup", "the subtitle is not bold"),
        ("persistence", "scheduled notifications stay until they are dismissed"),
        ("inline-reply", "an action that takes text asks with a dialog of zenity or kdialog"),
        ("sound", "notifications are silent"),
    ]

    private var substituted: [(capability: String, instead: String)] {
        guard status.presenter.isAvailable else { return [] }
        return Self.substitutes.filter { !status.presenter.capabilities.contains($0.capability) }
    }

    /// For people.
    var text: String {
        let times = RelativeTime(now: now, zone: zone)
        var table = TextTable(heading: ["Bus", bus])
        table.add(["Daemon", "tocsind \(status.version), \(status.hosting)"])
        table.add(["Store", status.store])
        table.add([
            "",
            "\(status.pendingCount) pending, \(status.deliveredCount) delivered, "
                + "\(status.responseCount) responses wait for their app",
        ])
        let next = status.nextFire.map { "\(times.absolute($0)) (\(times.distance($0)))" }
        table.add(["Next", next ?? "nothing is due"])
        table.add(["Clock", times.absolute(now)])
        table.add(["Server", serverLine])
        if status.presenter.isAvailable {
            table.add(["", "capabilities: " + status.presenter.capabilities.joined(separator: " ")])
        }
        for row in substituted { table.add(["Without", "\(row.capability): \(row.instead)"]) }
        return table.text
    }

    private var serverLine: String {
        let server = status.presenter
        guard server.isAvailable else {
            return "none; start the desktop's own, or install one such as dunst"
        }
        return "\(server.name) \(server.version) by \(server.vendor), "
            + "specification \(server.specification)"
    }

    /// For programs.
    var object: JSONValue {
        let server = status.presenter
        return .object([
            .init("bus", .string(bus)),
            .init("version", .string(status.version)),
            .init("hosting", .string(status.hosting)),
            .init("store", .string(status.store)),
            .init("pending", .integer(Int64(status.pendingCount))),
            .init("delivered", .integer(Int64(status.deliveredCount))),
            .init("responses", .integer(Int64(status.responseCount))),
            .init("nextFire", JSONValue(status.nextFire.map { RFC3339.text($0, zone: zone) })),
            .init("clock", .string(RFC3339.text(now, zone: zone))),
            .init(
                "server",
                server.isAvailable
                    ? .object([
                        .init("name", .string(server.name)),
                        .init("vendor", .string(server.vendor)),
                        .init("version", .string(server.version)),
                        .init("specification", .string(server.specification)),
                        .init("capabilities", .array(server.capabilities.map { .string($0) })),
                    ]) : .null),
            .init("substituted", .array(substituted.map { .string($0.capability) })),
        ])
    }
}
