import Foundation
import GRDB
import NotificationModel
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import NotificationStore

/// Fault 9 of `Tests/Faults.md`: a daemon is killed while it makes the tables of a store.
///
/// The migrator first makes the tables of version 1 and then those of later versions. The test thus
/// also covers a kill during a migration.
@Suite("Crashes while the tables of a store are made", .timeLimit(.minutes(2)))
struct MigrationCrashTests {
    @Test
    func `a process that dies at any statement of a migration leaves a usable store`() async throws
    {
        let fixture = try StoreFixture()
        try FileManager.default.createDirectory(
            atPath: fixture.layout.directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let count = Mutex(0)
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            database.add(function: RowChecksum.sqlFunction)
            database.trace { _ in
                // A process that dies here leaves the files of this step.
                let step = count.withLock { count in
                    count += 1
                    return count
                }
                Self.copy(fixture.layout, to: "\(fixture.directory.path)/\(step)")
            }
        }
        let database = try DatabaseQueue(
            path: fixture.layout.database, configuration: configuration)
        try await database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA journal_mode = WAL")
        }
        try CenterSchema.migrator.migrate(database)
        try database.close()
        let steps = count.withLock { $0 }
        #expect(steps > 10)
        for step in 1...steps {
            let layout = StoreLayout(directory: "\(fixture.directory.path)/\(step)")
            let store = try fixture.open(layout: layout)
            try await store.add(.sample("daily", .daily(at: 14)))
            #expect(try await store.identifiers() == ["daily"], "statement \(step)")
            #expect(!fixture.exists(layout.damaged), "statement \(step)")
            // A rescue that loses no row would still leave a record.
            #expect(try await store.records().isEmpty, "statement \(step)")
            store.close()
        }
        print("\(steps) statements at which the making of a store was cut")
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
