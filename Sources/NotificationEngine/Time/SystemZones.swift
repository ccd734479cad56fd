internal import Foundation
internal import Logging
internal import NotificationModel
package import NotificationSchedule
internal import Reactor

/// The zones of the system's tzdata, which all threads of a process share.
///
/// The daemon makes one object, and passes it to all code that computes dates.
public final class SystemZones: Sendable {
    private let directory: Locked<ZoneDirectory>
    private let files: ZoneFiles

    /// Makes the zones; if the environment has `TZDIR`, they come from that folder.
    public convenience init(environment: [String: String]) {
        self.init(environment: environment, files: .system)
    }

    init(environment: [String: String], files: ZoneFiles) {
        self.files = files
        directory = Locked(
            ZoneDirectory(environment: environment, files: files) { sentence in
                Log.engine.warning("\(sentence)")
            })
    }

    /// The rules of a zone; nil if the zone cannot be used.
    package func rules(named name: String) -> ZoneRules? {
        directory.withLock { $0.rules(named: name) }
    }

    /// The rules of a zone; if the zone cannot be used, logs this once and returns UTC.
    package func rulesOrUTC(named name: String) -> ZoneRules {
        directory.withLock { $0.rulesOrUTC(named: name) }
    }

    /// Identifies the system's tzdata; the version changes when rules of zones change.
    var version: String { directory.withLock(\.version) }

    var folders: [String] { directory.withLock(\.folders) }

    /// Reads the files again, and returns whether a zone in use has other rules.
    func refresh() -> Bool {
        directory.withLock { !$0.refresh().isEmpty }
    }

    /// The zone that `TZ` names; nil if `TZ` is unset or names no usable zone.
    func fixedName(environment: [String: String]) -> String? {
        directory.withLock { LocalZone.fixed(environment: environment, directory: &$0) }
    }

    /// The IANA name of the user's current zone; the engine's clock reads the same name.
    public func localName(environment: [String: String]) -> String {
        fixedName(environment: environment) ?? systemName()
    }

    func systemName() -> String {
        directory.withLock { LocalZone.ofSystem(files: files, directory: &$0) }
    }
}

/// The name of the user's zone, as `LocalZone` finds it.
///
/// `identifier(at:)` reads the system's files at most once a second.
final class LocalTimeZone: Sendable {
    private static let lifetime: Int64 = 1_000_000

    private let zones: SystemZones
    private let fixed: String?
    private let cached = Locked(Cache())

    private struct Cache {
        var name = "UTC"
        var until = Int64.min
        /// The name that the last refresh found; before the first refresh, the name of the first
        /// lookup.
        var lastReported: String?
    }

    init(environment: [String: String], zones: SystemZones) {
        self.zones = zones
        fixed = zones.fixedName(environment: environment)
        if fixed == nil, let name = environment["TZ"] {
            Log.engine.warning(
                """
                There is no zone data for \(name.quotedForMessage()), which TZ names: times are \
                in the zone of the system. Install tzdata, or set TZ to a zone that is installed.
                """)
        }
    }

    /// Whether the name cannot change while the program runs.
    var isFixed: Bool { fixed != nil }

    /// Looks the name up now, and returns whether it has changed since the last refresh.
    ///
    /// A call of `identifier(at:)` between two refreshes does not hide the change.
    func refresh(at moment: Int64) -> Bool {
        guard fixed == nil else { return false }
        let name = zones.systemName()
        return cached.withLock { cache in
            let lastReported = cache.lastReported
            cache = Cache(name: name, until: moment + Self.lifetime, lastReported: name)
            return lastReported != name
        }
    }

    /// The name at a time of the boot-time clock, in microseconds.
    func identifier(at moment: Int64) -> String {
        if let fixed { return fixed }
        return cached.withLock { cache in
            if moment >= cache.until {
                let name = zones.systemName()
                cache = Cache(
                    name: name, until: moment + Self.lifetime,
                    lastReported: cache.lastReported ?? name)
            }
            return cache.name
        }
    }
}

/// Watches `/etc`, which names the user's zone, and the folders of tzdata.
///
/// It works on the reactor's thread only; `Reactor` checks that. It watches folders, because an
/// upgrade replaces files and links.
final class ZoneFileWatch {
    /// The pause after the last change, before the files are read.
    ///
    /// An upgrade of tzdata replaces hundreds of files. With the pause, the files are read once.
    private static let quietTime: Duration = .seconds(1)
    private static let events: PathEvents = [.movedIn, .created, .written]

    private let reactor: Reactor
    private let report: (ClockEvent) -> Void
    private var watches: [PathWatch] = []
    private var pause: Deadline?

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
            """
            no inotify instance is free; until an instance is free, changes of the time zone are \
            not noticed
            """)
    }

    /// Watches a folder and its subfolders, such as `Europe`, but not their subfolders.
    ///
    /// The watched folders are enough: each upgrade of tzdata also changes files in them.
    private func addZones(_ folder: String) {
        let changed = { [weak self] in _ = self?.waitForQuiet() }
        guard add(folder, changed) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // `posix` and `right` have further copies of all zones (tzselect(8), "Files").
        for name in names where name != "posix" && name != "right" {
            add(folder + "/" + name, changed)
        }
    }

    /// Watches a folder; returns false if it cannot be watched, for example because it is a file.
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
