internal import NotificationModel

/// A program that a click runs, with its arguments.
///
/// A shell runs only text that the user wrote as a command. No text of a notification or of a reply
/// becomes a part of a shell command.
struct ClickCommand: Hashable {
    private static let shell = ["/bin/sh", "-c"]

    /// The program, which is a path or a name on `PATH`, and its arguments.
    let words: [String]

    init(_ words: [String]) {
        self.words = words
    }

    static func shell(_ text: String) -> ClickCommand { ClickCommand(shell + [text]) }

    /// The text for the user: a shell command as written, any other command quoted for a shell.
    var text: String {
        words.count == 3 && words.starts(with: Self.shell) ? words[2] : ShellQuoting.line(words)
    }

    /// Reads a command of a file; nil if it has the wrong form or is too long.
    ///
    /// `Limits.clickCommand` limits the text of a shell command, or the address or path to open.
    /// The words before it have at most 9 bytes: `/bin/sh` and `-c`, or one of `Desktops.openers`.
    init?(_ value: PropertyListValue) {
        guard case .array(let elements) = value else { return nil }
        var words: [String] = []
        for element in elements {
            guard case .string(let word) = element, !word.utf8.contains(0) else { return nil }
            words.append(word)
        }
        let size = words.reduce(0) { $0 + $1.utf8.count }
        guard let program = words.first, !program.isEmpty, size <= Limits.clickCommand.most + 9
        else {
            return nil
        }
        self.words = words
    }
}

/// The commands of one notification, for clicks on it and on its buttons.
struct ClickCommands: Hashable {
    var key: NotificationKey
    /// The directory in which the commands run.
    var directory: String
    var created: Instant
    var click: ClickCommand?
    /// The commands of the buttons, by action identifier.
    var actions: [String: ClickCommand] = [:]

    func command(for action: NotificationResponse.Action) -> ClickCommand? {
        action == .standard ? click : action.words.action.flatMap { actions[$0] }
    }

    /// The environment variables that tell a command which click started it.
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

    /// The keys of `object`, without the buttons' identifiers, which are keys of `actions`.
    static var keys: [RecordKey] {
        [RecordKey("click"), RecordKey("actions"), RecordKey("directory")]
    }

    /// The JSON object of `list --json --commands` and `export --with-commands`.
    var object: RecordValue {
        .record([
            .init("click", click?.words),
            .init(
                "actions",
                .record(actions.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.words) })),
            .init("directory", directory),
        ])
    }

    /// The text of `list --commands`.
    var text: String {
        let click = click.map { ["click: \($0.text)"] } ?? []
        return (click + actions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" })
            .joined(separator: "; ")
    }
}

// The JSON forms: a line of the commands file, and a member of exported objects.
extension ClickCommands {
    /// Reads the form that `object` writes; nil for any other form.
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

    /// The line of the commands file.
    var line: String {
        RecordValue.record([
            .init("app", key.app.rawValue), .init("id", key.identifier),
            .init("created", created.microseconds), .init("commands", object),
        ]).text
    }

    /// Reads a line of the commands file; nil if the line is damaged.
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
