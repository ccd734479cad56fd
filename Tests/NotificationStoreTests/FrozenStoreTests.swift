import Foundation
import GRDB
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@testable import NotificationStore

/// Users have stores of every version, so neither their tables nor the JSON of their rows may
/// change.
///
/// `Golden/store-1.sql` and `Golden/store-2.sql` are dumps of such stores. Do not change the dumps:
/// a change of the tables adds a migration to `CenterSchema` and a dump of the next version.
@Suite(.timeLimit(.minutes(2))) struct FrozenStoreTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// Makes the fixture's store from the dump of a version.
    private func restoreDump(_ version: Int = 1) throws {
        let dump = KeptText(path: "Tests/NotificationStoreTests/Golden/store-\(version).sql").text
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

    @Test func `a new store has the same tables as the dump of the newest version`() throws {
        try fixture.open().close()
        let made = try schema()
        try FileManager.default.removeItem(atPath: fixture.layout.directory)
        try restoreDump(StoreTable.schemaVersion)
        #expect(try made == schema(), "the schema is frozen: add a migration")
    }

    @Test func `a store of version 1 gets the tables of later versions`() throws {
        try restoreDump()
        try fixture.open().close()
        let migrated = try schema()
        try FileManager.default.removeItem(atPath: fixture.layout.directory)
        try fixture.open().close()
        #expect(try migrated == schema())
    }

    @Test func `the push registrations and message keys in a store of version 2 are read`()
        async throws
    {
        try restoreDump(2)
        let store = try fixture.open()
        defer { store.close() }
        let registration = try #require(try await store.pushRegistrations().first)
        #expect(registration.app == .tocsin && registration.token == "token")
        #expect(registration.privateKey == Array(1...32))
        #expect(registration.authenticationSecret == Array(1...16))
        #expect(registration.endpoint == "https://push.example/token")
        #expect(registration.distributor == "org.unifiedpush.Distributor.kde")
        #expect(registration.serverKey == "key" && registration.name == "Tocsin")
        let known = ReceivedMessage(key: "known", date: fixture.now.wall)
        #expect(try await !store.recordMessage(known, of: .tocsin))
        let unknown = ReceivedMessage(key: "unknown", date: fixture.now.wall)
        #expect(try await store.recordMessage(unknown, of: .tocsin))
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

    /// With a damaged name, a store must not look like a store of another version.
    ///
    /// In a large store, nothing else shows this damage at a start.
    @Test(arguments: ["schema 3", "sghema 1", ""])
    func `a damaged name of a migration costs no request and is repaired`(
        name: String
    ) async throws {
        let filled = try fixture.open()
        for index in 0..<3 { try await filled.add(.after(60, "r\(index)")) }
        filled.close()
        try fixture.sqlite { database in
            try database.execute(
                sql: "UPDATE grdb_migrations SET identifier = ? WHERE identifier = 'schema 1'",
                arguments: [name])
        }
        for start in 1...2 {
            let store = try fixture.open()
            #expect(try await store.identifiers() == ["r0", "r1", "r2"])
            let records = try await store.records()
            #expect(records.count == 1, "start \(start) finds one repair")
            #expect(records.allSatisfy { $0.contains("nothing is missing") })
            store.close()
        }
        #expect(!fixture.exists(fixture.layout.damaged))
    }

    /// The row of a migration may be lost; the tables then show that the migration was made.
    @Test(arguments: ["schema 1", "schema 2"])
    func `a lost name of a migration costs no request`(name: String) async throws {
        let filled = try fixture.open()
        try await filled.add(.after(60, "r"))
        filled.close()
        try fixture.sqlite { database in
            try database.execute(
                sql: "DELETE FROM grdb_migrations WHERE identifier = ?", arguments: [name])
        }
        let store = try fixture.open()
        #expect(try await store.identifiers() == ["r"])
        store.close()
    }

    @Test func `the JSON of a request of version 1 is read and written back unchanged`() throws {
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
