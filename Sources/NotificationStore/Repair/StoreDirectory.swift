internal import CLinux
internal import Foundation
internal import Glibc
import NotificationModel

/// Makes and checks the private directory of a store.
///
/// It refuses these directories:
///
/// - A directory that belongs to another user, or that other users can write: the store holds
///   private texts, and programs act on its content.
/// - A directory on a known network file system: SQLite's write-ahead log cannot work there
///   (sqlite.org/wal.html, "Overview").
struct StoreDirectory {
    private static let networkFileSystems: [(magic: Int64, name: String)] = [
        (0x6969, "NFS"), (0x517B, "SMB"), (0xFF53_4D42, "CIFS"), (0xFE53_4D42, "SMB2"),
        (0x5346_414F, "AFS"),
    ]

    let path: String

    /// Creates the directory, private to this user, if it is missing; then checks it.
    func prepare() throws(NotificationError) {
        try createParents()
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw failure("cannot be created", remedy: "Check the permissions of its parent.")
        }
        guard let status = Self.status(of: path) else {
            throw failure("cannot be read", remedy: "Check its permissions.")
        }
        try check(status)
        try checkFileSystem()
    }

    /// Writes a file whole or not at all, and flushes it so that it outlives a power cut.
    static func write(_ bytes: Data, to path: String) throws {
        let (new, directory) = (path + ".new", (path as NSString).deletingLastPathComponent)
        try bytes.write(to: URL(fileURLWithPath: new))
        try flush(new)
        try rename(new, to: path)
        try flush(directory)
    }

    /// The status of a file, without following a link; nil if the file cannot be examined.
    static func status(of path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    /// Whether a full disk or a used-up quota caused the error of an operation on a file.
    static func isFull(_ error: any Error) -> Bool {
        let code = (error as? POSIXError)?.code
        return code == .ENOSPC || code == .EDQUOT
            || (error as? CocoaError)?.code == .fileWriteOutOfSpace
    }

    /// Waits until a file, or the names in a directory, are on the disk.
    static func flush(_ path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure }
        defer { close(file) }
        guard fsync(file) == 0 else { throw failure }
    }

    /// Renames a file; does nothing if there is no such file.
    static func rename(_ path: String, to target: String) throws {
        guard Glibc.rename(path, target) == 0 || errno == ENOENT else { throw failure }
    }

    private func createParents() throws(NotificationError) {
        guard path.hasPrefix("/") else {
            throw NotificationError(
                .storeUnavailable,
                "The store directory \(path.quotedForMessage()) is not an absolute path. Set HOME "
                    + "or XDG_STATE_HOME to an absolute path.")
        }
        var partial = ""
        for component in path.split(separator: "/").dropLast() {
            partial += "/" + component
            if mkdir(partial, 0o700) != 0, errno != EEXIST, errno != EROFS {
                throw failure(
                    "cannot be created", remedy: "Make \(partial.quotedForMessage()) writable.")
            }
        }
    }

    private func check(_ status: stat) throws(NotificationError) {
        let remedy = "Move it away, or set XDG_STATE_HOME to a directory of your own."
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw refusal("is a link or a file, not a directory", remedy: remedy)
        }
        guard status.st_uid == geteuid() else {
            throw refusal("belongs to user \(status.st_uid)", remedy: remedy)
        }
        guard status.st_mode & 0o022 == 0 else {
            throw refusal("can be written by others", remedy: chmodRemedy)
        }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 {
            throw failure("cannot be made private", remedy: chmodRemedy)
        }
    }

    /// The command for a shell, on one line, because the daemon logs it.
    private var chmodRemedy: String {
        "Run: " + TerminalEscaping.line(ShellQuoting.line(["chmod", "700", path]))
    }

    private func checkFileSystem() throws(NotificationError) {
        let magic = clinux_file_system(path)
        if let found = Self.networkFileSystems.first(where: { $0.magic == magic }) {
            throw refusal(
                "lies on a network file system (\(found.name))",
                remedy: "Set XDG_STATE_HOME to a directory on a local disk.")
        }
    }

    private func failure(_ what: String, remedy: String) -> NotificationError {
        // Keep the number: making a text may change `errno`.
        let reason = errno
        return NotificationError(
            reason == ENOSPC || reason == EDQUOT ? .noSpace : .storeUnavailable,
            "The store directory \(path.quotedForMessage()) \(what): "
                + "\(String(cString: strerror(reason))). \(remedy)")
    }

    private func refusal(_ what: String, remedy: String) -> NotificationError {
        NotificationError(
            .storeUnavailable,
            "The store directory \(path.quotedForMessage()) is refused: it \(what). \(remedy)")
    }
}

/// The paths of one store: the database, its lock and the attachments in one private directory.
public struct StoreLayout: Hashable, Sendable {
    /// The absolute path of the directory.
    public let directory: String

    /// Makes the layout of a directory.
    public init(directory: String) {
        self.directory = directory
    }

    /// The database.
    public var database: String { directory + "/center.sqlite" }
    /// The file that a process locks while it uses the store.
    public var lock: String { directory + "/center.lock" }
    /// The database's write-ahead log.
    package var log: String { database + "-wal" }
    /// The entries of the database's schema.
    package var schema: String { directory + "/center.schema" }
    /// The file that exists while a process has the database open; see `OpenMark`.
    package var openMark: String { directory + "/center.open" }
    /// The copy of a damaged database that a rescue reads.
    var image: String { database + ".image" }
    /// The new database in which a rescue collects the rows.
    package var collected: String { database + ".new" }
    /// The first damaged database that was kept because it could not be read whole.
    package var damaged: String { database + ".damaged-1" }
    /// The file of the reserve, which is removed when the disk is full.
    package var reserve: String { directory + "/center.reserve" }
    /// The marks of notifications that were shown while the database could not be written.
    var marks: String { directory + "/center.shown" }
    /// The directory of the store's copies of attachments.
    public var attachments: String { directory + "/attachments" }
}
