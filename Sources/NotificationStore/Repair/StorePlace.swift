internal import Glibc
package import Reactor

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
        StoreDirectory.status(of: path).map { Identity(device: $0.st_dev, number: $0.st_ino) }
    }
}

/// Hears that something happens to the files of a store, so that removed ones are written anew
/// although nothing else is written.
///
/// On the reactor's thread only.
package final class StoreWatch {
    private static let events: PathEvents = [
        .created, .deleted, .movedIn, .movedOut, .selfDeleted, .selfMoved,
    ]

    private let directory: String
    private let reactor: Reactor
    private let report: () -> Void
    private var watch: PathWatch?

    /// Starts to watch.
    package init(_ directory: String, reactor: Reactor, report: @escaping () -> Void) {
        self.directory = directory
        self.reactor = reactor
        self.report = report
        follow()
    }

    /// Whether a removed store is noticed at once.
    package var isFollowing: Bool { watch?.isFollowing ?? false }

    /// Watches the directory that lies there now; one that is watched already stays so.
    package func follow() {
        // Where none lies there, the store is written anew at the next change.
        watch = try? reactor.watch(folder: directory, for: Self.events) { [report] _ in report() }
    }
}
