internal import GRDB

extension CenterSchema {
    /// The desktops whose own switch of an app was turned off because the person denied it here: one
    /// that is on again was turned by the person.
    static func registerSwitches(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("switches") { database in
            try database.execute(
                sql: """
                    CREATE TABLE denied_on (
                        app TEXT NOT NULL, desktop TEXT NOT NULL, PRIMARY KEY (app, desktop)
                    ) WITHOUT ROWID;
                    """)
        }
    }
}
