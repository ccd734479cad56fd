internal import Glibc
internal import NotificationModel

/// The program behind a call, as the kernel knows it.
///
/// Nothing that came over the bus is ever executed but the very program that sent it. A caller that
/// sees other files, other processes or other users than we do is in a sandbox, and so is one of
/// which that cannot be told: its path means nothing here, or something else, so it is not started
/// by it. Its arguments are its own affair: they go to nobody but itself.
struct CallerProgram {
    /// The process, while its connection lives.
    var process: UInt32
    /// Where processes are found; another place in tests.
    var root = "/proc"

    private static let namespaces = ["mnt", "pid", "user"]

    /// Whether the process runs this program, outside of any sandbox.
    func isRunning(_ executable: String) -> Bool {
        guard let path = link("\(process)/exe") else { return false }
        // What was replaced while it runs is found under its name again.
        return (path == executable || path == executable + " (deleted)") && !isConfined
    }

    /// Whether it is in a sandbox, or may be.
    ///
    /// Sources: proc(5), /proc/[pid]/ns; Flatpak documentation, "/.flatpak-info"; Snap's cgroups.
    var isConfined: Bool {
        let isShared = Self.namespaces.allSatisfy { name in
            let theirs = link("\(process)/ns/\(name)")
            return theirs != nil && theirs == link("self/ns/\(name)")
        }
        let theirRoot = "\(root)/\(process)/root"
        guard isShared, access(theirRoot + "/.flatpak-info", F_OK) != 0 else { return true }
        // snapd's groups are called so in every version.
        return text("\(process)/cgroup").map { $0.contains("/snap.") } ?? true
    }

    private func link(_ name: String) -> String? {
        let capacity = Int(PATH_MAX)
        var buffer = [CChar](repeating: 0, count: capacity)
        let length = readlink("\(root)/\(name)", &buffer, capacity)
        guard length > 0, length < capacity else { return nil }
        return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func text(_ name: String) -> String? {
        let descriptor = open("\(root)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
