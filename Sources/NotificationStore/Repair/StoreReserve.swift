internal import Foundation
internal import GRDB
internal import Glibc
internal import Logging
import NotificationModel
internal import Reactor

/// Disk space that is kept so that pending requests can still fire on a full disk.
///
/// When SQLite finds the disk full, the store releases this space. The store then refuses new
/// requests until there is room for the reserve again.
final class StoreReserve: Sendable {
    private let path: String
    private let size: Int
    private let isHeld: Locked<Bool>

    init(path: String, size: Int) {
        self.path = path
        self.size = size
        isHeld = Locked(Self.allocate(path, size))
    }

    /// Whether new rows may be added; if there is space, first allocates a released reserve again.
    func isThereRoom() -> Bool {
        isHeld.withLock { isHeld in
            // Require twice the size, so that the reserve does not take back the space that it
            // released for the database.
            if !isHeld, Self.freeSpace(path) >= 2 * size { isHeld = Self.allocate(path, size) }
            return isHeld
        }
    }

    /// Whether the disk, or the user's quota on it, has less space than the reserve takes.
    var isDiskFull: Bool { Self.isFull(path, size) }

    /// Whether SQLite failed at a file because the disk or the user's quota on it is full.
    ///
    /// SQLite reports `SQLITE_FULL` only if a write fails with ENOSPC (os_unix.c, `unixWrite`).
    /// For a used-up quota, or a new file on a full disk, SQLite reports the same errors as for a
    /// broken disk.
    static func isFull(
        _ file: String, after error: DatabaseError, size: Int = StoreLimits().reserve
    ) -> Bool {
        switch error.extendedResultCode {
        case .SQLITE_FULL: true
        case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_SHMSIZE, .SQLITE_CANTOPEN:
            isFull(file, size)
        default: false
        }
    }

    func refusal(of store: String) -> NotificationError {
        let missing = max(1, (2 * size - Self.freeSpace(path) + (1 << 20) - 1) >> 20)
        return NotificationError(
            .noSpace,
            "The store \(store.quotedForMessage()) could not be changed: the disk is full, or your "
                + "quota on it is used up. Nothing was changed; free at least \(missing) MB and try "
                + "again.")
    }

    /// Removes the reserve; returns false if it was removed before.
    func release() -> Bool {
        isHeld.withLock { isHeld in
            guard isHeld else { return false }
            Log.store.error("the disk is full: new requests are refused until there is space")
            unlink(path)
            isHeld = false
            return true
        }
    }

    private static func isFull(_ file: String, _ size: Int) -> Bool {
        // Only an allocation shows the user's quota, and whether btrfs has space for a new file.
        let probe = file + ".probe"
        defer { unlink(probe) }
        return !allocate(probe, size)
    }

    private static func freeSpace(_ path: String) -> Int {
        let directory = (path as NSString).deletingLastPathComponent
        let values = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        return (values?[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    }

    private static func allocate(_ path: String, _ size: Int) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        let failure = file < 0 ? errno : posix_fallocate(file, 0, off_t(size))
        if file >= 0 { close(file) }
        // If the file system cannot set space aside, new rows are accepted without a reserve.
        guard failure == ENOSPC || failure == EDQUOT else { return true }
        unlink(path)
        return false
    }
}
