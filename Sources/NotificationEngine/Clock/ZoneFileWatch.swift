internal import Foundation
internal import Logging
internal import NotificationModel
internal import Reactor

/// Watches `/etc`, where the person's zone is named, and the folders of tzdata.
///
/// On the reactor's thread only, which `Reactor` checks. Folders and not files, because files and
/// links are exchanged.
final class ZoneFileWatch {
    /// An upgrade of tzdata exchanges hundreds of files: they are read when no more come.
    private static let quietTime: Duration = .seconds(1)
    private static let events: PathEvents = [.movedIn, .created, .written]

    private let reactor: Reactor
    private let report: (ClockEvent) -> Void
    private var watches: [PathWatch] = []
    private var pause: Deadline?

    /// Starts to watch; `report` is told what may have changed.
    init(
        zone: LocalTimeZone, folders: [String], reactor: Reactor,
        report: @escaping (ClockEvent) -> Void
    ) {
        self.reactor = reactor
        self.report = report
        if !zone.isFixed { add("/etc") { report(.timeZoneChanged) } }
        for folder in folders { addZones(folder) }
        guard !watches.allSatisfy(\.isFollowing) else { return }
        Log.engine.warning(
            "no inotify instance is free; a change of the time zone is not seen until one is")
    }

    /// Watches a folder and those in it, such as `Europe`.
    private func addZones(_ folder: String) {
        let changed = { [weak self] in _ = self?.waitForQuiet() }
        guard add(folder, changed) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Two more copies of everything (tzselect(8), "Files").
        for name in names where name != "posix" && name != "right" {
            add(folder + "/" + name, changed)
        }
    }

    /// False where there is no such folder: most of what lies among the zones is a file.
    @discardableResult
    private func add(_ folder: String, _ changed: @escaping () -> Void) -> Bool {
        let watch = try? reactor.watch(folder: folder, for: Self.events) { _ in changed() }
        guard let watch else { return false }
        watches.append(watch)
        return true
    }

    private func waitForQuiet() {
        pause?.cancel()
        pause = reactor.deadline(after: Self.quietTime) { [weak self] in
            self?.report(.zoneDataChanged)
        }
    }
}
