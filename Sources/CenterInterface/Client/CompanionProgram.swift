internal import CLinux
internal import Glibc
public import NotificationModel

/// A program in the directory of this one, as a child that says something line by line.
///
/// It ends with this program, also where that is killed. Use it on one thread.
public final class CompanionProgram {
    private let path: String
    private let process: Int32
    private let output: Int32
    private var bytes: [UInt8] = []
    private var position = 0
    private var hasEnded = false

    /// Starts the program of this name with these arguments.
    public init(
        _ name: String, _ arguments: [String], environment: [String: String]
    ) throws(NotificationError) {
        path = Self.beside(name) ?? name
        guard clinux_is_secure() == 0, getuid() == geteuid() else {
            throw NotificationError(
                .noDaemon,
                "A program with special rights starts no other. Run it as the user it is for.")
        }
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var output: Int32 = -1
        process = clinux_start_piped(
            path, Self.block([path] + arguments), Self.block(variables), &output)
        self.output = output
        guard process > 0 else {
            hasEnded = true
            throw NotificationError(
                .noDaemon,
                "The program \(path.quotedForMessage()) could not be started: "
                    + "\(String(cString: strerror(-process))). It belongs into the directory of "
                    + "this one; install Tocsin again.")
        }
    }

    deinit {
        if !hasEnded { _ = end() }
    }

    /// The next line, without its end; nil when there are no more.
    public func nextLine() -> [UInt8]? {
        while true {
            if let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return Array(bytes[position..<end])
            }
            bytes.removeFirst(position)
            position = 0
            guard readMore() else {
                defer { bytes = [] }
                return bytes.isEmpty ? nil : bytes
            }
        }
    }

    /// Hears no more of it, and waits for its end; its exit status.
    @discardableResult
    public func end() -> Int32 {
        hasEnded = true
        close(output)
        return clinux_reap_worker(process)
    }

    /// The path of a program that others start: beside this one, or where packages put such.
    package static func installed(_ name: String) -> String? {
        guard clinux_is_secure() == 0, getuid() == geteuid() else { return nil }
        let places = [
            beside(name), beside("../libexec/" + name), "/usr/local/libexec/" + name,
            "/usr/libexec/" + name,
        ]
        return places.lazy.compactMap(\.self).first { access($0, X_OK) == 0 }
    }

    /// The path of a program in the directory of this one.
    static func beside(_ name: String) -> String? {
        let capacity = Int(PATH_MAX)
        var buffer = [CChar](repeating: 0, count: capacity)
        let length = readlink("/proc/self/exe", &buffer, capacity)
        guard length > 0, length < capacity else { return nil }
        let path = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + name
    }

    private func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(output, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            bytes += chunk[..<count]
            return true
        }
    }

    /// Each text ends with NUL; the C string's own NUL ends the block.
    private static func block(_ texts: [String]) -> String {
        texts.map { $0 + "\0" }.joined()
    }
}
