internal import Glibc
internal import Reactor

/// Knows which files are the store's, and whether they still lie where they were opened.
///
/// An open database goes on without an error when its files are removed or replaced: all that is
/// written then is lost when the process ends.
final class StorePlace: Sendable {
    private struct Identity: Hashable {
        var device: dev_t
        var number: ino_t
    }

    private let paths: [String]
    private let identities = Locked<[Identity?]>([])

    /// Follows these files.
    init(paths: [String]) {
        self.paths = paths
    }

    /// The files that lie there now are the store's.
    func note() {
        let found = paths.map(Self.identity)
        identities.withLock { $0 = found }
    }

    /// Whether all files lie in their places.
    var isIntact: Bool {
        let known = identities.withLock { $0 }
        return zip(known, paths).allSatisfy { $0 == Self.identity($1) }
    }

    /// Whether this file is the store's.
    func isOurs(_ path: String) -> Bool {
        let known = identities.withLock { $0 }
        return paths.firstIndex(of: path).map { known[$0] == Self.identity(path) } ?? false
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, number: status.st_ino)
    }
}

/// Hears that something happens to the files of a store (inotify(7)), so that removed ones are
/// written anew although nothing else is written.
///
/// On the reactor's thread only.
final class StoreWatch {
    private static let mask = UInt32(
        IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF
            | IN_ONLYDIR)

    private let directory: String
    private let reactor: Reactor
    private let report: () -> Void
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// Starts to watch; nil where no inotify instance is free: a user has 128.
    init?(_ directory: String, reactor: Reactor, report: @escaping () -> Void) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        self.directory = directory
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

    /// Watches the directory that lies there now; one that is watched already stays so.
    func follow() {
        inotify_add_watch(descriptor, directory, Self.mask)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 12)
        while Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        report()
    }
}
