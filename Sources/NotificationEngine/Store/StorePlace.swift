internal import Glibc
internal import Reactor

/// Knows which files are the store's, whether they still lie where they were opened, and whether
/// another program has written into the first of them, the database.
///
/// An open database goes on without an error when its files are removed, replaced or overwritten: all
/// that is written then is lost, when the process ends or when the log is merged into a file of
/// others. Only the store's own process writes the database, so its date tells.
final class StorePlace: Sendable {
    private struct Identity: Hashable {
        var device: dev_t
        var number: ino_t
    }

    /// When a file was written last, and how large it was then.
    private struct Writing: Hashable {
        var seconds: Int
        var nanoseconds: Int
        var size: off_t
    }

    private let paths: [String]
    private let identities = Locked<[Identity?]>([])
    private let ownWriting = Locked<Writing?>(nil)

    /// Follows these files.
    init(paths: [String]) {
        self.paths = paths
    }

    /// The files that lie there now are the store's.
    func note() {
        let found = paths.map(Self.identity)
        identities.withLock { $0 = found }
        noteWriting()
    }

    /// The database was written by this process, or not at all.
    func noteWriting() {
        let writing = paths.first.flatMap(Self.writing)
        ownWriting.withLock { $0 = writing }
    }

    /// Whether another program has written into the database since.
    ///
    /// While this process writes that is known on the thread alone that does.
    var isOverwritten: Bool {
        guard let path = paths.first, let known = ownWriting.withLock({ $0 }) else { return false }
        return isOurs(path) && Self.writing(path) != known
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

    private static func writing(_ path: String) -> Writing? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Writing(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
            size: status.st_size)
    }

    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return Identity(device: status.st_dev, number: status.st_ino)
    }
}

/// Hears that something happens to the files of a store, so that removed ones are written anew
/// although nothing else is written.
///
/// On the reactor's thread only.
final class StoreWatch {
    private static let events: PathEvents = [
        .created, .deleted, .movedIn, .movedOut, .written, .selfDeleted, .selfMoved,
    ]

    private let directory: String
    private let reactor: Reactor
    private let report: () -> Void
    private var watch: PathWatch?

    /// Starts to watch.
    init(_ directory: String, reactor: Reactor, report: @escaping () -> Void) {
        self.directory = directory
        self.reactor = reactor
        self.report = report
        follow()
    }

    /// Whether a removed store is noticed at once.
    var isFollowing: Bool { watch?.isFollowing ?? false }

    /// Watches the directory that lies there now; one that is watched already stays so.
    func follow() {
        // Where none lies there, the store is written anew at the next change.
        watch = try? reactor.watch(folder: directory, for: Self.events) { [report] _ in report() }
    }
}
