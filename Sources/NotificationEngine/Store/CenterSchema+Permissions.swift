internal import GRDB

extension CenterSchema {
    /// What people allow their apps, and the numbers on the apps' icons.
    static func registerPermissions(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("permissions and badges") { database in
            try database.execute(
                sql: """
                    CREATE TABLE permission (
                        app TEXT PRIMARY KEY,
                        status INTEGER NOT NULL,
                        options INTEGER NOT NULL,
                        checksum INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TABLE badge (
                        app TEXT PRIMARY KEY, count INTEGER NOT NULL, checksum INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    """)
        }
    }
}
