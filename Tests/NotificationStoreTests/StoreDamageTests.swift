import Foundation
import GRDB
import NotificationModel
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import NotificationStore

@Suite("A store that was damaged", .timeLimit(.minutes(2)))
struct StoreDamageTests {
    let fixture: StoreFixture
    var layout: StoreLayout { fixture.layout }

    init() throws {
        fixture = try StoreFixture()
    }

    func fill(_ count: Int) async throws {
        let store = try fixture.open()
        for index in 0..<count { try await store.add(.after(60, "r\(index)")) }
        store.close()
    }

    var dueNow: ClockReading {
        .sample(wall: ManualClock.start.adding(microseconds: 61_000_000), boot: 3_661_000_000)
    }

    /// Replaces the store's file by random bytes, and returns the bytes.
    private func replaceFile(size: Int) throws -> Data {
        var random = SeededGenerator(seed: 7)
        let bytes = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
        try bytes.write(to: URL(fileURLWithPath: layout.database))
        return bytes
    }

    @Test(arguments: [2, 99, 200_000])
    func `a file that is not a database is put aside, and a new store is made`(
        size: Int
    ) async throws {
        try await fill(1)
        let bytes = try replaceFile(size: size)
        let store = try fixture.open()
        try await store.add(.after(60, "new"))
        #expect(try await store.identifiers() == ["new"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: layout.damaged)) == bytes)
    }

    /// SQLite treats a file of one byte as an empty file (`unixFileSize` in os_unix.c).
    @Test(arguments: [0, 1])
    func `an empty file becomes a new store, and is not put aside`(size: Int) async throws {
        try await fill(1)
        _ = try replaceFile(size: size)
        let store = try fixture.open()
        try await store.add(.after(60, "new"))
        #expect(try await store.identifiers() == ["new"])
        #expect(!fixture.exists(layout.damaged))
    }

    @Test
    func `a store of a newer version is refused and not changed`() async throws {
        try await fill(3)
        try fixture.sqlite { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')")
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: layout.database))
        let error = #expect(throws: NotificationError.self) { try fixture.open() }
        #expect(error?.message.contains("newer version") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: layout.database)) == before)
        #expect(!fixture.exists(layout.damaged))
        let again = #expect(throws: NotificationError.self) { try fixture.open() }
        #expect(again == error, "the first attempt has released its lock")
    }

    /// If the files stayed, copies of the store would use up the disk's remaining space.
    @Test func `a failed rescue removes its own files`() async throws {
        try await fill(3)
        try fixture.sqlite { database in
            // The wrong schema checksum starts a rescue, and the rescue finds a newer version.
            try database.execute(
                sql: "INSERT INTO grdb_migrations VALUES ('99'); PRAGMA application_id = 7")
        }
        #expect(throws: NotificationError.self) { try fixture.open() }
        let names = try FileManager.default.contentsOfDirectory(atPath: layout.directory)
        #expect(names.contains("center.sqlite"))
        #expect(names.filter { $0.hasPrefix("center.sqlite.") }.isEmpty, "\(names)")
    }

    @Test
    func `a damaged request is not listed, and is removed and recorded when it is due`()
        async throws
    {
        try await fill(3)
        try fixture.sqlite { database in
            try database.execute(
                sql: "UPDATE request SET payload = replace(payload, 'a text', 'b text') "
                    + "WHERE identifier = 'r1'")
        }
        let store = try fixture.open()
        #expect(try await store.identifiers() == ["r0", "r2"])
        #expect(try await store.deliver(now: dueNow) == ["r0", "r2"])
        #expect(try await store.records().count == 1)
        #expect(try await store.counts().0 == 0)
    }

    @Test func `an undecodable row with the right checksum is removed and recorded once`()
        async throws
    {
        try await fill(3)
        let payload = Data("{}".utf8)
        try fixture.sqlite { database in
            let row = RequestRow(
                try #require(
                    try database.row("\(RequestRow.selection) WHERE identifier = 'r1'")))
            let checksum = RowChecksum.of(
                row.app, row.identifier, row.due.wall.microseconds, row.due.boot, payload)
            try database.execute(
                sql: "UPDATE request SET payload = ?, checksum = ? WHERE row = ?",
                arguments: [payload, checksum, row.row])
        }
        let store = try fixture.open()
        #expect(try await store.identifiers() == ["r0", "r2"])
        _ = try await store.removeDamagedRows(at: ManualClock.start)
        #expect(try await store.records().count == 1)
        #expect(try await store.identifiers() == ["r0", "r2"])
        #expect(!store.hasMetDamage)
    }

    /// If no later attempt removed the row, it would stay until a list reads it or the next
    /// engine starts.
    @Test func `if the removal of a damaged row fails, the next attempt removes the row`()
        async throws
    {
        try await fill(3)
        let store = try fixture.open()
        try await store.change("changed") { database in
            try database.execute(
                sql: """
                    UPDATE request SET checksum = 1 WHERE identifier = 'r1';
                    CREATE TEMP TRIGGER refusal BEFORE DELETE ON request
                    BEGIN SELECT RAISE(ABORT, 'refused by the test'); END;
                    """)
        }
        #expect(try await store.identifiers() == ["r0", "r2"])
        await #expect(throws: NotificationError.self) {
            _ = try await store.removeDamagedRows(at: ManualClock.start)
        }
        #expect(store.hasMetDamage)
        try await store.change("changed") { try $0.execute(sql: "DROP TRIGGER refusal") }
        let removed = try await store.removeDamagedRows(at: ManualClock.start)
        #expect(removed.requests == [.sample("r1")])
        #expect(!store.hasMetDamage)
        #expect(try await store.records().count == 1)
    }

    @Test
    func `damaged requests that fill a whole claim do not stop the requests after them`()
        async throws
    {
        try await fill(200)
        try fixture.sqlite { database in
            try database.execute(sql: "UPDATE request SET checksum = 1 WHERE row <= 150")
        }
        let store = try fixture.open()
        var fired: [String] = []
        for _ in 0..<2 { fired += try await store.deliver(now: dueNow) }
        #expect(fired == (150..<200).map { "r\($0)" })
    }

    @Test(arguments: [
        "app = NULL", "payload = 5", "due_wall = 'x'", "due_boot = x'00'", "checksum = 'x'",
        "identifier = x'FF'", "state = 7", "payload = NULL",
    ])
    func `a request with a column of a wrong type stops no other request`(
        change: String
    ) async throws {
        try await fill(3)
        try fixture.sqlite { database in
            // Drop the constraints, because a flipped bit can break them.
            try database.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql = replace(replace(sql, 'NOT NULL', ''),
                      'CHECK (state IN (0, 1))', '') WHERE name = 'request';
                    """)
        }
        try fixture.sqlite { database in
            // Drop the trigger, because a flipped bit runs no trigger.
            let trigger = try #require(
                try String.fetchOne(
                    database,
                    sql: "SELECT sql FROM sqlite_master WHERE name = 'request_changed'"))
            try database.execute(sql: "DROP TRIGGER request_changed")
            try database.execute(sql: "UPDATE request SET \(change) WHERE identifier = 'r1'")
            try database.execute(sql: trigger)
            try database.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET sql =
                      (SELECT sql FROM sqlite_master WHERE name = 'request')
                    WHERE name = 'request';
                    """)
        }
        let store = try fixture.open()
        try await store.adoptThisBoot(now: dueNow)
        let fired = try await store.deliver(now: dueNow)
        #expect(fired.filter { $0 != "r1" } == ["r0", "r2"])
        #expect(try await store.identifiers(of: nil).allSatisfy { $0 == "r1" })
    }

    @Test
    func `after a bit flip, the store opens and loses at most the row that was hit`()
        async throws
    {
        try await fill(6)
        let file = URL(fileURLWithPath: layout.database)
        let original = try Data(contentsOf: file)
        let pages = try fixture.sqlite { database in
            try Int.fetchAll(
                database,
                sql:
                    "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'request' AND rootpage > 0"
            )
        }
        let migrations = try fixture.sqlite { database in
            let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'grdb_migrations'"
            let root = try #require(try Int.fetchOne(database, sql: sql))
            return (root - 1) * 4_096..<root * 4_096
        }
        // Flip some bytes of the schema, of the table and of its indexes. Flip all used bytes on
        // the page of the migrations' names.
        var offsets = Array(stride(from: 0, to: 4_096, by: 97))
        for page in pages {
            let range = (page - 1) * 4_096..<page * 4_096
            let stride = page == pages[0] ? 5 : 23
            offsets += range.filter { original[$0] != 0 && $0.isMultiple(of: stride) }
        }
        offsets += migrations.filter { original[$0] != 0 }
        var lost = 0
        for (round, offset) in offsets.enumerated() {
            var damaged = original
            damaged[offset] ^= UInt8(1 << (round % 8))
            let directory = fixture.directory.path + "/round"
            try? FileManager.default.removeItem(atPath: directory)
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let layout = StoreLayout(directory: directory)
            try damaged.write(to: URL(fileURLWithPath: layout.database))
            do {
                let store = try fixture.open(layout: layout)
                try await store.adoptThisBoot(now: dueNow)
                let fired = try await store.deliver(now: dueNow)
                #expect(Set(fired).count == fired.count, "offset \(offset)")
                lost += max(0, 6 - fired.count)
                let least = migrations.contains(offset) ? 6 : 5
                #expect(fired.count >= least || offset < 4_096, "offset \(offset): \(fired)")
                store.close()
            } catch {
                Issue.record("offset \(offset): \(error)")
            }
        }
        print("\(offsets.count) flips, \(lost) rows hit")
    }

    /// A rescue looks for rows by their numbers.
    ///
    /// Here the first row has a number above 1,000,000.
    @Test func `rows with large numbers between two damaged pages are rescued`() async throws {
        try fixture.open().close()
        try fixture.sqlite { database in
            try database.execute(sql: "INSERT INTO sqlite_sequence VALUES ('request', 1000000)")
        }
        let filled = try fixture.open()
        for index in 0..<60 {
            var request = NotificationRequest.after(60, "r\(index)")
            let text = [0, 40].contains(index) ? "on a damaged page" : "x"
            request.content.body = text + String(repeating: "x", count: 500)
            try await filled.add(request)
        }
        filled.close()
        #expect(try damagePages(with: "on a damaged page") == 2)
        let store = try fixture.open()
        #expect(
            try await store.identifiers().count >= 60 - 2 * 8,
            "8 rows fit on a page, so two damaged pages cost 16 rows at most")
        store.close()
    }

    /// A rescue looks for rows by their numbers.
    ///
    /// Here 30,000 numbers between two rows are unused.
    @Test func `two damaged pages do not hide the rows after a gap of 30,000 row numbers`()
        async throws
    {
        for group in 0..<3 {
            let filled = try fixture.open()
            for index in 0..<20 {
                var request = NotificationRequest.after(60, "r\(group).\(index)")
                let text = index == 19 && group < 2 ? "on a damaged page" : "x"
                request.content.body = text + String(repeating: "x", count: 500)
                try await filled.add(request)
            }
            filled.close()
            try fixture.sqlite { database in
                try database.execute(
                    sql: "UPDATE sqlite_sequence SET seq = seq + 30000 WHERE name = 'request'")
            }
        }
        #expect(try damagePages(with: "on a damaged page") == 2)
        let store = try fixture.open()
        #expect(
            try await store.identifiers().count >= 60 - 2 * 8,
            "8 rows fit on a page, so two damaged pages cost 16 rows at most")
        store.close()
    }

    /// Overwrites the table pages that contain a text; returns the number of pages.
    private func damagePages(with text: String) throws -> Int {
        let file = URL(fileURLWithPath: layout.database)
        var bytes = try Data(contentsOf: file)
        // The first byte 13 marks a page with rows of a table.
        let pages = stride(from: 0, to: bytes.count, by: 4_096).filter {
            bytes[$0] == 13 && bytes[$0..<$0 + 4_096].range(of: Data(text.utf8)) != nil
        }
        for page in pages {
            bytes.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0xFF, count: 4_096))
        }
        try bytes.write(to: file)
        return pages.count
    }

    /// The test replaces the table by a view whose first read fails at the second row.
    @Test func `a damaged row that a rescue reads twice is recorded once`() async throws {
        try await fill(3)
        let target = try DatabaseQueue()
        try CenterSchema.migrator.migrate(target)
        let calls = Mutex(0)
        let passes = DatabaseFunction("passes", argumentCount: 1) { _ in
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard count != 2 else { throw HarnessError("unreadable") }
            return true
        }
        try fixture.sqlite { source in
            source.add(function: passes)
            let columns = Set(try source.columns(in: "request").map(\.name))
            try source.execute(
                sql: """
                    UPDATE request SET checksum = 1 WHERE row = 1;
                    ALTER TABLE request RENAME TO stored;
                    CREATE TEMP VIEW request AS SELECT * FROM stored WHERE passes(row);
                    """)
            try target.writeWithoutTransaction { target in
                var rescue = TableRescue(
                    table: "request", source: source, image: StoreImage(path: layout.database),
                    target: target, columns: columns, date: ManualClock.start)
                let isWhole = try rescue.run()
                #expect(!isWhole)
                #expect(try Int.fetchOne(target, sql: "SELECT COUNT(*) FROM request") == 2)
                #expect(try Int.fetchOne(target, sql: "SELECT COUNT(*) FROM record") == 1)
            }
        }
    }

    @Test
    func `a running store that finds damage moves its readable rows to a new file at once`()
        async throws
    {
        // The file is larger than 4 MiB, so opening the store does not check its integrity.
        let store = try fixture.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<3_000 {
                var request = NotificationRequest.after(60, "r\(index)")
                request.content.body = String(repeating: "x", count: 1_500)
                let padded = request
                group.addTask { try await store.add(padded) }
            }
            try await group.waitForAll()
        }
        store.close()
        let root = try fixture.sqlite { database in
            try Int.fetchOne(
                database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'request_due_boot'")
        }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: layout.database))
        try file.seek(toOffset: UInt64(((root ?? 0) - 1) * 4_096))
        try file.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        try file.close()
        let again = try fixture.open()
        try await again.add(.after(60, "new"))
        #expect(try await again.counts().0 == 3_001)
        #expect(try await again.claim(limit: 64, excluding: [], now: dueNow).count == 64)
        // Every row was rescued, so the damaged file is not kept.
        #expect(!fixture.exists(layout.damaged))
    }
}
