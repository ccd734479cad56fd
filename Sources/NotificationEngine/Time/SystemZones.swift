internal import Foundation
internal import Logging
internal import NotificationModel
internal import NotificationSchedule
internal import Reactor

/// The zones of the system's tzdata, which all threads of a process share.
///
/// The composition root makes one and hands it to everything that computes dates.
public final class SystemZones: Sendable {
    private let directory: Locked<ZoneDirectory>
    private let files: ZoneFiles

    /// Makes the table of a process with this environment, whose `TZDIR` names the folder.
    public convenience init(environment: [String: String]) {
        self.init(environment: environment, files: .system)
    }

    /// Makes a table that reads these files.
    init(environment: [String: String], files: ZoneFiles) {
        self.files = files
        directory = Locked(
            ZoneDirectory(environment: environment, files: files) { sentence in
                Log.engine.warning("\(sentence)")
            })
    }

    /// The rules of a zone; nil where it cannot be used.
    func rules(named name: String) -> ZoneRules? {
        directory.withLock { $0.rules(named: name) }
    }

    /// The rules of a zone; UTC where it cannot be used, which is logged once.
    func rulesOrUTC(named name: String) -> ZoneRules {
        directory.withLock { $0.rulesOrUTC(named: name) }
    }

    /// What tells that the rules of zones are others than before.
    var version: String { directory.withLock(\.version) }

    /// Where the rules of zones lie.
    var folders: [String] { directory.withLock(\.folders) }

    /// Looks at the files again, and says whether a zone that is in use has other rules.
    func refresh() -> Bool {
        directory.withLock { !$0.refresh().isEmpty }
    }

    /// The zone that `TZ` fixes; nil where it is unset or names none.
    func fixedName(environment: [String: String]) -> String? {
        directory.withLock { PersonsZone.fixed(environment: environment, directory: &$0) }
    }

    /// The IANA name of the user's zone now; as the engine's clock has it.
    public func localName(environment: [String: String]) -> String {
        fixedName(environment: environment) ?? systemName()
    }

    /// The zone that the system's files name.
    func systemName() -> String {
        directory.withLock { PersonsZone.ofSystem(files: files, directory: &$0) }
    }
}

/// The name of the person's zone, as `PersonsZone` finds it.
///
/// Looked up again once a second at most, and only when asked.
final class LocalTimeZone: Sendable {
    private static let lifetime: Int64 = 1_000_000

    private let zones: SystemZones
    private let fixed: String?
    private let cached = Locked(Cache())

    private struct Cache {
        var name = "UTC"
        var until = Int64.min
        /// What the last refresh, or the first look, found.
        var told: String?
    }

    /// Makes a look-up for a process of this environment.
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

    /// Whether the name can change while the program runs.
    var isFixed: Bool { fixed != nil }

    /// Looks the name up now, and says whether it is another than at the last call.
    ///
    /// That somebody read the new name meanwhile does not hide the change.
    func refresh(at moment: Int64) -> Bool {
        guard fixed == nil else { return false }
        let name = zones.systemName()
        return cached.withLock { cache in
            let told = cache.told
            cache = Cache(name: name, until: moment + Self.lifetime, told: name)
            return told != name
        }
    }

    /// The name at this moment of the boot-time clock, in microseconds.
    func identifier(at moment: Int64) -> String {
        if let fixed { return fixed }
        return cached.withLock { cache in
            if moment >= cache.until {
                let name = zones.systemName()
                cache = Cache(
                    name: name, until: moment + Self.lifetime, told: cache.told ?? name)
            }
            return cache.name
        }
    }
}

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
