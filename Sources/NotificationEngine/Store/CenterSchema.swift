internal import GRDB

/// The tables of the store, one migration per version that was ever released.
enum CenterSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(sql: version1)
        }
        registerPermissions(in: &migrator)
        registerLaunching(in: &migrator)
        registerLastDates(in: &migrator)
        registerUsage(in: &migrator)
        registerRecords(in: &migrator)
        registerSwitches(in: &migrator)
        registerLocking(in: &migrator)
        return migrator
    }

    /// The tables of the first version.
    ///
    /// A request has `boot_id` and `due_boot` while it counts on CLOCK_BOOTTIME of that boot, and
    /// only `due_wall` when it follows the wall clock; each index serves one of the two clocks, and
    /// names the app so that those of an app that has to wait are passed over without being read.
    /// `zone` is the person's zone by which `due_wall` was computed, where it floats with it.
    /// `state` is 0 while it waits and 1 from before `Notify` until its outcome is stored.
    ///
    /// A notification has both `popup_id` and `popup_server` while it is on the screen, and
    /// `popup_server` alone where that server lost it and it may come back.
    private static let version1 = """
        CREATE TABLE request (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            state INTEGER NOT NULL DEFAULT 0 CHECK (state IN (0, 1)),
            due_wall INTEGER NOT NULL,
            boot_id TEXT,
            due_boot INTEGER,
            zone TEXT,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            UNIQUE (app, identifier)
        );
        CREATE INDEX request_due_wall ON request (due_wall, row, app)
            WHERE state = 0 AND boot_id IS NULL;
        CREATE INDEX request_due_boot ON request (due_boot, row, app)
            WHERE state = 0 AND boot_id NOT NULL;
        CREATE INDEX request_presenting ON request (row) WHERE state = 1;

        CREATE TABLE request_count (app TEXT PRIMARY KEY, pending INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TRIGGER request_added AFTER INSERT ON request BEGIN
            INSERT INTO request_count VALUES (NEW.app, 1)
            ON CONFLICT (app) DO UPDATE SET pending = pending + 1;
        END;
        CREATE TRIGGER request_removed AFTER DELETE ON request BEGIN
            UPDATE request_count SET pending = pending - 1 WHERE app = OLD.app;
        END;

        CREATE TABLE notification (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            delivered_at INTEGER NOT NULL,
            popup_id INTEGER,
            popup_server TEXT,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            UNIQUE (app, identifier)
        );
        CREATE INDEX notification_popup ON notification (popup_server) WHERE popup_id NOT NULL;
        CREATE INDEX notification_app ON notification (app, row);
        CREATE INDEX notification_age ON notification (delivered_at);

        CREATE TABLE response (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL
        );
        CREATE INDEX response_app ON response (app, row);

        CREATE TABLE application (
            app TEXT PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE category (
            app TEXT NOT NULL, identifier TEXT NOT NULL,
            payload BLOB NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (app, identifier)
        ) WITHOUT ROWID;

        CREATE TABLE attachment (
            file TEXT NOT NULL, owner TEXT NOT NULL, owner_row INTEGER NOT NULL,
            PRIMARY KEY (file, owner, owner_row)
        ) WITHOUT ROWID;
        CREATE INDEX attachment_owner ON attachment (owner, owner_row);

        CREATE TABLE record (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL, app TEXT NOT NULL, identifier TEXT NOT NULL, message TEXT NOT NULL
        );
        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        INSERT INTO meta VALUES ('uuid', lower(hex(randomblob(16))));
        """
}
