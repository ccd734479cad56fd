internal import GRDB

/// The tables of the store.
///
/// A later version adds a migration; nothing is released, so there is one.
enum CenterSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // No name of a development version, whose stores have other tables.
        migrator.registerMigration("schema 1") { database in
            try database.execute(sql: requests + notifications + responses + apps + rest)
        }
        return migrator
    }

    /// What waits, and how much of it each app has.
    ///
    /// A request has `boot_id` and `due_boot` while it counts on CLOCK_BOOTTIME of that boot, and
    /// only `due_wall` when it follows the wall clock; each index serves one of the two clocks, and
    /// names the app so that those of an app that has to wait are passed over without being read.
    /// `zone` is the user's zone by which `due_wall` was computed, where it floats with it.
    /// `state` is 0 while it waits and 1 from before `Notify` until its outcome is stored.
    /// `fired_wall` is the date of a repeating request that fired last: it does not come again.
    ///
    /// `request_count` has the number of an app's requests and the bytes that these and its
    /// attachments take. Triggers keep it, so that a limit costs one look; a damaged row without
    /// content must not stop them. What was delivered has limits of its own.
    private static let requests = """
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
            fired_wall INTEGER,
            UNIQUE (app, identifier)
        );
        CREATE INDEX request_due_wall ON request (due_wall, row, app)
            WHERE state = 0 AND boot_id IS NULL;
        CREATE INDEX request_due_boot ON request (due_boot, row, app)
            WHERE state = 0 AND boot_id NOT NULL;
        CREATE INDEX request_presenting ON request (row) WHERE state = 1;

        CREATE TABLE request_count (
            app TEXT PRIMARY KEY, pending INTEGER NOT NULL, bytes INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE TABLE attachment_file (
            file TEXT PRIMARY KEY, app TEXT NOT NULL, size INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TRIGGER request_added AFTER INSERT ON request BEGIN
            INSERT INTO request_count VALUES (NEW.app, 1, length(NEW.payload))
            ON CONFLICT (app) DO UPDATE SET pending = pending + 1, bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER request_removed AFTER DELETE ON request BEGIN
            UPDATE request_count
            SET pending = pending - 1, bytes = bytes - COALESCE(length(OLD.payload), 0)
            WHERE app = OLD.app;
        END;
        CREATE TRIGGER request_revised AFTER UPDATE OF payload ON request BEGIN
            UPDATE request_count SET bytes = bytes
                + COALESCE(length(NEW.payload), 0) - COALESCE(length(OLD.payload), 0)
            WHERE app = NEW.app;
        END;
        CREATE TRIGGER request_renamed AFTER UPDATE OF app ON request BEGIN
            UPDATE request_count SET pending = pending - 1, bytes = bytes - length(NEW.payload)
            WHERE app = OLD.app;
            INSERT INTO request_count VALUES (NEW.app, 1, length(NEW.payload))
            ON CONFLICT (app) DO UPDATE SET pending = pending + 1, bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER attachment_file_added AFTER INSERT ON attachment_file BEGIN
            INSERT INTO request_count VALUES (NEW.app, 0, NEW.size)
            ON CONFLICT (app) DO UPDATE SET bytes = bytes + excluded.bytes;
        END;
        CREATE TRIGGER attachment_file_removed AFTER DELETE ON attachment_file BEGIN
            UPDATE request_count SET bytes = bytes - OLD.size WHERE app = OLD.app;
        END;
        CREATE TRIGGER attachment_file_renamed AFTER UPDATE OF app ON attachment_file BEGIN
            UPDATE request_count SET bytes = bytes - NEW.size WHERE app = OLD.app;
            INSERT INTO request_count VALUES (NEW.app, 0, NEW.size)
            ON CONFLICT (app) DO UPDATE SET bytes = bytes + excluded.bytes;
        END;

        """

    /// What was delivered.
    ///
    /// A notification has both `popup_id` and `popup_server` while it is on the screen, and
    /// `popup_server` alone where that server lost it and it may come back. `is_hidden` is 1 where
    /// its texts are hidden by a lock and are to be shown when that ends.
    private static let notifications = """
        CREATE TABLE notification (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            delivered_at INTEGER NOT NULL,
            popup_id INTEGER,
            popup_server TEXT,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            is_hidden INTEGER NOT NULL DEFAULT 0,
            UNIQUE (app, identifier)
        );
        CREATE INDEX notification_popup ON notification (popup_server) WHERE popup_id NOT NULL;
        CREATE INDEX notification_app ON notification (app, row);
        CREATE INDEX notification_age ON notification (delivered_at);
        CREATE INDEX notification_hidden ON notification (row) WHERE is_hidden = 1;

        """

    /// What apps have to hear, and the starts that are still to be done for it.
    ///
    /// `is_held` is 1 for a response that waits until the session is unlocked. A row of `launch` is
    /// there from the response's own transaction until its app was started; `attempts` and
    /// `started_at` are written before each start, so that a daemon that is killed knows at its next
    /// start what may have happened already.
    private static let responses = """
        CREATE TABLE response (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            is_held INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX response_app ON response (app, row);
        CREATE INDEX response_held ON response (row) WHERE is_held = 1;
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

        """

    /// What is known of each app, and what the user lets it do.
    ///
    /// `denied_on` names the desktops whose own switch of an app was turned off because the user
    /// denied it here: one that is on again was turned by the user.
    private static let apps = """
        CREATE TABLE application (
            app TEXT PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE category (
            app TEXT NOT NULL, identifier TEXT NOT NULL,
            payload BLOB NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (app, identifier)
        ) WITHOUT ROWID;
        CREATE TABLE permission (
            app TEXT PRIMARY KEY,
            status INTEGER NOT NULL,
            options INTEGER NOT NULL,
            checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE badge (
            app TEXT PRIMARY KEY, count INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE previews (
            app TEXT PRIMARY KEY, value INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE launch_command (
            app TEXT PRIMARY KEY, payload BLOB NOT NULL, checksum INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE denied_on (
            app TEXT NOT NULL, desktop TEXT NOT NULL, PRIMARY KEY (app, desktop)
        ) WITHOUT ROWID;

        """

    /// Who uses which file; which date of which notification was missed, and by what kind of reason,
    /// with the title because the request is gone; and what is said of the store itself.
    private static let rest = """
        CREATE TABLE attachment (
            file TEXT NOT NULL, owner TEXT NOT NULL, owner_row INTEGER NOT NULL,
            PRIMARY KEY (file, owner, owner_row)
        ) WITHOUT ROWID;
        CREATE INDEX attachment_owner ON attachment (owner, owner_row);

        CREATE TABLE record (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            message TEXT NOT NULL,
            due INTEGER,
            reason TEXT NOT NULL DEFAULT 'failed',
            title TEXT NOT NULL DEFAULT ''
        );
        CREATE INDEX record_app ON record (app, row);
        CREATE INDEX record_age ON record (at);

        CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        INSERT INTO meta VALUES ('uuid', lower(hex(randomblob(16))));
        """
}
