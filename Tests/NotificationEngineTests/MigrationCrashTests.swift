import Foundation
import GRDB
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import NotificationEngine

/// Fault 9: a newer daemon is killed while it brings an older store up to date.
@Suite("Crashes while a store is brought up to date")
struct MigrationCrashTests {
    @Test("A process that dies at any statement leaves a store that opens whole")
    func everyStatement() async throws {
        let fixture = try StoreFixture()
        try await Self.makeOld(fixture)
        let count = Mutex(0)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.add(function: RowChecksum.sqlFunction)
            database.trace { _ in
                // What is in the files here is what a process that dies here leaves behind.
                let step = count.withLock { count in
                    count += 1
                    return count
                }
                Self.copy(fixture.layout, to: "\(fixture.directory.path)/\(step)")
            }
        }
        let database = try DatabaseQueue(
            path: fixture.layout.database, configuration: configuration)
        try CenterSchema.migrator.migrate(database)
        try database.close()
        let steps = count.withLock { $0 }
        #expect(steps > 10)
        for step in 1...steps {
            let layout = StoreLayout(directory: "\(fixture.directory.path)/\(step)")
            let store = try fixture.open(layout: layout)
            #expect(try await store.identifiers() == ["daily", "once"], "statement \(step)")
            #expect(!fixture.exists(layout.damaged), "statement \(step)")
            store.close()
        }
        print("\(steps) statements at which an upgrade was cut")
    }

    /// A store of the first version, with two requests.
    private static func makeOld(_ fixture: StoreFixture) async throws {
        let store = try fixture.open()
        try await store.add(.sample("daily", EngineTimeTests.daily(at: 14)))
        try await store.add(.sample("once", .interval(seconds: 90_000, repeats: false)))
        store.close()
        let path = fixture.layout.database
        try FileManager.default.moveItem(atPath: path, toPath: path + ".newer")
        try fillOld(path, from: path + ".newer")
        try FileManager.default.removeItem(atPath: path + ".newer")
    }

    private static func fillOld(_ path: String, from newer: String) throws {
        let database = try DatabaseQueue(path: path)
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try CenterSchema.migrator.migrate(database, upTo: "1")
        try database.writeWithoutTransaction { database in
            let columns = try database.columns(in: "request").map(\.name).joined(separator: ", ")
            try database.execute(sql: "ATTACH ? AS newer", arguments: [newer])
            try database.execute(
                sql: """
                    INSERT INTO request (\(columns)) SELECT \(columns) FROM newer.request;
                    INSERT OR REPLACE INTO meta SELECT * FROM newer.meta;
                    DETACH newer;
                    """)
        }
        try database.close()
    }

    private static func copy(_ layout: StoreLayout, to directory: String) {
        let files = FileManager.default
        try? files.createDirectory(
            atPath: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for suffix in ["", "-wal", "-journal"] {
            try? files.copyItem(
                atPath: layout.database + suffix, toPath: "\(directory)/center.sqlite\(suffix)")
        }
    }
}
