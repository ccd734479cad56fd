internal import CenterInterface
internal import Glibc
internal import NotificationModel
internal import Reactor

/// The tool's own file for the commands of clicks; commands never go over the bus.
///
/// The file is `commands.jsonl` beside the daemon's log, and only its owner can read it. A change
/// replaces the whole file under a lock, so a reader sees the old or the new file.
///
/// It never reads a file that another user could have written, because the tool runs the commands
/// in it.
struct CommandFile {
    private let directory: String

    private var path: String { directory + "/commands.jsonl" }

    init(_ environment: ToolEnvironment) throws(ToolError) {
        guard let directory = environment.stateDirectory() else {
            throw ToolError.failure(
                "There is no place for commands: neither XDG_STATE_HOME nor HOME is set. Set one.")
        }
        self.directory = directory
    }

    /// The table in the file; an empty table if there is no file.
    func read() throws(ToolError) -> CommandTable {
        let descriptor = open(
            path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure("read") }
            return CommandTable()
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
            status.st_mode & S_IFMT == S_IFREG
        else {
            throw ToolError.failure(
                "The commands in \(path.quotedForMessage()) are not run: another user can change "
                    + "this file, or it is not a regular file. Remove the file, or give it the mode "
                    + "600.")
        }
        guard let bytes = UserFile.bytes(of: descriptor) else { throw failure("read") }
        return CommandTable(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Changes the table under the lock.
    func change(_ change: (inout CommandTable) -> Void) throws(ToolError) {
        Directory.make(directory, mode: 0o700)
        let lock = open(
            directory + "/commands.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure("locked") }
        // Closing the descriptor releases the lock.
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("locked") }
        }
        let before = try read()
        var table = before
        change(&table)
        guard table != before else { return }
        guard Limits.clickCommands.contains(table.entries.count) else {
            throw ToolError.failure(
                "\(Limits.clickCommands.most) notifications have commands already. "
                    + "\(Limits.clickCommands.remedy).")
        }
        try write(table.text)
    }

    /// Stores the commands of a notification, and returns the earlier commands of its key.
    ///
    /// The caller adds the notification after this. If `commands` is nil, the key has no commands
    /// afterwards. If `isNew` is true, the key has no commands yet.
    @discardableResult
    static func keepCommands(
        _ commands: ClickCommands?, of key: NotificationKey, isNew: Bool,
        in environment: ToolEnvironment
    ) throws(ToolError) -> ClickCommands? {
        guard let commands else { return isNew ? nil : try takeCommands(key, in: environment) }
        let file = try CommandFile(environment)
        var former: ClickCommands?
        // Read under the lock, because another program may store commands at the same time.
        try file.change {
            former = isNew ? nil : $0[key]
            $0.replace(key, with: commands)
        }
        return former
    }

    /// Removes and returns the stored commands of a notification; nil if there are none.
    static func takeCommands(
        _ key: NotificationKey, in environment: ToolEnvironment
    ) throws(ToolError) -> ClickCommands? {
        guard environment.stateDirectory() != nil else { return nil }
        let file = try CommandFile(environment)
        guard try file.read()[key] != nil else { return nil }
        var former: ClickCommands?
        try file.change {
            former = $0[key]
            $0.replace(key, with: nil)
        }
        return former
    }

    private func write(_ text: String) throws(ToolError) {
        guard WholeWrite.replace(path, by: text, draft: path + ".new", mode: 0o600) else {
            throw failure("written")
        }
    }

    private func failure(_ what: String) -> ToolError {
        ToolError.failure(
            "The file \(path.quotedForMessage()) could not be \(what): "
                + "\(String(cString: strerror(errno))). Check its directory.")
    }
}

extension CommandFile {
    /// Removes the commands of notifications that the centre no longer has.
    ///
    /// If requests go to the inbox, it removes only the commands of `answered` notifications. With
    /// a centre, it does nothing if at most `limit` of the app's notifications have commands.
    func prune(
        _ app: ApplicationID, answered: Set<String> = [], at center: CenterClient, now: Instant,
        keeping limit: Int = 0
    ) async throws {
        guard !center.waitsForLogin else {
            // The centre's lists cannot be read here.
            return try change { table in
                for identifier in answered {
                    table.replace(NotificationKey(app: app, identifier: identifier), with: nil)
                }
            }
        }
        guard try read().entries.count(where: { $0.key.app == app }) > limit else { return }
        let pending = try await center.service.pending(of: app).map(\.request.identifier)
        let delivered = try await center.service.delivered(of: app).map(\.request.identifier)
        // Read the count after the lists: it then includes a response that has already removed its
        // notification from the lists.
        let openAnswers = try await center.service.status().responseCount > 0
        try change {
            $0.prune(
                app, listed: Set(pending + delivered), answered: answered, openAnswers: openAnswers,
                now: now)
        }
    }
}

/// The content of the commands file: the commands of all notifications that can get a response.
struct CommandTable: Hashable {
    /// The longest time between writing commands and adding their notification: 60 s, in
    /// microseconds.
    private static let arrivalLimit: Int64 = 60_000_000
    /// How long commands stay while their response may be unhandled: 7 days, in microseconds.
    private static let retention: Int64 = 604_800_000_000

    private(set) var entries: [ClickCommands] = []

    /// Reads the file's text and skips damaged lines.
    init(text: String = "") {
        entries = text.split(separator: "\n").compactMap { ClickCommands(line: $0) }
    }

    var text: String { entries.map { $0.line + "\n" }.joined() }

    subscript(key: NotificationKey) -> ClickCommands? { entries.last { $0.key == key } }

    /// Replaces the commands of a notification; nil removes them.
    mutating func replace(_ key: NotificationKey, with commands: ClickCommands?) {
        entries.removeAll { $0.key == key }
        if let commands { entries.append(commands) }
    }

    /// Removes the commands of an app's notifications that are gone.
    ///
    /// - Commands of `listed` notifications stay: these notifications are pending or delivered.
    /// - Commands of `answered` notifications are removed: these notifications were removed, or
    ///   their responses are handled.
    /// - Any other notification may have an unhandled response, or may not be added yet. Its
    ///   commands stay for 7 days if the centre has unhandled responses (`openAnswers`), otherwise
    ///   for 60 seconds.
    mutating func prune(
        _ app: ApplicationID, listed: Set<String>, answered: Set<String>, openAnswers: Bool,
        now: Instant
    ) {
        entries.removeAll { entry in
            guard entry.key.app == app, !listed.contains(entry.key.identifier) else { return false }
            let age = now.microseconds(since: entry.created)
            // Another process may have written these commands after this process read the clock,
            // and may not have added their notification yet.
            if (-Self.arrivalLimit..<0).contains(age) { return false }
            if answered.contains(entry.key.identifier) { return true }
            return !(0..<(openAnswers ? Self.retention : Self.arrivalLimit)).contains(age)
        }
    }
}
