import DesktopBus
import Foundation
import Glibc
import TestSupport

/// A bus that accepts a connection, and reads from it, only when the test asks for that.
final class RawBus: Sendable {
    let address: BusAddress
    private let path: String
    private let listener: Int32

    /// The answer to Hello, which gives the name `:1.1`.
    private static let greeting = Array(
        """
        l\u{2}\u{1}\u{1}\u{9}\0\0\0\u{1}\0\0\0/\0\0\0\
        \u{5}\u{1}u\0\u{1}\0\0\0\
        \u{7}\u{1}s\0\u{14}\0\0\0org.freedesktop.DBus\0\0\0\0\
        \u{8}\u{1}g\0\u{1}s\0\0\
        \u{4}\0\0\0:1.1\0
        """.utf8)

    /// Listens; at most `backlog` + 1 connections can wait until the test accepts them.
    init(backlog: Int32) throws {
        path = "/tmp/raw-\(UUID().uuidString.prefix(8))"
        address = try BusAddress(socketPath: path)
        listener = Self.socket()
        let bound = Self.withAddress(of: path) { [listener] in bind(listener, $0, $1) }
        guard bound == 0, listen(listener, backlog) == 0 else {
            throw HarnessError("no socket at \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(listener)
        unlink(path)
    }

    /// Connects until no further connection may wait; returns the number of connections.
    func fillBacklog() -> Int {
        var count = 0
        while true {
            let end = Self.socket(SOCK_NONBLOCK.rawValue)
            defer { close(end) }
            let result = Self.withAddress(of: path) { Glibc.connect(end, $0, $1) }
            guard result == 0 else { return count }
            count += 1
        }
    }

    /// Accepts connections and closes them.
    func drop(_ count: Int) {
        for _ in 0..<count { close(accept(listener, nil, nil)) }
    }

    /// Accepts a connection, authenticates, and answers Hello.
    ///
    /// - Returns: The bus's end of the connection; nil if the program closes its end.
    func acceptAndGreet() async -> Int32? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [listener] in
                let end = accept(listener, nil, nil)
                continuation.resume(returning: Self.greet(end) ? end : nil)
            }
        }
    }

    private static func greet(_ end: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(end, &bytes, bytes.count), count > 0 {
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            var answer: [UInt8] = []
            if text.contains("AUTH") {
                answer = Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8)
            } else if text.contains("NEGOTIATE_UNIX_FD") {
                answer = Array("AGREE_UNIX_FD\r\n".utf8)
            } else if text.contains("BEGIN") {
                answer = greeting
            }
            guard write(end, answer, answer.count) == answer.count else { break }
            if text.contains("BEGIN") { return true }
        }
        close(end)
        return false
    }

    private static func socket(_ flags: UInt32 = 0) -> Int32 {
        Glibc.socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags), 0)
    }

    private static func withAddress(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
