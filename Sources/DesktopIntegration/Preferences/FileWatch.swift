internal import Glibc
internal import Reactor

/// Watches one file of settings, which programs exchange for another by renaming (inotify(7)).
///
/// On the reactor's thread only. The file itself and not its folder, so that what happens to the
/// other files there wakes nobody; its folder only while there is no such file.
final class FileWatch {
    private static let changed = UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    private static let appeared = UInt32(IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)

    private let path: String
    private let folder: String
    private let report: () -> Void
    private let reactor: Reactor
    private let descriptor: Int32
    private var isFollowed: Int32 = -1
    private var watch: DescriptorWatch?

    /// Starts to watch; `report` is told that the file may have changed.
    ///
    /// Nil where no inotify instance is free: a person has 128.
    init?(_ path: String, reactor: Reactor, report: @escaping () -> Void) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        self.path = path
        folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        self.reactor = reactor
        self.report = report
        follow()
        watch = reactor.watch(descriptor, for: .readable) { [weak self] _ in self?.read() }
    }

    deinit {
        // In this order on the reactor's thread: poll must not meet a closed descriptor.
        watch = nil
        let descriptor = descriptor
        if descriptor >= 0 { reactor.perform { close(descriptor) } }
    }

    private func follow() {
        if isFollowed >= 0 { inotify_rm_watch(descriptor, isFollowed) }
        isFollowed = inotify_add_watch(descriptor, path, Self.changed)
        guard isFollowed < 0 else { return }
        isFollowed = inotify_add_watch(descriptor, folder, Self.appeared)
        // It may have come in between.
        if access(path, F_OK) == 0 {
            inotify_rm_watch(descriptor, isFollowed)
            isFollowed = inotify_add_watch(descriptor, path, Self.changed)
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        follow()
        // The end of the former watch is an event of its own, and says nothing.
        while Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        report()
    }
}
