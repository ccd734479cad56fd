import Foundation
import NotificationEngine
import NotificationStore
import StoreSupport
import Synchronization
import TestSupport
import Testing

@Suite("Crashes", .serialized, .timeLimit(.minutes(5)))
struct CrashTests {
    let root: TemporaryDirectory

    init() throws {
        root = try TemporaryDirectory()
    }

    @Test
    func `a crash at any step loses no request and repeats only the deliveries in flight`()
        async throws
    {
        let ledger = try CrashLedger(path: root.path + "/ledger")
        let store = root.path + "/store"
        let steps = Mutex(0)
        // Locked while the database changes, because a copy made then would mix two states.
        let isChanging = NSLock()
        // A process that ends at a step leaves behind the files of that step.
        try await CrashScenario.run(directory: store, ledger: ledger) { [root] step in
            if step != .changed, step != .committed { isChanging.lock() }
            steps.withLock { count in
                count += 1
                Self.snapshot(of: store, ledger: root.path + "/ledger", to: "\(root.path)/\(count)")
            }
            if step != .collected, step != .changed { isChanging.unlock() }
        }
        let count = steps.withLock { $0 }
        var lost = 0
        var twice = 0
        for step in 1...count {
            let directory = "\(root.path)/\(step)"
            let verdict = try await CrashVerdict(
                directory: directory, before: try CrashLedger.read(directory + "/before"),
                alsoShown: try CrashLedger.read(directory + "/after"))
            #expect(verdict.lost.isEmpty, "step \(step)")
            #expect(verdict.wrong.isEmpty, "step \(step)")
            #expect(verdict.twice <= StoreLimits.presenting, "step \(step)")
            lost += verdict.lost.count
            twice += verdict.twice
        }
        print("\(count) crash points: lost \(lost), twice \(twice), at most \(64 * count)")
        #expect(count > 20)
    }

    private static func snapshot(of store: String, ledger: String, to target: String) {
        let files = FileManager.default
        try? files.createDirectory(
            atPath: target, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        // Copy the ledger first: the copied store must contain every change in this ledger.
        try? files.copyItem(atPath: ledger, toPath: target + "/before")
        for file in ["center.sqlite", "center.sqlite-wal"] {
            try? files.copyItem(atPath: store + "/" + file, toPath: target + "/" + file)
        }
        try? files.copyItem(atPath: ledger, toPath: target + "/after")
    }

    @Test(arguments: [2, 9, 17, 26, 38, 51, 65, 80])
    func `the store of a killed process opens with every acknowledged request`(
        step: Int
    ) async throws {
        let path = root.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, step = step as Int] in
            let steps = Mutex(0)
            try await CrashScenario.run(
                directory: path + "/store", ledger: try CrashLedger(path: path + "/ledger")
            ) { _ in
                let isDue = steps.withLock { count in
                    count += 1
                    return count == step
                }
                if isDue { kill(getpid(), SIGKILL) }
            }
        }
        let before = try CrashLedger.read(path + "/ledger")
        let verdict = try await CrashVerdict(
            directory: path + "/store", before: before, alsoShown: [:])
        #expect(verdict.lost.isEmpty)
        #expect(verdict.wrong.isEmpty)
        #expect(verdict.twice <= StoreLimits.presenting)
        print("killed at step \(step): lost \(verdict.lost.count), twice \(verdict.twice)")
    }
}
