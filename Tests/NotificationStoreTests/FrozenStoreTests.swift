import Foundation
import GRDB
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@testable import NotificationStore

/// Users have stores of version 1, so neither their tables nor the JSON of their rows may change.
///
/// `Golden/store-1.sql` is the dump of such a store. Nothing writes it anew: a change of the tables
/// adds a migration to `CenterSchema` and a dump of the next version.
@Suite(.timeLimit(.minutes(2))) struct FrozenStoreTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// Makes the store of version 1 in the place where the fixture opens its store.
    private func restoreDump() throws {
        let dump = KeptText(path: "Tests/NotificationStoreTests/Golden/store-1.sql").text
        try FileManager.default.createDirectory(
            atPath: fixture.layout.directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try fixture.sqlite { try $0.execute(sql: dump) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: fixture.layout.database)
    }

    private func schema() throws -> [String] {
        try fixture.sqlite { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT type || ' ' || name || ': ' || COALESCE(sql, '') FROM sqlite_schema
                    WHERE name <> 'sqlite_stat1' ORDER BY type, name
                    """)
        }
    }

    @Test func `a new store has the tables of version 1`() throws {
        try fixture.open().close()
        let made = try schema()
        try FileManager.default.removeItem(atPath: fixture.layout.directory)
        try restoreDump()
        #expect(try made == schema(), "schema 1 is frozen: add a migration")
    }

    @Test func `a store of version 1 opens, and all its rows are read`() async throws {
        try restoreDump()
        let store = try fixture.open()
        defer { store.close() }
        let pending = try await store.pending(of: .tocsin, now: fixture.now)
        #expect(Set(pending.map(\.request.identifier)) == ["r0", "r1", "r2", "r3", "r4"])
        #expect(pending.allSatisfy { $0.request.content.title == "Title" })
        #expect(try await store.delivered(of: .tocsin).map(\.request.identifier) == ["delivered"])
        let responses = try await store.responses(of: .tocsin)
        #expect(responses.map(\.notification.request.identifier) == ["answered"])
        #expect(responses.map(\.action) == [.reply("go", text: "Yes")])
        #expect(try await store.categories(of: .tocsin).map(\.category.identifier) == ["category"])
        #expect(try await store.records().count == 1)
        let badges = try await store.values(of: AppColumns.badge)
        #expect(badges == [.tocsin: 3])
        #expect(!fixture.exists(fixture.layout.damaged))
    }

    @Test func `the JSON of a request of version 1 is written again as it was`() throws {
        try restoreDump()
        let payloads = try fixture.sqlite { database in
            try Data.fetchAll(database, sql: "SELECT payload FROM request ORDER BY row")
        }
        #expect(payloads.count == 5)
        for payload in payloads {
            let stored = try PayloadCoding.decode(StoredRequest.record, from: payload)
            #expect(try PayloadCoding.encode(stored, as: StoredRequest.record) == payload)
        }
    }
}
