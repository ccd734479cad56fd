internal import Foundation
internal import Glibc
internal import Logging
import NotificationModel
internal import Reactor

/// Disk space that is kept so that pending requests can still fire on a full disk.
///
/// The store gives it up when SQLite finds the disk full. After that it refuses new requests until
/// there is room for the reserve again.
final class StoreReserve: Sendable {
    private let path: String
    private let size: Int
    private let isHeld: Locked<Bool>

    init(path: String, size: Int) {
        self.path = path
        self.size = size
        isHeld = Locked(Self.allocate(path, size))
    }

    /// Whether new rows may be added; if there is space, it first retakes a released reserve.
    func isThereRoom() -> Bool {
        isHeld.withLock { isHeld in
            // Ask for twice the size, or it would take back the space that it has just given up.
            if !isHeld, Self.freeSpace(path) >= 2 * size { isHeld = Self.allocate(path, size) }
            return isHeld
        }
    }

    /// Whether the disk has less free space than the reserve needs.
    var isDiskFull: Bool { Self.freeSpace(path) < size }

    /// The error that refuses new rows and says how much space to free.
    func refusal(of store: String) -> NotificationError {
        let missing = max(1, (2 * size - Self.freeSpace(path) + (1 << 20) - 1) >> 20)
        return NotificationError(
            .noSpace,
            "The store \(store.quotedForMessage()) could not be changed: the disk is full. Nothing "
                + "was changed; free at least \(missing) MB and try again.")
    }

    /// Gives the space up; false if that was done before.
    func release() -> Bool {
        isHeld.withLock { isHeld in
            guard isHeld else { return false }
            Log.store.error("the disk is full: new requests are refused until there is space")
            unlink(path)
            isHeld = false
            return true
        }
    }

    private static func freeSpace(_ path: String) -> Int {
        let directory = (path as NSString).deletingLastPathComponent
        let values = try? FileManager.default.attributesOfFileSystem(forPath: directory)
        return (values?[.systemFreeSize] as? NSNumber)?.intValue ?? 0
    }

    private static func allocate(_ path: String, _ size: Int) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        // On a file system that cannot set space aside, there is no reserve.
        let failure = posix_fallocate(file, 0, off_t(size))
        guard failure == ENOSPC || failure == EDQUOT else { return true }
        unlink(path)
        return false
    }
}
