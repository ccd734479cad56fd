import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import Reactor
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import NotificationStore

/// The damaged file must stay in place until the new file is complete.
///
/// A kill or a full disk during the rescue would otherwise lose all requests.
@Suite("The rescue of a damaged store", .timeLimit(.minutes(2)))
struct StoreRescueTests {
    let fixture: StoreFixture
    var layout: StoreLayout { fixture.layout }

    init() throws {
        fixture = try StoreFixture()
    }

    private func fill(_ count: Int) async throws {
        let store = try fixture.open()
        for index in 0..<count { try await store.add(.after(60, "r\(index)")) }
        store.close()
    }

    /// Makes an index contradict its table, so that the next start rescues the store.
    private func damageIndex() throws {
        let root = try fixture.sqlite { database in
            try Int.fetchOne(
                database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'request_due_boot'")
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: layout.database))
        try file.seek(toOffset: UInt64(((root ?? 0) - 1) * 4_096))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try file.close()
    }

    private func names(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory)
    }

    @Test func `a process that dies at any step of a rescue loses no request`() async throws {
        try await fill(400)
        try damageIndex()
        let steps = Mutex<[EngineStep]>([])
        let root = fixture.directory.path
        var file = StoreFile(layout: layout)
        file.step = { [layout] step in
            let count = steps.withLock { steps in
                steps.append(step)
                return steps.count
            }
            // A process that dies at a step leaves the files of that step.
            try? FileManager.default.copyItem(atPath: layout.directory, toPath: "\(root)/\(count)")
        }
        try file.open().close()
        let taken = steps.withLock { $0 }
        #expect(taken.starts(with: [.imageWritten, .rowsCollected, .exchangePrepared, .logMoved]))
        #expect(taken.suffix(2) == [.databaseMoved, .exchanged])
        for (index, step) in taken.enumerated() {
            let copy = StoreLayout(directory: "\(root)/\(index + 1)")
            let store = try fixture.open(layout: copy)
            #expect(try await store.counts().0 == 400, "\(step)")
            #expect(try await store.records().count == 1, "\(step)")
            store.close()
            let left = try names(copy.directory).filter { $0.hasPrefix("center.sqlite.") }
            #expect(left.isEmpty, "\(step): \(left)")
        }
        print("\(taken.count) steps of a rescue: lost 0")
    }

    @Test func `every table of the schema is rescued row by row`() async throws {
        try fixture.open().close()
        let before = try fixture.sqlite { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'table'
                    AND name NOT LIKE 'sqlite_%' AND name <> 'grdb_migrations'
                    """)
            for table in tables where table != "request_count" {
                try Self.insertRow(into: table, of: database)
            }
            return try Self.contents(of: tables, in: database)
        }
        #expect(before.count == StoreTable.all.count)
        #expect(before.allSatisfy { !$0.value.isEmpty }, "each table has a row")
        try damageIndex()
        let file = StoreFile(layout: layout)
        try file.open().close()
        var after = try fixture.sqlite { try Self.contents(of: Array(before.keys), in: $0) }
        // Leave out the record of the rescue itself.
        after["record"]?.removeLast()
        for table in before.keys.sorted() {
            #expect(after[table] == before[table], "\(table)")
        }
    }

    /// If a number were used again, an app would treat a new response as an old one.
    ///
    /// Each run of the daemon reserves a million numbers, so a store can reach two billion.
    @Test(arguments: [7, 2_000_000_000])
    func `after a rescue, no new row gets the number of a removed row`(last: Int) async throws {
        try await fill(1)
        try fixture.sqlite { database in
            try Self.insertRow(into: "response", of: database)
            try database.execute(sql: "DELETE FROM response")
            try database.execute(
                sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'response'",
                arguments: [last])
        }
        try damageIndex()
        try StoreFile(layout: layout).open().close()
        let number = try fixture.sqlite { database in
            try Int.fetchOne(
                database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'response'")
        }
        #expect(number == last)
    }

    private static func insertRow(into table: String, of database: Database) throws {
        let columns = try database.columns(in: table)
        var values: [String: any DatabaseValueConvertible] = [:]
        for column in columns {
            values[column.name] =
                switch column.type {
                case "INTEGER": 1
                case "BLOB": Data("{}".utf8)
                default: "x"
                }
        }
        let (app, payload) = ("x", Data("{}".utf8))
        switch table {
        case "request":
            values["checksum"] = RowChecksum.of(app, "x", 1, 1, payload)
        case "notification":
            values["checksum"] = RowChecksum.of(app, "x", 1, payload)
        default: break
        }
        let names = columns.map(\.name).joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
            sql: "INSERT OR REPLACE INTO \(table) (\(names)) VALUES (\(places))",
            arguments: StatementArguments(columns.map { values[$0.name] }))
    }

    private static func contents(
        of tables: [String], in database: Database
    ) throws -> [String: [String]] {
        var all: [String: [String]] = [:]
        for table in tables {
            all[table] = try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map {
                $0.description
            }
        }
        return all
    }

    /// Such a flip leaves the rows intact, so the store must not lose them.
    @Test func `at least 95 of 100 flipped bits in the schema lose no request`() async throws {
        try await fill(12)
        let original = try Data(contentsOf: URL(fileURLWithPath: layout.database))
        let texts = try fixture.sqlite { database in
            try String.fetchAll(
                database, sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL")
        }
        let ranges = texts.compactMap { original.range(of: Data($0.utf8)) }
        #expect(ranges.count > 20)
        var random = SeededGenerator(seed: 16)
        var whole = 0
        for round in 0..<100 {
            let range = try #require(ranges.randomElement(using: &random))
            var damaged = original
            damaged[Int.random(in: range, using: &random)] ^=
                1
                << UInt8.random(
                    in: 0..<8, using: &random)
            let copy = try copy(to: "\(round)", database: damaged)
            let store = try fixture.open(layout: copy)
            if try await store.identifiers().count == 12 { whole += 1 }
            store.close()
        }
        #expect(whole >= 95)
        print("100 flips in the schema: \(whole) lost nothing")
    }

    @Test func `without its copy in center.schema, a schema with a flipped bit loses no row`()
        async throws
    {
        try await fill(12)
        let original = try Data(contentsOf: URL(fileURLWithPath: layout.database))
        let text = try #require(original.range(of: Data("CREATE TABLE request (".utf8)))
        var damaged = original
        damaged[text.lowerBound] ^= 1
        let copy = try copy(to: "alone", database: damaged)
        try FileManager.default.removeItem(atPath: copy.schema)
        let store = try fixture.open(layout: copy)
        #expect(try await store.identifiers().count == 12)
        store.close()
    }

    private func copy(to name: String, database: Data) throws -> StoreLayout {
        let directory = fixture.directory.path + "/" + name
        try FileManager.default.copyItem(atPath: layout.directory, toPath: directory)
        let copy = StoreLayout(directory: directory)
        try database.write(to: URL(fileURLWithPath: copy.database))
        return copy
    }

    /// Makes a store as a killed process leaves it.
    private func killed(_ count: Int, to name: String) async throws -> StoreLayout {
        let store = try fixture.open()
        for index in 0..<count { try await store.add(.after(60, "r\(index)")) }
        let directory = fixture.directory.path + "/" + name
        try FileManager.default.copyItem(atPath: layout.directory, toPath: directory)
        store.close()
        return StoreLayout(directory: directory)
    }

    @Test func `a log that was removed is reported`() async throws {
        let copy = try await killed(5, to: "copy")
        try FileManager.default.removeItem(atPath: copy.log)
        let store = try fixture.open(layout: copy)
        #expect(try await store.records().contains { $0.contains("log was removed") })
        store.close()
    }

    @Test func `an undamaged log is not reported`() async throws {
        let store = try fixture.open(layout: try await killed(5, to: "copy"))
        #expect(try await store.identifiers().count == 5)
        #expect(try await store.records() == [])
        store.close()
    }

    /// If a process dies before its commit, frames of its transaction stay at the end of the log.
    ///
    /// A later transaction may overwrite only some of them.
    @Test func `frames of unfinished transactions after the log's last commit are not reported`()
        async throws
    {
        let copy = try await killed(5, to: "copy")
        let url = URL(fileURLWithPath: copy.log)
        var log = try Data(contentsOf: url)
        let last = Data(log.suffix(4_096 + 24))
        // Append four frames with wrong checksums. The third one is marked as a commit.
        for size: UInt8 in [0, 0, 9, 0] {
            var frame = last
            frame[7] = size
            frame[100] ^= 0xFF
            log += frame
        }
        try log.write(to: url)
        let store = try fixture.open(layout: copy)
        #expect(try await store.identifiers().count == 5)
        #expect(try await store.records() == [])
        store.close()
    }

    @Test func `a flipped bit in the log costs at most one request, and is nearly always reported`()
        async throws
    {
        let copy = try await killed(8, to: "killed")
        let log = try Data(contentsOf: URL(fileURLWithPath: copy.log))
        var random = SeededGenerator(seed: 61)
        var reported = 0
        for round in 0..<40 {
            var damaged = log
            damaged[Int.random(in: 0..<log.count, using: &random)] ^=
                1
                << UInt8.random(
                    in: 0..<8, using: &random)
            let directory = "\(fixture.directory.path)/log\(round)"
            try FileManager.default.copyItem(atPath: copy.directory, toPath: directory)
            let layout = StoreLayout(directory: directory)
            try damaged.write(to: URL(fileURLWithPath: layout.log))
            let store = try fixture.open(layout: layout)
            let kept = try await store.identifiers().count
            let isReported = try await !store.records().isEmpty
            if isReported { reported += 1 }
            // A flip in the last commit may look like a commit that a kill cut short.
            #expect(kept >= 7, "round \(round): \(kept), reported: \(isReported)")
            store.close()
        }
        #expect(reported >= 36)
        print("40 flips in the log: \(reported) reported")
    }

    @Test func `a store that was removed while no process ran is reported`() async throws {
        try await fill(1)
        try FileManager.default.removeItem(atPath: layout.database)
        let store = try fixture.open()
        #expect(try await store.records().contains { $0.contains("missing or empty") })
        store.close()
    }

    @Test func `a rescue that loses rows keeps the three newest damaged files`() async throws {
        for round in 1...5 {
            try await fill(3)
            let foreign = URL(filePath: layout.database + ".replaced-1")
            try Data("foreign".utf8).write(to: foreign)
            try fixture.sqlite { database in
                try database.execute(
                    sql: """
                        UPDATE request SET checksum = 1
                        WHERE row = (SELECT MIN(row) FROM request)
                        """)
            }
            try damageIndex()
            try fixture.open().close()
            let kept = try names(layout.directory).filter { $0.contains(".damaged-") }
            let newest = (max(1, round - 2)...round).map { "center.sqlite.damaged-\($0)" }
            #expect(kept.filter { !$0.hasSuffix("-wal") }.sorted() == newest)
        }
        #expect(try names(layout.directory).contains("center.sqlite.replaced-1"))
    }

    @Test func `a rescue keeps the earlier records and records damaged rows`() async throws {
        let store = try fixture.open()
        try await store.add(.sample("a"))
        try await store.deliver()
        try await store.keepRecord(
            NotificationRecord(
                app: .tocsin, identifier: "b", date: fixture.now.wall, reason: .late, message: "m"))
        store.close()
        try fixture.sqlite { try $0.execute(sql: "UPDATE notification SET checksum = 1") }
        try damageIndex()
        let records = try await fixture.open().records()
        #expect(records.count == 3)
        #expect(records.first == "org.tocsin.Tocsin b: m")
    }

    @Test func `a damaged row that a list reads is removed and recorded`() async throws {
        try await fill(20)
        try fixture.sqlite { try $0.execute(sql: "UPDATE request SET checksum = 1 WHERE row = 7") }
        let store = try fixture.open()
        #expect(try await store.identifiers().count == 19)
        let removed = try await store.removeDamagedRows(at: ManualClock.start)
        #expect(removed.requests == [.sample("r6")] && removed.notifications.isEmpty)
        #expect(try await store.counts().0 == 19)
        let records = try await store.recordPage(ListQuery(), of: nil).notifications
        #expect(records.map(\.identifier) == ["r6"])
        #expect(records.map(\.title) == ["r6"])
        store.close()
    }

    @Test func `the scrub after a start finds damaged rows that no list has read`() async throws {
        try await fill(600)
        try fixture.sqlite {
            try $0.execute(sql: "UPDATE request SET checksum = 1 WHERE row IN (3, 300, 599)")
        }
        let engine = try await CenterEngine.start(
            EngineConfiguration(layout: layout, hosting: "embedded", version: "1", zones: .sample),
            presenter: RecordingPresenter(), clock: ManualClock(), reactor: Reactor.started("test"))
        await engine.untilAtRest()
        #expect(try await engine.status().pendingCount == 597)
        #expect(try await engine.recordPage(ListQuery(), of: nil).notifications.count == 3)
        await engine.stop()
    }
}

/// `StoreTable` describes exactly the tables of a store.
@Suite struct StoreTableTests {
    @Test func `the rows of StoreTable describe every table of a store and no other table`() throws
    {
        let fixture = try StoreFixture()
        try fixture.open().close()
        let tables = try fixture.sqlite { database in
            try String.fetchSet(
                database,
                sql: """
                    SELECT name FROM sqlite_schema
                    WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                    """)
        }
        #expect(tables == Set(StoreTable.all.map(\.name) + [StoreTable.migrations]))
    }

    @Test
    func `the rules of each StoreTable for renaming, forgetting and checksums fit its columns`()
        throws
    {
        let fixture = try StoreFixture()
        try fixture.open().close()
        for table in StoreTable.all {
            let columns = try fixture.sqlite { try $0.columns(in: table.name).map(\.name) }
            #expect((table.renaming == .none) != columns.contains("app"), "\(table.name)")
            #expect(!table.namesApps || columns.contains("app"), "\(table.name)")
            #expect(!table.isForgotten || columns.contains("app"), "\(table.name)")
            #expect(table.summed.isEmpty != columns.contains("checksum"), "\(table.name)")
            #expect(table.summed.isEmpty || table.summed[0] == "app", "\(table.name)")
            #expect(table.summed.allSatisfy(columns.contains), "\(table.name)")
            #expect((table.adoption == .numbered) == columns.contains("row"), "\(table.name)")
        }
    }
}
