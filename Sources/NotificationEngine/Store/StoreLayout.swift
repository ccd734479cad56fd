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
    /// Where a database that cannot be read is kept.
    var damaged: String { database + ".damaged" }
    /// Takes up space that is given back when the disk is full.
    var reserve: String { directory + "/center.reserve" }
    /// Our copies of attachments.
    public var attachments: String { directory + "/attachments" }
}
