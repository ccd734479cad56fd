internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// The program behind a connection, as the kernel knows it.
///
/// Nothing here blocks: what a program in a sandbox has put into the way is not opened.
struct CallerProgram {
    /// What can be said of a process number after it was looked at.
    enum Sameness: Hashable {
        /// It was the caller's all the time.
        case sure
        /// It began so shortly before that only the bus can tell, by whether its connection is
        /// still there.
        case young
        /// It belongs to another process, or to none.
        case other
    }

    /// The process at the time when it connected.
    var process: UInt32
    /// The process itself, where the bus gives it away: then its number cannot mean another.
    var handle: BusDescriptor?
    /// Where processes are found; another place in tests.
    var root = "/proc"

    private let shortage = Shortage()

    /// Whether something could not be opened because there was no descriptor for it: then what was
    /// found out means nothing.
    var lacksDescriptors: Bool { shortage.isMet }

    /// Noted by what only looks.
    private final class Shortage {
        var isMet = false
    }

    private static let namespaces = ["ns/mnt", "ns/pid", "ns/user", "root"]

    /// The moment from which on no process can be that of a call that is here already, in clock
    /// ticks since the machine's start.
    static func now() -> UInt64 {
        let time = timespec.now(on: CLOCK_BOOTTIME)
        let ticks = UInt64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        return UInt64(time.tv_sec) * ticks + UInt64(time.tv_nsec) * ticks / 1_000_000_000
    }

    /// Whether the process is the caller's still; `asked` is a moment at which its call was here.
    func sameness(asked: UInt64) -> Sameness {
        if let handle {
            let hasEnded = handle.withDescriptor { descriptor in
                var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                return Glibc.poll(&poll, 1, 0) != 0
            }
            return hasEnded ? .other : .sure
        }
        guard let start = startTime, start <= asked else { return .other }
        return start < asked ? .sure : .young
    }

    /// What the kernel says of it, beside what the bus said.
    func facts(user: UInt32?, label: [UInt8]?) -> CallerFacts {
        var facts = CallerFacts(user: user)
        facts.label = label.map { String(decoding: $0, as: UTF8.self) } ?? ""
        facts.executable = link("\(process)/exe") ?? ""
        facts.controlGroups = text("\(process)/cgroup") ?? ""
        facts.sharesOurWorld = Self.namespaces.allSatisfy { name in
            let theirs = link("\(process)/\(name)")
            return theirs != nil && theirs == link("self/\(name)")
        }
        facts.flatpak = flatpak(sharesOurWorld: facts.sharesOurWorld)
        return facts
    }

    /// Source: flatpak-run(1); the peer of a Flatpak on the bus is its proxy, which has the same
    /// file at its root.
    private func flatpak(sharesOurWorld: Bool) -> CallerFacts.Flatpak {
        // A file system of the sandbox's own could make us wait for ever.
        guard sharesOurWorld || !hasForeignRoot else { return .info(nil) }
        let folder = noting(
            open("\(root)/\(process)/root", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard folder >= 0 else { return sharesOurWorld ? .none : .info(nil) }
        defer { close(folder) }
        let name = String(FlatpakInfo.path.dropFirst())
        let file = noting(
            openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY))
        guard file >= 0 else { return errno == ENOENT ? .none : .info(nil) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Limits.sandboxFile.contains(status.st_size)
        else { return .info(nil) }
        return .info(Self.read(file, upTo: Limits.sandboxFile.most))
    }

    /// Whether its root, or the file there, is on a file system that a program serves (FUSE).
    ///
    /// Source: proc(5), `/proc/[pid]/mountinfo`.
    private var hasForeignRoot: Bool {
        guard let mounts = text("\(process)/mountinfo", upTo: 1 << 20) else { return true }
        return mounts.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { return false }
            return (fields[4] == "/" || fields[4] == FlatpakInfo.path)
                && fields[dash + 1].hasPrefix("fuse")
        }
    }

    /// When the process began, in clock ticks since the machine's start.
    private var startTime: UInt64? { statistic(22).flatMap { UInt64($0) } }

    /// Whether a signal or a debugger has stopped the process.
    var isStopped: Bool { ["T", "t"].contains(statistic(3)) }

    /// A field of `/proc/[pid]/stat` behind the program's name, by its number in proc(5).
    private func statistic(_ number: Int) -> Substring? {
        guard let line = text("\(process)/stat"), let end = line.lastIndex(of: ")") else {
            return nil
        }
        return line[end...].split(separator: " ").dropFirst(number - 2).first
    }

    private func noting(_ descriptor: Int32) -> Int32 {
        if descriptor < 0, errno == EMFILE || errno == ENFILE { shortage.isMet = true }
        return descriptor
    }

    private func link(_ name: String) -> String? { SymbolicLink.target(of: "\(root)/\(name)") }

    private func text(_ name: String, upTo limit: Int = 16_384) -> String? {
        let descriptor = noting(open("\(root)/\(name)", O_RDONLY | O_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return Self.read(descriptor, upTo: limit)
    }

    private static func read(_ descriptor: Int32, upTo limit: Int) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < limit {
            let count = Glibc.read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
