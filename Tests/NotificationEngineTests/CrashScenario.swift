import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import Synchronization
import TestSupport

/// A record of the calls that returned to a client, and of the popups sent to the server.
///
/// Each entry is written to disk at once, so that a crash loses no entry.
final class CrashLedger: Sendable {
    enum Entry: String {
        case added
        case removed
        case replaced
        /// The engine asked the server to show the notification.
        case shown
    }

    private let path: String
    private let file: Mutex<FileHandle?>

    init(path: String) throws {
        self.path = path
        try Data().write(to: URL(fileURLWithPath: path))
        file = Mutex(FileHandle(forWritingAtPath: path))
    }

    func record(_ entry: Entry, _ name: String) {
        file.withLock { $0?.write(Data("\(entry.rawValue) \(name)\n".utf8)) }
    }

    /// Returns the recorded names of each kind.
    static func read(_ path: String) throws -> [Entry: [String]] {
        var entries: [Entry: [String]] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let entry = Entry(rawValue: String(words[0])) else { continue }
            entries[entry, default: []].append(String(words[1]))
        }
        return entries
    }

}

/// A presenter that records in a ledger each notification that the engine posts.
final class LedgerPresenter: NotificationPresenter {
    private let ledger: CrashLedger
    private let inner = RecordingPresenter()
    let shown: Recording<Presentation>

    init(_ ledger: CrashLedger) {
        self.ledger = ledger
        shown = inner.presentations
    }

    func start(_ listener: @escaping @Sendable (PresenterEvent) -> Void) async {
        await inner.start(listener)
    }
    func adopt(_ popups: [NotificationKey: PresentedPopup]) async { await inner.adopt(popups) }
    func withdraw(_ keys: [NotificationKey]) { inner.withdraw(keys) }
    func closePopups(of keys: [NotificationKey]) {}

    func closeOldest() {}
    func setBadge(_ count: Int, of app: ApplicationID) {}

    func status() async -> PresenterStatus { await inner.status() }

    func post(_ presentations: [Presentation]) {
        for presentation in presentations {
            ledger.record(.shown, presentation.notification.request.content.title)
            inner.post([presentation])
        }
    }
}

/// The work of an engine until its crash: 200 requests that are due now, and some for later.
///
/// The client removes or replaces the later requests while the engine shows the others.
enum CrashScenario {
    static let count = 200
    static let later = NotificationTrigger.interval(seconds: 3_600, repeats: false)

    static func run(
        directory: String, ledger: CrashLedger, step: @escaping @Sendable (EngineStep) -> Void
    ) async throws {
        let reactor = Reactor.started("crash")
        defer { reactor.stop() }
        var configuration = EngineConfiguration(
            layout: StoreLayout(directory: directory), hosting: "embedded", version: "1",
            zones: .sample)
        configuration.step = step
        let presenter = LedgerPresenter(ledger)
        let engine = try await CenterEngine.start(
            configuration, presenter: presenter, clock: ManualClock(), reactor: reactor)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10 {
                group.addTask { try await change("\(index)", engine, ledger) }
            }
            for index in 0..<count {
                group.addTask {
                    try await engine.add(.sample("now\(index)"), attachments: [], for: .tocsin)
                    ledger.record(.added, "now\(index)")
                }
            }
            try await group.waitForAll()
        }
        try await presenter.shown.first(count)
        try await engine.rest()
        await engine.stop()
    }

    private static func change(
        _ name: String, _ engine: CenterEngine, _ ledger: CrashLedger
    ) async throws {
        try await engine.add(.sample("gone" + name, later), attachments: [], for: .tocsin)
        try await engine.add(
            .sample("both" + name, later, title: "old" + name), attachments: [], for: .tocsin)
        ledger.record(.added, "both" + name)
        try await engine.removePending(.identifiers(["gone" + name]), of: .tocsin)
        ledger.record(.removed, "gone" + name)
        try await engine.add(
            .sample("both" + name, later, title: "new" + name), attachments: [], for: .tocsin)
        ledger.record(.replaced, name)
    }
}

/// Compares the events before and after a crash with the promise of `Tests/Faults.md`.
struct CrashVerdict {
    /// The acknowledged requests that were never shown.
    var lost: [String] = []
    /// The number of requests shown both before and after the crash.
    var twice = 0
    /// The descriptions of other events that must not happen.
    var wrong: [String] = []

    /// Restarts the engine on the crash's files, lets an hour pass, and compares with the ledger.
    init(
        directory: String, before: [CrashLedger.Entry: [String]],
        alsoShown: [CrashLedger.Entry: [String]]
    ) async throws {
        let reactor = Reactor.started("restart")
        defer { reactor.stop() }
        let clock = ManualClock()
        let presenter = RecordingPresenter()
        let engine = try await CenterEngine.start(
            EngineConfiguration(
                layout: StoreLayout(directory: directory), hosting: "embedded", version: "1",
                zones: .sample),
            presenter: presenter, clock: clock, reactor: reactor)
        // Advance only to the time of the later requests. The engine treats a longer jump as a
        // sleep, and after a sleep only some requests become popups.
        clock.advance(by: .seconds(3_600))
        try await engine.rest()
        let left = try await engine.pending(of: nil).count
        if left > 0 { wrong.append("\(left) requests are stuck") }
        await engine.stop()
        judge(before, Set((before[.shown] ?? []) + (alsoShown[.shown] ?? [])), presenter.titles)
    }

    private mutating func judge(
        _ before: [CrashLedger.Entry: [String]], _ maybeShown: Set<String>, _ after: [String]
    ) {
        let shownAfter = Set(after)
        if shownAfter.count != after.count { wrong.append("one engine showed a request twice") }
        twice = shownAfter.intersection(before[.shown] ?? []).count
        let added = before[.added] ?? []
        lost = added.filter { $0.hasPrefix("now") }.filter {
            !maybeShown.contains($0) && !shownAfter.contains($0)
        }
        for name in before[.removed] ?? [] where shownAfter.contains(name) {
            wrong.append("\(name) was removed, and fired")
        }
        for name in added where name.hasPrefix("both") {
            let number = name.dropFirst(4)
            let (old, new) = (
                shownAfter.contains("old\(number)"), shownAfter.contains("new\(number)")
            )
            if old == new { wrong.append("\(name): old \(old), new \(new)") }
            if old, before[.replaced]?.contains(String(number)) == true {
                wrong.append("\(name) was replaced, and the old one fired")
            }
        }
    }
}
