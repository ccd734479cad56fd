internal import GRDB

extension CenterSchema {
    /// How many bytes each app has in the store: its waiting requests, and its attachments as long as
    /// anything shows them.
    ///
    /// Kept by triggers beside the number of its requests, so that a limit costs one look; a damaged
    /// row without content must not stop them. What was delivered has limits of its own.
    static func registerUsage(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("usage") { database in
            try database.execute(sql: usage)
        }
    }

    private static let usage = """
        ALTER TABLE request_count ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        UPDATE request_count SET bytes = COALESCE(
            (SELECT SUM(length(payload)) FROM request WHERE request.app = request_count.app), 0);
        CREATE TABLE attachment_file (
            file TEXT PRIMARY KEY, app TEXT NOT NULL, size INTEGER NOT NULL
        ) WITHOUT ROWID;

        DROP TRIGGER request_added;
        DROP TRIGGER request_removed;
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
}
