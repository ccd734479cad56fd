internal import Foundation
internal import Glibc
import NotificationModel

/// A file that exists while a process has the database open.
///
/// If a process is killed, the database, its log and this file all remain. So if this file remains
/// without the log, another program has removed the log.
struct OpenMark {
    /// Damage that was found before the database was opened.
    struct Finding {
        var message: String
        /// Whether SQLite would drop changes that can still be read.
        var needsRescue = false
    }

    let layout: StoreLayout

    private var isSet: Bool { FileManager.default.fileExists(atPath: layout.openMark) }

    /// Marks the database as open; call it when the database has its log.
    func set() throws {
        guard !isSet else { return }
        try StoreDirectory.write(Data("open\n".utf8), to: layout.openMark)
    }

    /// Removes the mark; call it before the log is removed or moved.
    func remove() throws {
        guard unlink(layout.openMark) == 0 else { return }
        try StoreDirectory.flush(layout.directory)
    }

    /// The damage that the files show; nil if all files are intact.
    func finding() throws -> Finding? {
        func size(_ path: String) -> off_t { StoreDirectory.status(of: path)?.st_size ?? 0 }
        guard size(layout.database) > 0 else {
            guard size(layout.schema) > 0 else { return nil }
            return Finding(message: "the store was missing or empty, so a new store was made")
        }
        guard let log = try WriteAheadLog.read(layout.log) else {
            guard isSet else { return nil }
            return Finding(
                message: "the store's log was removed; changes that only the log had may be "
                    + "missing")
        }
        guard log.isDamaged else { return nil }
        return Finding(
            message: "the store's log was damaged; changes in its damaged part may be missing",
            needsRescue: true)
    }
}
