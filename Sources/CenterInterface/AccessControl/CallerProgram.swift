internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// The program behind a connection, as the kernel knows it.
///
/// It tells whether the process number still belongs to the caller, and reads facts from `/proc`.
/// Reading the facts can hang if `sharesOurWorld` is false, because a sandbox can serve its own
/// files.
struct CallerProgram {
    enum Sameness: Hashable {
        /// Since the connection was opened, the number has belonged to the caller.
        case sure
        /// The process began in the clock tick in which the connection was first seen, so its
        /// number may have been reused. Only the bus knows whether the connection still exists.
        case young
        /// The number belongs to another process or to no process.
        case other
    }

    /// The number of the process when it connected.
    var process: UInt32
    /// A pidfd of the process, if the bus gives one.
    ///
    /// Unlike the number, a pidfd never refers to another process.
    var handle: BusDescriptor?
    /// The path of procfs; tests use another folder.
    var root = "/proc"

    private let shortage = Locked(false)

    /// True if no descriptor was free to open a file; the facts are incomplete then and must not be
    /// used.
    var lacksDescriptors: Bool { shortage.withLock { $0 } }

    private static let namespaces = ["ns/mnt", "ns/pid", "ns/user", "root"]

    /// The current time, in clock ticks since the machine's start.
    ///
    /// A process that begins later cannot be the caller of a call that has already arrived.
    static func now() -> UInt64 {
        let time = timespec.now(on: CLOCK_BOOTTIME)
        let ticks = UInt64(max(sysconf(Int32(_SC_CLK_TCK)), 1))
        return UInt64(time.tv_sec) * ticks + UInt64(time.tv_nsec) * ticks / 1_000_000_000
    }

    /// Whether the process number still means the process that opened the caller's connection.
    ///
    /// `asked` is a time in clock ticks at which the connection already existed.
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

    func facts(user: UInt32?, label: [UInt8]?, sharesOurWorld: Bool) -> CallerFacts {
        var facts = CallerFacts(user: user)
        facts.label = label.map { String(decoding: $0, as: UTF8.self) } ?? ""
        facts.executable = link("\(process)/exe") ?? ""
        facts.controlGroups = text("\(process)/cgroup") ?? ""
        facts.sharesOurWorld = sharesOurWorld
        facts.flatpak = flatpak(sharesOurWorld: sharesOurWorld)
        return facts
    }

    /// Whether the program sees the same files, processes and users as this process; false if
    /// unknown.
    var sharesOurWorld: Bool {
        Self.namespaces.allSatisfy { name in
            let theirs = link("\(process)/\(name)")
            return theirs != nil && theirs == link("self/\(name)")
        }
    }

    /// Reads `/.flatpak-info` in the root folder of the process.
    ///
    /// A Flatpak reaches the bus through a proxy, which has the same file in its root folder
    /// (flatpak-run(1)).
    private func flatpak(sharesOurWorld: Bool) -> CallerFacts.Flatpak {
        // A file system that the sandbox itself serves could make the read wait forever. The check
        // does not find a mount that is made later, or an overlay of such a file system.
        guard sharesOurWorld || !hasForeignRoot else { return .info(nil) }
        // Prefer our own root folder: the process's root folder may become that of a sandbox now.
        let owner = sharesOurWorld ? "self" : "\(process)"
        let folder = recordingShortage(
            open("\(root)/\(owner)/root", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard folder >= 0 else { return sharesOurWorld ? .none : .info(nil) }
        defer { close(folder) }
        let name = String(FlatpakInfo.path.dropFirst())
        let file = recordingShortage(
            openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY))
        guard file >= 0 else { return errno == ENOENT ? .none : .info(nil) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Limits.sandboxFile.contains(status.st_size)
        else { return .info(nil) }
        return .info(Self.read(file, upTo: Limits.sandboxFile.most))
    }

    /// Whether FUSE serves the process's root folder or its `/.flatpak-info`; true if unknown.
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

    /// A field of `/proc/[pid]/stat` after the program's name, by its number in proc(5).
    private func statistic(_ number: Int) -> Substring? {
        guard let line = text("\(process)/stat"), let end = line.lastIndex(of: ")") else {
            return nil
        }
        return line[end...].split(separator: " ").dropFirst(number - 2).first
    }

    private func recordingShortage(_ descriptor: Int32) -> Int32 {
        if descriptor < 0, errno == EMFILE || errno == ENFILE {
            shortage.withLock { $0 = true }
        }
        return descriptor
    }

    private func link(_ name: String) -> String? { SymbolicLink.target(of: "\(root)/\(name)") }

    private func text(_ name: String, upTo limit: Int = 16_384) -> String? {
        let descriptor = recordingShortage(open("\(root)/\(name)", O_RDONLY | O_CLOEXEC))
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
