internal import Foundation
internal import Logging
internal import NotificationSchedule
internal import Reactor

/// The zones of the system's tzdata, which all threads of this process share.
final class SystemZones: Sendable {
    /// As libc has it, one table of zones for a process; `TZDIR` is read at its first use.
    static let shared = SystemZones(environment: ProcessInfo.processInfo.environment)

    private let directory: Locked<ZoneDirectory>
    private let files: ZoneFiles

    /// Makes a table whose first look is into these files.
    init(environment: [String: String], files: ZoneFiles = .system) {
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

    /// The zone that the system's files name.
    func systemName() -> String {
        directory.withLock { PersonsZone.ofSystem(files: files, directory: &$0) }
    }
}
