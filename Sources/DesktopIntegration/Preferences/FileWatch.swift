internal import Reactor

/// Watches one settings file, which programs replace by renaming another file over it.
///
/// Use it on the reactor's thread only. It watches the file and not its folder, so that changes of
/// other files do not wake this process. It watches the folder only while the file does not exist.
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

    /// Starts to watch; calls `report` whenever the file may have changed.
    init(_ path: String, reactor: Reactor, report: @escaping () -> Void) {
        self.path = path
        folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        self.reactor = reactor
        self.report = report
        follow()
    }

    /// Whether changes are reported; if false, a value that was read before may be out of date.
    var isFollowing: Bool { watch?.isFollowing ?? false }

    private func follow() {
        watch = watchFile()
        guard watch == nil else { return }
        watch = try? reactor.watch(folder: folder, for: Self.appeared) { [weak self] _ in
            self?.fileChanged()
        }
        // The file may have appeared before the folder was watched.
        if let file = watchFile() { watch = file }
    }

    /// Watches the file itself; nil if it does not exist.
    private func watchFile() -> PathWatch? {
        try? reactor.watch(file: path, for: Self.changed) { [weak self] _ in self?.fileChanged() }
    }

    private func fileChanged() {
        follow()
        report()
    }
}
