internal import Glibc
internal import Reactor

/// Standard error of a daemon; a write never waits for the reader.
///
/// A full pipe would block the engine's thread, so a message that does not fit is dropped. The next
/// message that fits says how many were dropped.
struct StandardErrorStream: TextOutputStream, Sendable {
    /// A writable pipe takes this many bytes at once (pipe(7), `PIPE_BUF`).
    private static let longestMessage = 4_096

    private let dropped = Locked(0)

    func write(_ message: String) {
        let count = dropped.withLock { $0 }
        guard write(bytes: Self.line(message, dropped: count)) else {
            dropped.withLock { $0 += 1 }
            return
        }
        if count > 0 { dropped.withLock { $0 -= count } }
    }

    private static func line(_ message: String, dropped: Int) -> [UInt8] {
        let report = dropped > 0 ? "\(dropped) messages were dropped: nobody read them\n" : ""
        let bytes = Array((report + message).utf8)
        guard bytes.count > longestMessage else { return bytes }
        return bytes.prefix(longestMessage - 1) + [UInt8(ascii: "\n")]
    }

    private func write(bytes: [UInt8]) -> Bool {
        var slot = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&slot, 1, 0) == 1, slot.revents & Int16(POLLOUT) != 0 else { return false }
        var count = -1
        repeat {
            count = Glibc.write(STDERR_FILENO, bytes, bytes.count)
        } while count < 0 && errno == EINTR
        return count >= 0
    }
}
