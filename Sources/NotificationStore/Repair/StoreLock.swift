internal import CLinux
internal import Foundation
internal import Glibc
public import NotificationModel
internal import Reactor

/// Holds a store for this process; the lock file names the session bus that the process serves.
///
/// No matter how a process ends, the kernel releases its open-file-description lock. So neither a
/// stale file nor a reused process id can keep a store locked (fcntl(2), "Open file description
/// locks").
final class StoreLock: Sendable {
    /// How many bytes of a bus address are read at most; every address is shorter.
    private static let maximumLength = 4_096

    private let path: String
    private let bus: String
    private let descriptor: Locked<Int32?>

    /// Takes the lock, or fails at once with `storeLocked` if another process has it.
    init(path: String, bus: String = "") throws(NotificationError) {
        self.path = path
        self.bus = bus
        descriptor = Locked(try Self.acquireLock(path, for: bus))
    }

    /// Takes the lock again if it is not held, or if its file was removed or replaced.
    ///
    /// - Throws: `storeLocked` if another process was faster; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the file cannot be locked.
    func renew() throws(NotificationError) {
        var (held, found) = (stat(), stat())
        let isHeld = descriptor.withLock { descriptor in
            descriptor.map { fstat($0, &held) == 0 } ?? false
        }
        let isThere = lstat(path, &found) == 0
        guard !isHeld || !isThere || (held.st_dev, held.st_ino) != (found.st_dev, found.st_ino)
        else { return }
        let new = try Self.acquireLock(path, for: bus)
        release()
        descriptor.withLock { $0 = new }
    }

    private static func acquireLock(
        _ path: String, for bus: String
    ) throws(NotificationError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = errno
            throw NotificationError(
                reason == ENOSPC || reason == EDQUOT ? .noSpace : .storeUnavailable,
                "The lock file \(path.quotedForMessage()) cannot be opened: "
                    + "\(String(cString: strerror(reason))). Check the permissions of its "
                    + "directory.")
        }
        guard clinux_lock_file(descriptor, 0) == 0 else {
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
        // A full disk must not keep the store from opening. If the write fails, the file names no
        // bus.
        if ftruncate(descriptor, 0) == 0 {
            pwrite(descriptor, Array(bus.utf8), bus.utf8.count, 0)
        }
        return descriptor
    }

    /// The bus that the last holder of a lock served; nil if its file names none.
    static func bus(at path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: maximumLength)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    deinit {
        release()
    }

    /// Releases the store, so that another process can open it.
    func release() {
        let descriptor = descriptor.withLock { $0.take() }
        guard let descriptor else { return }
        // Unlock explicitly: a process that is being started has a copy of the descriptor until its
        // exec. That copy would keep the lock.
        clinux_unlock_file(descriptor)
        close(descriptor)
    }
}

/// Watches a store that another process has locked.
///
/// One thread waits in the kernel for the lock. So waiting costs no wake-ups, and ends when the
/// other process releases the lock or dies.
public final class StoreLockWatch: Sendable {
    private struct State {
        var isWaiting = false
        var handler: Handler?
    }

    private let path: String
    private let state = Locked(State())

    /// Makes a watch; `onRelease` starts to wait.
    public init(_ layout: StoreLayout) {
        path = layout.lock
    }

    /// The address of the bus that the holder of the store serves; nil if it is not known.
    public var bus: String? { StoreLock.bus(at: path) }

    /// Gets nil when no process has the store any more, or an error if the wait fails.
    public typealias Handler = @Sendable (NotificationError?) -> Void

    /// Calls the handler once, on any thread, when no process has the store.
    ///
    /// A nil handler cancels the wait. If the wait fails, the handler gets an error. The caller
    /// then must not wait again, because the next wait would fail in the same way.
    public func onRelease(_ handler: Handler?) {
        let starts = state.withLock { state in
            state.handler = handler
            guard handler != nil, !state.isWaiting else { return false }
            state.isWaiting = true
            return true
        }
        guard starts else { return }
        Thread.detachNewThread { [self] in
            let error = waitForLock()
            let handler = state.withLock { state in
                state.isWaiting = false
                return state.handler.take()
            }
            handler?(error)
        }
    }

    /// Waits for the lock and releases it at once, so that a process can take it and open the
    /// store.
    private func waitForLock() -> NotificationError? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            // Without the file no process has the lock; a process that opens the store makes the
            // file.
            return errno == ENOENT ? nil : failure(errno)
        }
        defer { close(descriptor) }
        guard clinux_lock_file(descriptor, 1) == 0 else { return failure(errno) }
        clinux_unlock_file(descriptor)
        return nil
    }

    private func failure(_ reason: Int32) -> NotificationError {
        NotificationError(
            .storeUnavailable,
            "The store is in use by another process, and waiting for the lock file "
                + "\(path.quotedForMessage()) failed: \(String(cString: strerror(reason))). Check the "
                + "permissions of the file, then start the notification centre again.")
    }
}
