internal import GRDB

extension CenterSchema {
    /// What outlives the daemon about a locked session: the popups that are to get their texts back,
    /// the answers that wait until it is unlocked, and when people want to see the texts of an app.
    static func registerLocking(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("locking") { database in
            try database.execute(
                sql: """
                    ALTER TABLE notification ADD COLUMN is_hidden INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX notification_hidden ON notification (row) WHERE is_hidden = 1;
                    ALTER TABLE response ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX response_held ON response (row) WHERE is_held = 1;
                    CREATE TABLE previews (
                        app TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    """)
        }
    }
}
