internal import NotificationModel

/// A program and its arguments that a click runs.
///
/// No text becomes a part of a shell command. A shell only runs a command that the user wrote for
/// it.
struct ClickCommand: Hashable {
    private static let shell = ["/bin/sh", "-c"]

    /// The program, a path or a name on `PATH`, and its arguments.
    let words: [String]

    init(_ words: [String]) {
        self.words = words
    }

    /// A command that the user wrote for a shell.
    static func shell(_ text: String) -> ClickCommand { ClickCommand(shell + [text]) }

    /// The text for the user: a shell command as written, any other with the necessary quotes.
    var text: String {
        words.count == 3 && words.starts(with: Self.shell) ? words[2] : ShellQuoting.line(words)
    }

    /// A command from a file; nil if it cannot be run.
    init?(_ value: PropertyListValue) {
        guard case .array(let elements) = value else { return nil }
        var words: [String] = []
        for element in elements {
            guard case .string(let word) = element, !word.utf8.contains(0) else { return nil }
            words.append(word)
        }
        let size = words.reduce(0) { $0 + $1.utf8.count }
        guard let program = words.first, !program.isEmpty, size <= Limits.clickCommand.most + 10
        else {
            return nil
        }
        self.words = words
    }
}

/// The commands of one notification, for clicks on it and on its buttons.
struct ClickCommands: Hashable {
    /// The notification.
    var key: NotificationKey
    /// The directory in which they run.
    var directory: String
    /// The time at which the user gave them.
    var created: Instant
    /// The command of a click on the notification itself.
    var click: ClickCommand?
    /// The commands of its buttons, by their ids.
    var actions: [String: ClickCommand] = [:]

    /// The command for an action; nil for an action without a command.
    func command(for action: NotificationResponse.Action) -> ClickCommand? {
        action == .standard ? click : action.words.action.flatMap { actions[$0] }
    }

    /// The variables by which a command learns of its click.
    static func variables(for response: NotificationResponse) -> [String: String] {
        let (_, action, reply) = response.action.words
        var result = [
            "TOCSIN_ID": response.notification.request.identifier,
            "TOCSIN_APP": response.notification.app.rawValue,
            "TOCSIN_ACTION": action ?? "default",
            "TOCSIN_REPLY": Limits.commandReply.cut(
                (reply ?? "").unicodeScalars.filter { $0 != "\0" }),
        ]
        result["XDG_ACTIVATION_TOKEN"] = response.activationToken
        return result
    }

    /// The form of `list --json --commands` and `export --with-commands`.
    var object: RecordValue {
        .record([
            .init("click", click?.words),
            .init(
                "actions",
                .record(actions.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.words) })),
            .init("directory", directory),
        ])
    }

    /// The form of `list --commands`.
    var text: String {
        let click = click.map { ["click: \($0.text)"] } ?? []
        return (click + actions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" })
            .joined(separator: "; ")
    }
}

// JSON: one line in the tool's file, and a member of exported objects.
extension ClickCommands {
    /// Reads the form that `object` writes; nil for any other.
    init?(_ value: PropertyListValue, of key: NotificationKey, created: Instant) {
        guard case .dictionary(let values) = value,
            case .string(let directory) = values["directory"],
            directory.utf8.first == UInt8(ascii: "/"), !directory.utf8.contains(0),
            case .dictionary(let actions) = values["actions"]
        else { return nil }
        self.init(key: key, directory: directory, created: created)
        if let click = values["click"] {
            guard let command = ClickCommand(click) else { return nil }
            self.click = command
        }
        for (name, value) in actions {
            guard let command = ClickCommand(value) else { return nil }
            self.actions[name] = command
        }
    }

    /// The line that holds them.
    var line: String {
        RecordValue.record([
            .init("app", key.app.rawValue), .init("id", key.identifier),
            .init("created", created.microseconds), .init("commands", object),
        ]).text
    }

    /// The commands of a line; nil if the line is damaged.
    init?(line: some StringProtocol) {
        guard case .dictionary(let values) = try? JSONReader.value(of: Array(line.utf8)),
            case .string(let app) = values["app"], let app = try? ApplicationID(app),
            case .string(let identifier) = values["id"],
            case .integer(let created) = values["created"], let commands = values["commands"]
        else { return nil }
        self.init(
            commands, of: NotificationKey(app: app, identifier: identifier),
            created: Instant(microseconds: created))
    }
}
