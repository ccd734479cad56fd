internal import NotificationModel

/// The request of an imported line or event.
struct ImportItem: Hashable {
    /// Whose it is; nil where that is not said.
    var app: ApplicationID?
    /// The request.
    var request: NotificationRequest
    /// When it was to fire next, where that is said.
    var nextFire: Instant?
    /// The commands of its clicks as the line has them; nil if it has none.
    var commands: PropertyListValue?
    /// The calendar that it came from; nil for a line.
    var source: String?
}

extension ImportItem {
    /// The members of a line besides its request.
    private struct Place: Sendable {
        var app: ApplicationID?
        var state = ""
        var nextFire: Instant?

        static let record = Record<Place>([
            Field("app", \.app), Field("state", \.state, ""), Field("nextFire", \.nextFire),
        ]) { Place() }
    }

    /// Reads a JSON line, as `export` writes it; nil for one that was delivered, and is not shown
    /// again.
    init?(line: [UInt8]) throws(ToolError) {
        do throws(NotificationError) {
            let entries = try RecordJSON.entries(of: line, "The line")
            let place = try Place.record.value(of: entries, "the line")
            guard place.state != "delivered" else { return nil }
            var request = try NotificationRequest.record.value(of: entries, "the line")
            // The time that has gone since the line was written is not waited for again.
            if case .interval(_, repeats: false) = request.trigger, let date = place.nextFire {
                request.trigger = .at(date)
            }
            self.init(
                app: place.app, request: request, nextFire: place.nextFire,
                commands: entries.contains { $0.name == "commands" }
                    ? try Self.commands(of: line) : nil)
        } catch {
            throw ToolError(error)
        }
    }

    /// The member of that name as it is written; its texts are arguments of programs.
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

/// Imported lines on their way to the notification centre, in their order: as many of one app as
/// one call takes; pure.
struct ImportBatch {
    /// A line that is ready to be added, or why it cannot be.
    struct Entry {
        /// How messages name it: "line 3: ".
        var place: String
        var item: Result<Prepared, ToolError>
    }

    /// A request that can be added, and what its clicks run.
    struct Prepared {
        var request: RequestWithFiles
        var commands: ClickCommands?
        /// The calendar that it came from; nil for a line, which may replace any request.
        var source: String?
        /// Its place among the entries of its batch.
        fileprivate(set) var number = 0

        var identifier: String { request.request.identifier }

        func key(of app: ApplicationID) -> NotificationKey {
            NotificationKey(app: app, identifier: identifier)
        }
    }

    /// The most bytes that the lines of one call have together, unless it is one line.
    static let maximumSize = 1 << 20

    /// Whose they are; nil while there are only lines that cannot be added.
    private(set) var app: ApplicationID?
    private(set) var entries: [Entry] = []
    private var size = 0
    private var hasFiles = false

    /// Whether nothing more goes into it.
    var isFull: Bool {
        entries.count >= RequestWithFiles.limit || size >= Self.maximumSize || hasFiles
    }

    /// Whether this request may come after those that are there.
    ///
    /// One with files goes alone: how many a message may carry is up to the bus.
    func admits(_ request: RequestWithFiles, of app: ApplicationID) -> Bool {
        self.app == nil || self.app == app && !isFull && request.files.isEmpty
    }

    /// Adds a request that is admitted; `size` is that of its line.
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

    /// Adds a line that cannot be used, so that it is told in its turn.
    mutating func append(_ error: ToolError, place: String) {
        entries.append(Entry(place: place, item: .failure(error)))
    }
}
