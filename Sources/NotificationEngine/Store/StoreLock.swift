internal import CLinux
internal import Glibc
import NotificationModel
internal import Synchronization

/// Holds a store for this process.
///
/// An open-file-description lock ends with the process however it ends, so that neither a stale
/// file nor a reused process id can keep a store locked (fcntl(2), "Open file description locks").
final class StoreLock: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes the lock, or fails at once with `storeLocked` where another process has it.
    init(path: String) throws(NotificationError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw NotificationError(
                .storeUnavailable,
                "The lock file \(path.quotedForMessage()) cannot be opened: "
                    + "\(String(cString: strerror(errno))). Check the permissions of its directory."
            )
        }
        guard clinux_lock_file(descriptor) == 0 else {
            let reason = errno
            close(descriptor)
            if reason == EAGAIN || reason == EACCES {
                throw NotificationError(
                    .storeLocked,
                    "The store of \(path.quotedForMessage()) is in use by another process. Wait "
                        + "until that process has ended, or stop it.")
            }
            throw NotificationError(
                .storeUnavailable,
                "The store of \(path.quotedForMessage()) cannot be locked: "
                    + "\(String(cString: strerror(reason))).")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Lets another process have the store.
    func release() {
        let descriptor = descriptor.withLock { $0.take() }
        guard let descriptor else { return }
        // Said and not left to the close: a process that is just being started has a copy of the
        // descriptor until its exec, and would keep the lock.
        clinux_unlock_file(descriptor)
        close(descriptor)
    }
}
