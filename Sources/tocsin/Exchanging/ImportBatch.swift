internal import NotificationModel

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
    }

    /// What the lines of one call have together at most, in bytes, unless it is one line.
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
        entries.append(Entry(place: place, item: .success(item)))
    }

    /// Adds a line that cannot be used, so that it is told in its turn.
    mutating func append(_ error: ToolError, place: String) {
        entries.append(Entry(place: place, item: .failure(error)))
    }
}
