import DesktopBus
import Dispatch
import Foundation
import HostingSupport
import NotificationEngine
import NotificationModel
import NotificationStore
import TestSupport

/// Starts the daemon, kills it at random instants, and examines the store that the daemon left.
///
/// It owns the daemons and the copies of their stores.
///
/// It promises a daemon on the bus after each round.
///
/// It never judges: `KillVerdict` does.
final class KillDriver: Sendable {
    /// Whenever the count of daemons is a multiple of this, the next daemon finds a damaged store.
    private static let damageInterval = 6

    private let stage: KillStage
    private let daemons = Recording<RunningProgram>()
    private let stores = Recording<StoreLayout>()

    init(on stage: KillStage) {
        self.stage = stage
    }

    /// The output of the last two daemons.
    var said: String { daemons.all.suffix(2).map(\.said).joined(separator: "\n") }

    /// Starts the first daemon, and asks it for the path of its store.
    func start() async throws {
        daemons.append(try await HostedService.startDaemon(on: stage.bus))
        let (service, connection) = try await stage.client("start")
        let store = try await service.status().store
        let end = store.lastIndex(of: "/") ?? store.endIndex
        stores.append(StoreLayout(directory: String(store[..<end])))
        await connection.close()
        stage.lives.append(1)
    }

    /// Kills the daemon and starts the next one; in some rounds it also kills one during its start.
    func round(using random: inout SeededGenerator) async throws {
        let events = stage.events.all.count
        let count = Int.random(in: 1...80, using: &random)
        let pause = Int.random(in: 0...20_000, using: &random)
        try await stage.events.wait(for: "\(count) events") { $0.count >= events + count }
        await Self.pause(microseconds: pause)
        stage.lives.append(nil)
        try await kill()
        if Int.random(in: 0..<5, using: &random) == 0 {
            daemons.append(
                try RunningProgram(
                    try HostedService.program("tocsind"), [], environment: stage.bus.environment))
            await Self.pause(microseconds: Int.random(in: 0...200_000, using: &random))
            try await kill()
        }
        if daemons.all.count.isMultiple(of: Self.damageInterval) {
            try await damage()
            try await killWithinRepair(using: &random)
        }
        try await replace()
    }

    /// How many stores were damaged so far.
    private var repairs: Int {
        stage.events.all.count { if case .damaged = $0 { true } else { false } }
    }

    /// Damages an index of the schedule; the next daemon finds the damage and rescues the rows.
    private func damage() async throws {
        guard let layout = stores.all.last else { return }
        let script = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            sql = "SELECT rootpage FROM sqlite_master WHERE name = 'request_due_boot'"
            page = store.execute(sql).fetchone()[0]
            size = store.execute("PRAGMA page_size").fetchone()[0]
            store.close()
            with open(sys.argv[1], "r+b") as file:
                file.seek((page - 1) * size)
                file.write(bytes([255]) * size)
            """
        try await RunningProgram.run("python3", ["-c", script, layout.database])
        stage.events.append(.damaged)
    }

    /// Kills a daemon while it repairs the store; the next daemon begins the repair anew.
    private func killWithinRepair(using random: inout SeededGenerator) async throws {
        guard let layout = stores.all.last else { return }
        let made = try MadeFiles(in: layout.directory)
        daemons.append(
            try RunningProgram(
                try HostedService.program("tocsind"), [], environment: stage.bus.environment))
        try await made.wait(for: "center.sqlite.new")
        await Self.pause(microseconds: Int.random(in: 0...10_000, using: &random))
        try await kill()
    }

    /// Kills the daemon and starts the next one.
    func restart() async throws {
        stage.lives.append(nil)
        try await kill()
        try await replace()
    }

    private func replace() async throws {
        daemons.append(try await HostedService.startDaemon(on: stage.bus))
        stage.lives.append(daemons.all.count)
    }

    private func kill() async throws {
        guard let daemon = daemons.all.last, let layout = stores.all.last else { return }
        daemon.signal(SIGKILL)
        let status = try await daemon.exit()
        guard status == -SIGKILL else {
            throw HarnessError("The daemon ended by itself with \(status): \(daemon.said)")
        }
        let folder = stage.bus.directory + "/autopsy-\(daemons.all.count)"
        let autopsy = try await StoreAutopsy(
            of: layout, app: stage.app, in: folder, repairs: repairs)
        try FileManager.default.removeItem(atPath: folder)
        stage.events.append(.killed(autopsy, at: Date()))
    }

    /// Runs a body on a stage with a daemon; an error carries the output of the daemons.
    static func withDaemon(
        _ name: String, _ body: (KillStage, KillDriver) async throws -> KillVerdict
    ) async throws -> KillVerdict {
        let stage = try await KillStage()
        let driver = KillDriver(on: stage)
        do {
            try await driver.start()
            let verdict = try await body(stage, driver)
            await driver.stop()
            return verdict
        } catch {
            await driver.stop()
            throw HarnessError("\(name): \(error)\n\(driver.said)")
        }
    }

    /// Ends the last daemon by SIGTERM, and returns the verdict.
    func verdict() async throws -> KillVerdict {
        let (service, _) = try await stage.client("verdict")
        let delivered = try await service.delivered(of: nil).map(\.request.identifier)
        let soon = Instant(
            microseconds: Int64((Date().timeIntervalSince1970 + 60) * 1_000_000))
        let later = try await service.pending(of: nil).filter { $0.nextFire ?? soon > soon }
        let life = stage.life ?? 0
        try await endInOrder()
        return KillVerdict(
            stage.events.all, calls: stage.server.calls.all, delivered: Set(delivered),
            later: Set(later.map(\.request.identifier)), life: life)
    }

    /// Ends the daemon by SIGTERM, which leaves no call in flight.
    private func endInOrder() async throws {
        guard let daemon = daemons.all.last, let layout = stores.all.last else { return }
        daemon.signal(SIGTERM)
        let status = try await daemon.exit()
        let autopsy = try await StoreAutopsy(
            of: layout, app: stage.app, in: stage.bus.directory + "/autopsy", repairs: repairs)
        guard status == 0, autopsy.isClean, autopsy.presenting.isEmpty else {
            throw HarnessError("SIGTERM: status \(status), left \(autopsy)")
        }
    }

    func stop() async {
        await daemons.all.last?.stop()
        await stage.server.stop()
    }

    /// Records the time of each call that the server receives, until the task is cancelled.
    func date() async throws {
        var seen = 0
        while !Task.isCancelled {
            let known = seen
            do {
                let calls = try await stage.server.calls.wait(for: "a call", within: 600) {
                    $0.count > known
                }
                seen = calls.count
                for call in calls[known...] {
                    stage.events.append(.shown(call.summary, at: Date()))
                }
            } catch is CancellationError {
                return
            }
        }
    }

    /// The instant of the kill must be random, so this is a real delay.
    private static func pause(microseconds: Int) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
                continuation.resume()
            }
        }
    }
}
