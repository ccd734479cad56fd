import Dispatch
import Foundation
import GRDB
import NotificationModel
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import NotificationStore

@Suite("Commits that fail", .timeLimit(.minutes(2)))
struct CommitRetryTests {
    @Test
    func `on a full disk, the reserve is freed, then the group is split, then a change is refused`()
    {
        var retry = CommitRetry()
        #expect(retry.groupSize(of: 3) == 3)
        #expect(retry.commitFailed(.diskFull, size: 3) == .makeRoom)
        #expect(retry.commitFailed(.diskFull, size: 3) == .again)
        #expect(retry.groupSize(of: 3) == 1)
        #expect(retry.commitFailed(.diskFull, size: 1) == .refuse)
        for _ in 0..<3 { retry.commitFinished(1) }
        #expect(retry.groupSize(of: 5_000) == CommitRetry.groupLimit)
    }

    @Test func `the first damage in a process is repaired, and the second ends the store`() {
        var retry = CommitRetry()
        #expect(retry.commitFailed(.damaged, size: 8) == .repair)
        #expect(retry.commitFailed(.damaged, size: 8) == .end)
    }

    /// If the store did not end, the queue would write files again and again, and answer no call.
    @Test func `the store ends if its files are removed again and again`() async throws {
        var retry = CommitRetry()
        for _ in 0..<2 {
            for _ in 0..<CommitRetry.rewriteLimit { #expect(retry.filesDisplaced() == .rewrite) }
            retry.commitFinished(1)
        }
        for _ in 0..<CommitRetry.rewriteLimit { #expect(retry.filesDisplaced() == .rewrite) }
        #expect(retry.filesDisplaced() == .end)

        let ends = Recording<String>()
        let queue = try CommitQueue(
            DatabaseQueue(),
            hooks: CommitHooks(
                isInPlace: { false }, repair: { $0 }, rewrite: { $0 },
                ended: { ends.append("\($0)") }))
        await #expect(throws: DatabaseError.self) { try await queue.perform { _ in } }
        #expect(try await ends.first(1)[0].contains("again and again"))
    }

    /// A full disk must not end the store, because only its open database has the rows.
    @Test func `removed files that do not fit on a full disk are written by a later change`()
        async throws
    {
        let full = NotificationError(.noSpace, "The disk is full.")
        let attempts = Mutex(0)
        let ends = Recording<String>()
        let queue = try CommitQueue(
            DatabaseQueue(),
            hooks: CommitHooks(
                makeRoom: { attempts.withLock { $0 == 1 } },
                isInPlace: { attempts.withLock { $0 == 3 } }, repair: { $0 },
                rewrite: { database in
                    let count = attempts.withLock { attempts in
                        attempts += 1
                        return attempts
                    }
                    if count < 3 { throw full }
                    return database
                }, ended: { ends.append("\($0)") }))
        await #expect(throws: full) { try await queue.perform { _ in } }
        #expect(
            attempts.withLock { $0 } == 2,
            "a second attempt follows, because `makeRoom` returned true after the first")
        try await queue.perform { _ in }
        #expect(ends.all.isEmpty)
        try queue.close { try $0.close() }
    }

    /// SQLite reports a used-up quota as a failed write, and not as a full disk.
    @Test func `a used-up quota frees the reserve, and the failed write succeeds`() async throws {
        let script = Mutex([ResultCode.SQLITE_IOERR_WRITE])
        let released = Recording<Bool>()
        let queue = try CommitQueue(
            DatabaseQueue(),
            hooks: CommitHooks(
                makeRoom: {
                    released.append(true)
                    return true
                }, isDiskFull: { $0.extendedResultCode == .SQLITE_IOERR_WRITE }, repair: { $0 },
                rewrite: { $0 }))
        try await queue.perform { _ in
            let next = script.withLock { $0.popLast() }
            if let next { throw DatabaseError(resultCode: next) }
        }
        #expect(released.all == [true])
        try queue.close { try $0.close() }
    }

    @Test func `after any series of failed commits, no change waits for ever`() {
        var random = SeededGenerator(seed: 18)
        let kinds: [CommitRetry.Failure] = [.diskFull, .outOfMemory, .damaged, .other]
        for _ in 0..<500 {
            var retry = CommitRetry()
            var waiting = 40
            var steps = 0
            while waiting > 0 {
                steps += 1
                guard steps < 400 else {
                    Issue.record("\(waiting) changes wait for ever")
                    return
                }
                let size = retry.groupSize(of: waiting)
                #expect(size > 0)
                guard Bool.random(using: &random), let kind = kinds.randomElement(using: &random)
                else {
                    retry.commitFinished(size)
                    waiting -= size
                    continue
                }
                var decision = retry.commitFailed(kind, size: size)
                if decision == .makeRoom, Bool.random(using: &random) {
                    decision = retry.commitFailed(kind, size: size)
                }
                if decision == .end { break }
                if decision == .refuse {
                    retry.commitFinished(size)
                    waiting -= size
                }
            }
        }
    }

    /// A change may run several times, but its caller must get only one of the results.
    @Test func `each change of a group that meets a full disk and then damage has one result`()
        async throws
    {
        let fixture = try StoreFixture()
        let repairs = Mutex(0)
        let script = Mutex([ResultCode.SQLITE_FULL, .SQLITE_FULL])
        let calls = Recording<Int>()
        let queue = try Self.queue(fixture, "first") {
            repairs.withLock { $0 += 1 }
            return try DatabaseQueue(path: fixture.directory.path + "/second")
        }
        let outcomes = Recording<Int>()
        try await Self.submit(10, to: queue, outcomes) { index, _ in
            calls.append(index)
            // The first group fails as a whole, and then one of its changes alone.
            let next = script.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { throw DatabaseError(resultCode: next) }
            if index == 5, repairs.withLock({ $0 }) == 0 {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
        }
        #expect(outcomes.all.count == 10)
        #expect(Set(outcomes.all).count == 10)
        // After the full disk, the changes run one by one. Change 5 meets the damage, and runs once
        // more in the new database.
        #expect(calls.all == [0, 0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9])
        #expect(repairs.withLock { $0 } == 1)
        try queue.close { try $0.close() }
    }

    @Test func `a failed repair refuses each waiting change once and ends the queue`()
        async throws
    {
        struct Unrepairable: Error {}
        let fixture = try StoreFixture()
        let ends = Recording<String>()
        let queue = try Self.queue(fixture, "first", ended: { ends.append("\($0)") }) {
            throw Unrepairable()
        }
        let outcomes = Recording<Int>()
        try await Self.submit(10, to: queue, outcomes) { _, _ in
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        #expect(outcomes.all.count == 10)
        // The callers get the error before the owner of the queue does.
        try await ends.wait(for: "the end of the queue") { !$0.isEmpty }
        await #expect(throws: Unrepairable.self, "a later change is refused too") {
            try await queue.perform { _ in }
        }
        try queue.close { try $0.close() }
        #expect(ends.all.count == 1)
    }

    @Test func `the log of an idle store is truncated and holds no deleted text`() async throws {
        let fixture = try StoreFixture()
        let path = fixture.directory.path + "/idle"
        let database = try DatabaseQueue(path: path)
        try await database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON")
        }
        let (checks, room) = (Recording<Bool>(), Recording<Bool>())
        let queue = try CommitQueue(
            database,
            hooks: CommitHooks(
                mayTruncateLog: {
                    // While there is no room, as on a full disk, the log keeps its length.
                    let isThereRoom = !room.all.isEmpty
                    checks.append(isThereRoom)
                    return isThereRoom
                }, repair: { $0 }, rewrite: { $0 }), idleTime: .milliseconds(20))
        func size() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        }
        try await queue.perform { database in
            try database.execute(sql: "CREATE TABLE text (text)")
            try database.execute(sql: "INSERT INTO text VALUES ('my secret')")
        }
        try await queue.perform { try $0.execute(sql: "DELETE FROM text") }
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")).contains("my secret".utf8))
        try await checks.first(1)
        try await queue.perform { _ in }
        #expect(try size() != 0)
        try await queue.perform {
            room.append(true)
            try $0.execute(sql: "INSERT INTO text VALUES ('other')")
        }
        try await checks.first("a check") { $0 }
        // The queue truncates the log on its thread before it runs this work.
        try await queue.perform { _ in }
        #expect(try size() == 0)
        #expect(try !Data(contentsOf: URL(filePath: path)).contains("my secret".utf8))
        try queue.close { try $0.close() }
    }

    private static func queue(
        _ fixture: StoreFixture, _ name: String,
        ended: @escaping @Sendable (any Error) -> Void = { _ in },
        repair: @escaping @Sendable () throws -> DatabaseQueue
    ) throws -> CommitQueue {
        try CommitQueue(
            DatabaseQueue(path: fixture.directory.path + "/" + name),
            hooks: CommitHooks(
                repair: { _ in try repair() }, rewrite: { $0 }, ended: ended))
    }

    /// Submits changes while the queue is busy, so that they form one group; records each end.
    private static func submit(
        _ count: Int, to queue: CommitQueue, _ outcomes: Recording<Int>,
        _ change: @escaping @Sendable (Int, Database) throws -> Void
    ) async throws {
        let (isBusy, mayEnd) = (Recording<Bool>(), DispatchSemaphore(value: 0))
        let busy = Task {
            try await queue.perform { _ in
                isBusy.append(true)
                mayEnd.wait()
            }
        }
        try await isBusy.first(1)
        // An immediate task submits its change before the next task is created.
        let tasks = (0..<count).map { index in
            Task.immediateDetached {
                do {
                    try await queue.perform { try change(index, $0) }
                } catch {}
                outcomes.append(index)
            }
        }
        mayEnd.signal()
        try await busy.value
        for task in tasks { await task.value }
    }
}
