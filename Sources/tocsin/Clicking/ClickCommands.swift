internal import NotificationModel

/// The commands of one notification: what a click on it or on its buttons runs.
struct ClickCommands: Hashable {
    /// The most bytes that one command may have.
    static let maximumSize = 32_768
    /// The most characters of a text that a command gets: a variable has its limits (execve(2)).
    private static let maximumReply = 30_000

    /// The notification.
    var key: NotificationKey
    /// The directory that they run in.
    var directory: String
    /// When they were given.
    var created: Instant
    /// What a click on the notification itself runs.
    var click: String?
    /// What its buttons run, by their ids.
    var actions: [String: String] = [:]

    /// The command for what was done, or nil where there is none.
    func command(for action: NotificationResponse.Action) -> String? {
        switch action {
        case .standard: click
        case .custom(let identifier), .reply(let identifier, _): actions[identifier]
        case .dismiss: nil
        }
    }

    /// What a command finds in its environment about the click that it runs for.
    static func variables(for response: NotificationResponse) -> [String: String] {
        var result = [
            "TOCSIN_ID": response.notification.request.identifier,
            "TOCSIN_APP": response.notification.app.rawValue, "TOCSIN_ACTION": "default",
            "TOCSIN_REPLY": "",
        ]
        switch response.action {
        case .standard, .dismiss: break
        case .custom(let identifier): result["TOCSIN_ACTION"] = identifier
        case .reply(let identifier, let text):
            result["TOCSIN_ACTION"] = identifier
            result["TOCSIN_REPLY"] = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.filter { $0 != "\0" }.prefix(maximumReply)))
        }
        result["XDG_ACTIVATION_TOKEN"] = response.activationToken
        return result
    }

    /// As `list --json --commands` shows them.
    var object: JSONValue {
        .object([
            .init("click", JSONValue(click)),
            .init(
                "actions",
                .object(
                    actions.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
        ])
    }

    /// As `list --commands` shows them.
    var text: String {
        let click = click.map { ["click: \($0)"] } ?? []
        return (click + actions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
            .joined(separator: "; ")
    }
}

// One line of JSON in the tool's file.
extension ClickCommands {
    /// The line that holds them.
    var line: String {
        JSONValue.object([
            .init("app", .string(key.app.rawValue)), .init("id", .string(key.identifier)),
            .init("directory", .string(directory)),
            .init("created", .integer(created.microseconds)), .init("commands", object),
        ]).text
    }

    /// The commands of a line, or nil where it is damaged.
    init?(line: some StringProtocol) {
        guard case .dictionary(let values) = try? JSONReader.value(of: Array(line.utf8)),
            case .string(let app) = values["app"], let app = try? ApplicationID(app),
            case .string(let identifier) = values["id"],
            case .string(let directory) = values["directory"],
            case .integer(let created) = values["created"],
            case .dictionary(let commands) = values["commands"],
            case .dictionary(let actions) = commands["actions"]
        else { return nil }
        self.init(
            key: NotificationKey(app: app, identifier: identifier), directory: directory,
            created: Instant(microseconds: created))
        if case .string(let text) = commands["click"] { click = text }
        for (name, value) in actions {
            if case .string(let text) = value { self.actions[name] = text }
        }
    }
}
