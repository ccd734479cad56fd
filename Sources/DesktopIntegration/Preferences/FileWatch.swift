internal import Reactor

/// Watches one file of settings, which programs exchange for another by renaming.
///
/// On the reactor's thread only. The file itself and not its folder, so that what happens to the
/// other files there wakes nobody; its folder only while there is no such file.
final class FileWatch {
    private static let changed: PathEvents = [
        .written, .attributesChanged, .selfDeleted, .selfMoved,
    ]
    private static let appeared: PathEvents = [.movedIn, .created]

    private let path: String
    private let folder: String
    private let report: () -> Void
    private let reactor: Reactor
    private var watch: PathWatch?

    /// Starts to watch; `report` is told that the file may have changed.
    init(_ path: String, reactor: Reactor, report: @escaping () -> Void) {
        self.path = path
        folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        self.reactor = reactor
        self.report = report
        follow()
    }

    /// Whether changes are reported; until they are, what was read of the file may be old.
    var isFollowing: Bool { watch?.isFollowing ?? false }

    private func follow() {
        watch = watchFile()
        guard watch == nil else { return }
        watch = try? reactor.watch(folder: folder, for: Self.appeared) { [weak self] _ in
            self?.read()
        }
        // It may have come in between.
        if let file = watchFile() { watch = file }
    }

    /// Nil where there is no such file.
    private func watchFile() -> PathWatch? {
        try? reactor.watch(file: path, for: Self.changed) { [weak self] _ in self?.read() }
    }

    private func read() {
        follow()
        report()
    }
}
