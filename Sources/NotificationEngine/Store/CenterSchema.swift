internal import GRDB

/// The tables of the store.
///
/// A later version adds a migration; nothing is released, so there is one.
enum CenterSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // No name of a development version, whose stores have other tables.
        migrator.registerMigration("schema 1") { database in
            try database.execute(sql: StoreTable.all.map(\.sql).joined())
        }
        return migrator
    }
}
