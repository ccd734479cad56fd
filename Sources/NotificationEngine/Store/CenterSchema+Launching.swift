internal import GRDB

extension CenterSchema {
    /// How apps are started again, and for which responses that is still to be done.
    ///
    /// A row of `launch` is there from the response's own transaction until its app was started;
    /// `attempts` and `started_at` are written before each start, so that a daemon that is killed
    /// knows at its next start what may have happened already.
    static func registerLaunching(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("launching") { database in
            try database.execute(
                sql: """
                    CREATE TABLE launch_command (
                        app TEXT PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE TABLE launch (
                        response INTEGER PRIMARY KEY,
                        mode INTEGER NOT NULL,
                        wanted_at INTEGER NOT NULL,
                        attempts INTEGER NOT NULL DEFAULT 0,
                        started_at INTEGER
                    );
                    CREATE TRIGGER response_removed AFTER DELETE ON response BEGIN
                        DELETE FROM launch WHERE response = OLD.row;
                    END;
                    """)
        }
    }
}
