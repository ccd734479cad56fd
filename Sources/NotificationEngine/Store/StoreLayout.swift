import NotificationModel

/// Where one store lies: the database, its lock and the attachments in one private directory.
public struct StoreLayout: Hashable, Sendable {
    /// The absolute path of the directory.
    public let directory: String

    /// Makes the layout of a directory.
    public init(directory: String) {
        self.directory = directory
    }

    /// The database.
    public var database: String { directory + "/center.sqlite" }
    /// Locked by the one process that has the store.
    public var lock: String { directory + "/center.lock" }
    /// The database's write-ahead log.
    var log: String { database + "-wal" }
    /// The entries of the database's schema.
    var schema: String { directory + "/center.schema" }
    /// There while a process has the database open: what it is missing then was taken away.
    var openMark: String { directory + "/center.open" }
    /// Where a damaged database is read, and where what is read of it is collected.
    var image: String { database + ".image" }
    var collected: String { database + ".new" }
    /// Where the first damaged database is kept that could not be read whole.
    var damaged: String { database + ".damaged-1" }
    /// Takes up space that is given back when the disk is full.
    var reserve: String { directory + "/center.reserve" }
    /// Says what was shown while the database could not be written.
    var marks: String { directory + "/center.shown" }
    /// Our copies of attachments.
    public var attachments: String { directory + "/attachments" }
}
