internal import Glibc
package import Reactor

/// Identifies the store's files, to find out whether they are still in their places.
///
/// SQLite reports no error when the files of an open database are removed or replaced. All later
/// changes are lost when the process ends.
final class StorePlace: Sendable {
    private struct Identity: Hashable {
        var device: dev_t
        var number: ino_t
    }

    private let paths: [String]
    private let identities = Locked<[Identity?]>([])

    init(paths: [String]) {
        self.paths = paths
    }

    /// Records the files that are at the paths now as the store's files.
    func recordIdentities() {
        let found = paths.map(Self.identity)
        identities.withLock { $0 = found }
    }

    /// Whether all files are in their places.
    var isIntact: Bool {
        let known = identities.withLock { $0 }
        return zip(known, paths).allSatisfy { $0 == Self.identity($1) }
    }

    func isOurs(_ path: String) -> Bool {
        let known = identities.withLock { $0 }
        return paths.firstIndex(of: path).map { known[$0] == Self.identity(path) } ?? false
    }

    private static func identity(_ path: String) -> Identity? {
        StoreDirectory.status(of: path).map { Identity(device: $0.st_dev, number: $0.st_ino) }
    }
}

/// Reports changes of a store's files, so that removed files are written again at once.
///
/// Use the watch only on the reactor's thread.
package final class StoreWatch {
    private static let events: PathEvents = [
        .created, .deleted, .movedIn, .movedOut, .selfDeleted, .selfMoved,
    ]

    private let directory: String
    private let reactor: Reactor
    private let report: () -> Void
    private var watch: PathWatch?

    package init(_ directory: String, reactor: Reactor, report: @escaping () -> Void) {
        self.directory = directory
        self.reactor = reactor
        self.report = report
        follow()
    }

    /// Whether the watch notices at once that the store was removed.
    package var isFollowing: Bool { watch?.isFollowing ?? false }

    /// Watches the directory that is at the path now, and stops watching a former directory.
    package func follow() {
        // Without a watch, the engine writes removed files again when it next changes the store.
        watch = try? reactor.watch(folder: directory, for: Self.events) { [report] _ in report() }
    }
}
