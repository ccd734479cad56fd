internal import NotificationModel

/// The request of an imported line or event.
struct ImportItem: Hashable {
    /// The app; nil if the item names none.
    var app: ApplicationID?
    /// The request.
    var request: NotificationRequest
    /// The next fire date at the time of the export, if the line has one.
    var nextFire: Instant?
    /// The commands of its clicks as the line has them; nil if it has none.
    var commands: PropertyListValue?
    /// The calendar that it came from; nil for a line.
    var source: String?
}

extension ImportItem {
    /// The members of a line besides its request.
    private struct Surroundings: Sendable {
        var app: ApplicationID?
        var state = ""
        var nextFire: Instant?

        static let record = Record<Surroundings>([
            Field("app", \.app), Field("state", \.state, ""), Field("nextFire", \.nextFire),
        ]) { Surroundings() }
    }

    /// Reads a JSON line that `export` wrote; nil for a delivered notification, which is not shown
    /// again.
    init?(line: [UInt8]) throws(ToolError) {
        do throws(NotificationError) {
            let entries = try RecordJSON.entries(of: line, "The line")
            let others = try Surroundings.record.value(of: entries, "the line")
            guard others.state != "delivered" else { return nil }
            var request = try NotificationRequest.record.value(of: entries, "the line")
            // The interval has run since the export: keep its date instead of starting it anew.
            if case .interval(_, repeats: false) = request.trigger, let date = others.nextFire {
                request.trigger = .at(date)
            }
            self.init(
                app: others.app, request: request, nextFire: others.nextFire,
                commands: entries.contains { $0.name == "commands" }
                    ? try Self.commands(of: line) : nil)
        } catch {
            throw ToolError(error)
        }
    }

    /// The member `commands` as written; its texts are arguments of programs.
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

/// Imported lines on their way to the notification centre, in order; pure.
///
/// A batch holds as many lines of one app as one call takes.
struct ImportBatch {
    /// A line that is ready to be added, or the error that prevents it.
    struct Entry {
        /// The line's name in messages: "line 3: ".
        var place: String
        var item: Result<Prepared, ToolError>
    }

    /// A request that can be added, and the commands of its clicks.
    struct Prepared {
        var request: RequestWithFiles
        var commands: ClickCommands?
        /// The calendar that it came from; nil for a line, which may replace any request.
        var source: String?
        /// Its index among the entries of the batch.
        fileprivate(set) var number = 0

        var identifier: String { request.request.identifier }

        func key(of app: ApplicationID) -> NotificationKey {
            NotificationKey(app: app, identifier: identifier)
        }
    }

    /// A batch whose lines have this many bytes together takes no further line.
    static let maximumSize = 1 << 20

    /// The app of the batch; nil while the batch has only errors.
    private(set) var app: ApplicationID?
    private(set) var entries: [Entry] = []
    private var size = 0
    private var hasFiles = false

    /// Whether nothing more fits.
    var isFull: Bool {
        entries.count >= RequestWithFiles.limit || size >= Self.maximumSize || hasFiles
    }

    /// Whether this request may join the batch.
    ///
    /// A request with files goes alone, because the bus limits how many files a message may carry.
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
