import Foundation
import GRDB
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

@Suite("Group commit", .timeLimit(.minutes(2)))
struct CommitQueueTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    var commits: Int { fixture.steps.all.count { $0 == .committed } }

    @Test
    func `a thousand adds at once share commits, and each request is listed when its add returns`()
        async throws
    {
        let store = try fixture.open()
        let before = commits
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<1_000 {
                group.addTask {
                    try await store.add(.after(60, "r\(index)"))
                    if index.isMultiple(of: 100) {
                        let there = try await store.identifiers()
                        #expect(there.contains("r\(index)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.counts().0 == 1_000)
        #expect(commits - before < 500, "\(commits - before) commits")
    }

    @Test
    func `a failed change does not undo the other changes of its group`() async throws {
        struct Refusal: Error {}
        let store = try fixture.open()
        // The first change keeps the queue busy until the other changes are waiting.
        let gate = DispatchSemaphore(value: 0)
        async let first: Void = store.change("changed") { _ in
            gate.wait()
            // A change may run again if another change of its group fails.
            gate.signal()
        }
        let outcomes = Recording<String>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    do {
                        try await store.change("changed") { database in
                            try database.execute(
                                sql: "INSERT INTO meta VALUES (?, '')", arguments: ["k\(index)"])
                            if index.isMultiple(of: 4) { throw Refusal() }
                        }
                        outcomes.append("done")
                    } catch {
                        outcomes.append("refused")
                    }
                }
            }
            gate.signal()
            try await group.waitForAll()
        }
        try await first
        #expect(outcomes.all.count { $0 == "refused" } == 5)
        let kept = try await store.change("read") { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM meta WHERE key LIKE 'k%'")
        }
        #expect(kept == 15)
    }

    @Test
    func `changes take effect and return in the order in which they were submitted`() async throws {
        let store = try fixture.open()
        let done = Recording<Int>()
        try await Sequencer(store: store, done: done).run(200)
        #expect(done.all == Array(0..<200))
        let stored = try await store.change("read") { database in
            try String.fetchAll(database, sql: "SELECT message FROM record ORDER BY row")
        }
        #expect(stored == (0..<200).map { "\($0)" })
    }

    /// Submits many changes from one actor without waiting for any of them.
    private actor Sequencer {
        let reactor = Reactor.started("test")
        let store: CenterStore
        let done: Recording<Int>
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            reactor.asUnownedSerialExecutor()
        }

        deinit {
            reactor.stop()
        }

        init(store: CenterStore, done: Recording<Int>) {
            self.store = store
            self.done = done
        }

        func run(_ count: Int) async throws {
            let tasks = (0..<count).map { index in
                Task {
                    try await store.change("changed") { database in
                        try database.execute(
                            sql: "INSERT INTO record (at, app, identifier, message) "
                                + "VALUES (0, '', '', ?)", arguments: ["\(index)"])
                    }
                    done.append(index)
                }
            }
            for task in tasks { try await task.value }
        }

        /// Returns the levels of sync of two changes in a group; only the second needs a sync.
        func levelsOfMixedGroup() async throws -> [Int64?] {
            let first = Task { try await level(isDeferred: true, isSynced: false) }
            let last = Task { try await level(isSynced: true) }
            return [try await first.value, try await last.value]
        }

        /// Returns SQLite's level of sync during a change: 1 without a sync, 2 with a sync.
        func level(isDeferred: Bool = false, isSynced: Bool) async throws -> Int64? {
            try await store.change("changed", isDeferred: isDeferred, isSynced: isSynced) {
                try Int64.fetchOne($0, sql: "PRAGMA synchronous")
            }
        }
    }

    @Test func `a group of changes is synced if at least one of them needs a sync`() async throws {
        let sequencer = Sequencer(store: try fixture.open(), done: Recording<Int>())
        #expect(try await sequencer.level(isSynced: false) == 1)
        #expect(try await sequencer.level(isSynced: true) == 2)
        #expect(try await sequencer.level(isSynced: false) == 1)
        #expect(try await sequencer.levelsOfMixedGroup() == [2, 2])
    }

    @Test
    func `a closed store refuses changes with an error`() async throws {
        let store = try fixture.open()
        store.close()
        let error = await #expect(throws: NotificationError.self) {
            try await store.add(.after(60, "a"))
        }
        #expect(error?.code == .storeUnavailable)
    }
}
