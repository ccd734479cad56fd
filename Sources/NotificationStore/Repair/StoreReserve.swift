internal import Foundation
internal import Glibc
internal import Logging
import NotificationModel
internal import Reactor

/// Space on the disk that is kept so that what is stored already can fire on a full disk.
///
/// It is given up when SQLite finds the disk full. From then on new requests are refused, until
/// there is room for the reserve again.
final class StoreReserve: Sendable {
    private let path: String
    private let size: Int
    private let isHeld: Locked<Bool>

    init(path: String, size: Int) {
        self.path = path
        self.size = size
        isHeld = Locked(Self.take(path, size))
    }

    /// Whether new rows may be added; where the reserve was given up, it is first taken again.
    func isThereRoom() -> Bool {
        isHeld.withLock { isHeld in
            // Twice the size, or what was just given up would be taken back at once.
            if !isHeld, Self.freeSpace(path) >= 2 * size { isHeld = Self.take(path, size) }
            return isHeld
        }
    }

    /// Whether less is free than is kept.
    var isDiskFull: Bool { Self.freeSpace(path) < size }

    /// Why new rows are refused, and how much has to be freed.
    func refusal(of store: String) -> NotificationError {
        let missing = max(1, (2 * size - Self.freeSpace(path) + (1 << 20) - 1) >> 20)
        return NotificationError(
            .noSpace,
            "The store \(store.quotedForMessage()) could not be changed: the disk is full. Nothing "
                + "was changed; free at least \(missing) MB and try again.")
    }

    /// Gives the space up; false where that was done before.
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

    private static func take(_ path: String, _ size: Int) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        // A file system that cannot set space aside goes without.
        let failure = posix_fallocate(file, 0, off_t(size))
        guard failure == ENOSPC || failure == EDQUOT else { return true }
        unlink(path)
        return false
    }
}
