internal import NotificationModel

/// One line of `tocsin settings`.
struct PermissionRow {
    var app: ApplicationID
    var name = ""
    /// Nil for an app that may notify without asking.
    var permission: Permission?
    /// Nil where nobody was asked.
    var previews: ShowPreviews?

    init(_ entry: ApplicationPermission) {
        app = entry.app
        name = entry.name
        permission = entry.permission
        previews = entry.previews
    }

    init(
        _ app: ApplicationID, name: String = "", previews: ShowPreviews? = nil
    ) {
        self.app = app
        self.name = name
        self.previews = previews
    }

    private static let optionNames: [(Permission.Options, String)] = [
        (.alert, "alert"), (.sound, "sound"), (.badge, "badge"),
    ]

    private var options: [String] {
        Self.optionNames.filter { permission?.options.contains($0.0) == true }.map(\.1)
    }

    private var status: (word: String, text: String) {
        switch permission?.status {
        case nil: ("notNeeded", "allowed, needs no permission")
        case .notDetermined: ("notDetermined", "not asked yet")
        case .denied: ("denied", "denied")
        case .authorized: ("authorized", "allowed")
        case .provisional: ("provisional", "allowed quietly")
        }
    }

    private var texts: (word: String, text: String)? {
        switch previews {
        case nil: nil
        case .always: ("always", "always")
        case .whenAuthenticated: ("whenAuthenticated", "when unlocked")
        case .never: ("never", "never")
        }
    }

    /// For programs; the words are spelled as on the bus, `notNeeded` where there is none.
    var object: RecordValue {
        .record([
            .init("app", .string(app.rawValue)), .init("name", .string(name)),
            .init("status", .string(status.word)),
            .init("options", .list(options.map { .string($0) })),
            .init("previews", RecordValue(texts?.word)),
        ])
    }

    /// For people.
    static func table(_ rows: [PermissionRow]) -> String {
        var table = TextTable(heading: ["APP", "NAME", "ASKED FOR", "NOTIFICATIONS", "TEXTS"])
        for row in rows {
            table.add([
                row.app.rawValue, row.name, row.options.joined(separator: " "), row.status.text,
                row.texts?.text ?? "",
            ])
        }
        return table.text
    }
}
