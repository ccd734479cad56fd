internal import GRDB

extension CenterSchema {
    /// Which date of a repeating request fired last: it does not come again.
    static func registerLastDates(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("last dates") { database in
            try database.execute(sql: "ALTER TABLE request ADD COLUMN fired_wall INTEGER")
        }
    }
}
