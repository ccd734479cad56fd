internal import NotificationModel

/// The commands of all notifications that can still be answered; what the tool's file holds.
struct CommandTable: Hashable {
    /// How long a notification may take from its commands' being written down to its being there.
    private static let patience: Int64 = 60_000_000
    /// How long an answer that nobody works on keeps its commands: 7 days.
    private static let retention: Int64 = 604_800_000_000

    private(set) var entries: [ClickCommands] = []

    /// Reads the file's text; damaged lines are passed over.
    init(text: String = "") {
        entries = text.split(separator: "\n").compactMap { ClickCommands(line: $0) }
    }

    /// The file's text.
    var text: String { entries.map { $0.line + "\n" }.joined() }

    /// The commands of a notification.
    subscript(key: NotificationKey) -> ClickCommands? { entries.last { $0.key == key } }

    /// Takes the commands of a notification out, and these in, where there are some.
    mutating func replace(_ key: NotificationKey, with commands: ClickCommands?) {
        entries.removeAll { $0.key == key }
        if let commands { entries.append(commands) }
    }

    /// Takes out the commands of an app's notifications that are gone.
    ///
    /// `listed` are those that wait or are delivered, `answered` those whose answers were worked
    /// on. Others that are not listed may have an answer that nobody has worked on, or may not be
    /// there yet: they stay for some days while there are `openAnswers`, or while they are new.
    mutating func prune(
        _ app: ApplicationID, listed: Set<String>, answered: Set<String>, openAnswers: Bool,
        now: Instant
    ) {
        entries.removeAll { entry in
            guard entry.key.app == app, !listed.contains(entry.key.identifier) else { return false }
            if answered.contains(entry.key.identifier) { return true }
            let age = now.microseconds(since: entry.created)
            return !(0..<(openAnswers ? Self.retention : Self.patience)).contains(age)
        }
    }
}
