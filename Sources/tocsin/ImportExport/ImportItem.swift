internal import NotificationModel
internal import NotificationSchedule

/// The request of an imported line or event.
struct ImportItem: Hashable {
    var app: ApplicationID?
    var request: NotificationRequest
    /// The next fire date at the time of the export, if the line has one.
    var nextFire: Instant?
    /// Whether the request was snoozed at the time of the export.
    var isSnoozed = false
    /// The value of the line's key `commands`; nil if the line has no such key.
    var commands: PropertyListValue?
    /// The source of a calendar's item (see `ICalendarImport.mark`); nil for a line.
    var source: String?
}

extension ImportItem {
    /// The members of a line that are not part of its request.
    private struct Surroundings: Sendable {
        var app: ApplicationID?
        var state = ""
        var nextFire: Instant?
        var regular: Instant?

        static let record = Record<Surroundings>([
            Field("app", \.app), Field("state", \.state, ""), Field("nextFire", \.nextFire),
            Field("regular", \.regular),
        ]) { Surroundings() }
    }

    /// Reads a JSON line that `export` or `show` wrote.
    ///
    /// The result is nil for a delivered notification, because an import does not show it again. It
    /// is also nil for an ended notification, whose line has little more than the title.
    init?(line: [UInt8]) throws(ToolError) {
        // Some editors begin a file with a byte order mark, which is not part of the JSON.
        let line = line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : line
        do throws(NotificationError) {
            let entries = try RecordJSON.entries(of: line, "The line")
            let others = try Surroundings.record.value(of: entries, "the line")
            guard !["delivered", "ended"].contains(others.state) else { return nil }
            if let unknown = NotificationJSON.keys.firstUnknown(in: entries) {
                throw Self.error(of: unknown)
            }
            var request = try NotificationRequest.record.value(of: entries, "the line")
            // An interval began before the export, and a snooze put the date of the trigger off. In
            // both cases, the request fires at the exported `nextFire`.
            switch request.trigger {
            case .interval(_, repeats: false),
                .at where others.regular != nil,
                .calendar(_, repeats: false) where others.regular != nil:
                if let date = others.nextFire { request.trigger = .at(date) }
            default: break
            }
            self.init(
                app: others.app, request: request, nextFire: others.nextFire,
                isSnoozed: others.regular != nil,
                commands: entries.contains { $0.name == "commands" }
                    ? try Self.commands(of: line) : nil)
        } catch {
            throw ToolError(error)
        }
    }

    /// The error for an unknown key, which may be misspelled.
    ///
    /// A misspelled key would lose its value, and a request without `trigger` would fire at once.
    private static func error(of unknown: UnknownKey) -> NotificationError {
        let key = unknown.path.first ?? ""
        let place = unknown.path.dropFirst().map { "\($0.quotedForMessage()) of " }.joined()
        let remedy =
            KnownWords.hint(for: key, among: unknown.known).map { "did you mean '\($0)'?" }
            ?? "leave it out."
        return NotificationError(
            .invalidArgument,
            "The key \(key.quotedForMessage()) of \(place)the line is unknown; \(remedy)")
    }

    /// The value of `commands` exactly as written, because its texts are arguments of programs.
    private static func commands(of line: [UInt8]) throws(NotificationError) -> PropertyListValue? {
        do throws(JSONError) {
            guard case .dictionary(let members) = try JSONReader.value(of: line) else { return nil }
            return members["commands"]
        } catch {
            throw NotificationError(
                .invalidArgument, "The key 'commands' cannot be read: \(error).")
        }
    }
}

/// The imported lines of the next call to the notification centre, in order; pure.
///
/// All requests of a batch belong to one app, and one call adds them all.
struct ImportBatch {
    /// A line that is ready to be added, or the error that prevents it.
    struct Entry {
        /// The beginning of a message about the line: "line 3: ".
        var place: String
        var item: Result<Prepared, ToolError>
    }

    /// A request that can be added, and the commands of its clicks.
    struct Prepared {
        var request: RequestWithFiles
        var commands: ClickCommands?
        /// The source of a calendar's item; nil for a line, which may replace any request.
        var source: String?
        /// The index of its entry in the batch.
        fileprivate(set) var number = 0

        var identifier: String { request.request.identifier }

        func key(of app: ApplicationID) -> NotificationKey {
            NotificationKey(app: app, identifier: identifier)
        }
    }

    /// A batch is full when its lines together have this many bytes.
    static let maximumSize = 1 << 20

    /// The app of the batch; nil while the batch has only errors.
    private(set) var app: ApplicationID?
    private(set) var entries: [Entry] = []
    private var size = 0
    private var hasFiles = false

    var isFull: Bool {
        entries.count >= RequestWithFiles.limit || size >= Self.maximumSize || hasFiles
    }

    /// Whether this request may join the batch.
    ///
    /// A request with files has a batch of its own, because the bus limits the files of a message.
    func admits(_ request: RequestWithFiles, of app: ApplicationID) -> Bool {
        self.app == nil || self.app == app && !isFull && request.files.isEmpty
    }

    /// Adds an admitted request; `size` is the size of its line in bytes.
    mutating func append(
        _ item: Prepared, of app: ApplicationID, size: Int, place: String
    ) {
        self.app = app
        self.size += size
        hasFiles = !item.request.files.isEmpty
        var item = item
        item.number = entries.count
        entries.append(Entry(place: place, item: .success(item)))
    }

    /// Adds an unusable line, so that its error is reported in order.
    mutating func append(_ error: ToolError, place: String) {
        entries.append(Entry(place: place, item: .failure(error)))
    }
}
