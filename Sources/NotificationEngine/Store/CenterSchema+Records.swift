internal import GRDB

extension CenterSchema {
    /// Which date of which notification came to nothing, and by what kind of reason.
    ///
    /// The title is kept because the request is gone; it goes with the record, as late as the
    /// content of what was delivered does.
    static func registerRecords(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("records") { database in
            try database.execute(
                sql: """
                    ALTER TABLE record ADD COLUMN due INTEGER;
                    ALTER TABLE record ADD COLUMN reason TEXT NOT NULL DEFAULT 'failed';
                    ALTER TABLE record ADD COLUMN title TEXT NOT NULL DEFAULT '';
                    CREATE INDEX record_app ON record (app, row);
                    CREATE INDEX record_age ON record (at);
                    """)
        }
    }
}
