internal import GRDB
import NotificationModel

/// One table of the store: what it has, and what becomes of its rows when their app takes another id,
/// when another store is taken over, when the store is rescued, and when an app is forgotten.
///
/// Schema, renaming, adoption, rescue and forgetting go over `all`; a test compares that with the
/// tables of a store.
struct StoreTable: Sendable {
    /// The fate of rows whose app takes another id.
    enum Renaming: Hashable, Sendable {
        /// They name no app.
        case none
        /// They go along, as far as they are intact; what the new id has under the same name stays.
        case moved(where: String = "1")
        /// The columns go along that the new id has not; see `AppColumn`.
        case columns
        /// Triggers keep them, and fill the table again when the store is rescued.
        case derived
    }

    /// The fate of the rows of a store that is taken over.
    enum Adoption: Hashable, Sendable {
        /// They stay: triggers keep them, they come with the rows they belong to, or they are about
        /// what only a daemon does.
        case none
        /// They are copied; what is here under the same name stays.
        case copied
        /// They are copied and get a new number, by which nothing of another store may be known here.
        case numbered
        /// The columns are copied that are missing here; see `AppColumn`.
        case columns
    }

    let name: String
    /// The columns and rules, as SQL declares them.
    let columns: String
    /// Indexes and triggers.
    var extras = ""
    /// The columns that the row's checksum covers, in order; none where it has none.
    var summed: [String] = []
    let renaming: Renaming
    let adoption: Adoption
    /// Whether an app is known by its rows here.
    var namesApps = false
    /// Whether its rows go when an app is forgotten of which nothing is in use.
    var isForgotten = false

    /// The statements that make the table.
    var sql: String {
        let end = columns.contains("INTEGER PRIMARY KEY") ? "" : " WITHOUT ROWID"
        return "CREATE TABLE \(name) (\n\(columns)\n)\(end);\n\(extras)\n"
    }

    static let all: [StoreTable] = [
        request, requestCount, attachmentFile, notification, response, launch, app, category,
        attachment, record, meta,
    ]

    /// The rows that GRDB keeps of its migrations.
    static let migrations = "grdb_migrations"

    static func named(_ name: String) -> StoreTable? { all.first { $0.name == name } }

    // MARK: - What waits

    /// Requests that wait or are on their way.
    ///
    /// A request has `boot_id` and `due_boot` while it counts on CLOCK_BOOTTIME of that boot, and
    /// only `due_wall` when it follows the wall clock; each index serves one of the two clocks, and
    /// names the app so that those of an app that has to wait are passed over without being read.
    /// `zone` is the user's zone by which `due_wall` was computed, where it floats with it.
    /// `state` is 0 while it waits and 1 from before `Notify` until its outcome is stored.
    /// `fired_wall` is the date of a repeating request that fired last: it does not come again.
    static let request = StoreTable(
        name: "request",
        columns: """
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
            """,
        extras: """
            CREATE INDEX request_due_wall ON request (due_wall, row, app)
                WHERE state = 0 AND boot_id IS NULL;
            CREATE INDEX request_due_boot ON request (due_boot, row, app)
                WHERE state = 0 AND boot_id NOT NULL;
            CREATE INDEX request_presenting ON request (row) WHERE state = 1;
            """,
        summed: ["app", "identifier", "due_wall", "due_boot", "payload"],
        // A row on its way is settled under the id with which it began, and comes along later.
        renaming: .moved(where: "state = 0"), adoption: .numbered, namesApps: true)

    /// The number of an app's waiting requests, and the bytes that these and its attachments take.
    ///
    /// Triggers keep it, so that a limit costs one look; a damaged row without content must not stop
    /// them. Requests on their way are few, and delivered notifications have limits of their own.
    private static let requestCount = StoreTable(
        name: "request_count",
        columns: "app TEXT PRIMARY KEY, pending INTEGER NOT NULL, bytes INTEGER NOT NULL DEFAULT 0",
        extras: """
            CREATE TRIGGER request_added AFTER INSERT ON request BEGIN \(came) END;
            CREATE TRIGGER request_removed AFTER DELETE ON request BEGIN \(left) END;
            CREATE TRIGGER request_changed AFTER UPDATE OF app, state, payload ON request
            BEGIN \(left) \(came) END;
            """,
        renaming: .derived, adoption: .none, namesApps: true, isForgotten: true)

    private static let came = """
        INSERT INTO request_count
        SELECT NEW.app, 1, COALESCE(length(NEW.payload), 0) WHERE NEW.state != 1
        ON CONFLICT (app) DO UPDATE SET pending = pending + 1, bytes = bytes + excluded.bytes;
        """
    private static let left = """
        UPDATE request_count
        SET pending = pending - 1, bytes = bytes - COALESCE(length(OLD.payload), 0)
        WHERE app = OLD.app AND OLD.state != 1;
        """

    /// The app that a file belongs to, and its size.
    private static let attachmentFile = StoreTable(
        name: "attachment_file",
        columns: "file TEXT PRIMARY KEY, app TEXT NOT NULL, size INTEGER NOT NULL",
        extras: """
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
            """, renaming: .moved(), adoption: .copied)

    // MARK: - What was shown and answered

    /// Delivered notifications.
    ///
    /// A notification has both `popup_id` and `popup_server` while it is on the screen, and
    /// `popup_server` alone where that server lost it and it may come back. `is_hidden` is 1 where
    /// its texts are hidden by a lock and are to be shown when that ends.
    static let notification = StoreTable(
        name: "notification",
        columns: """
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
            """,
        extras: """
            CREATE INDEX notification_popup ON notification (popup_server)
                WHERE popup_id NOT NULL;
            CREATE INDEX notification_app ON notification (app, row);
            CREATE INDEX notification_hidden ON notification (row) WHERE is_hidden = 1;
            """, summed: ["app", "identifier", "delivered_at", "payload"], renaming: .moved(),
        adoption: .numbered, namesApps: true)

    /// Responses of an app; `is_held` is 1 for one that waits until the session is unlocked.
    static let response = StoreTable(
        name: "response",
        columns: """
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            is_held INTEGER NOT NULL DEFAULT 0
            """,
        extras: """
            CREATE INDEX response_app ON response (app, row);
            CREATE INDEX response_held ON response (row) WHERE is_held = 1;
            """, summed: ["app", "payload"], renaming: .moved(), adoption: .numbered,
        namesApps: true)

    /// The starts of apps that are still to be done.
    ///
    /// A row is there from the response's own transaction until its app was started; `attempts` and
    /// `started_at` are written before each start, so that a daemon that is killed knows at its next
    /// start what may have happened already.
    private static let launch = StoreTable(
        name: "launch",
        columns: """
            response INTEGER PRIMARY KEY,
            mode INTEGER NOT NULL,
            wanted_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            started_at INTEGER
            """,
        extras: """
            CREATE TRIGGER response_removed AFTER DELETE ON response BEGIN
                DELETE FROM launch WHERE response = OLD.row;
            END;
            """, renaming: .none, adoption: .none)

    // MARK: - Apps

    static let app = StoreTable(
        name: "app", columns: AppColumns.declarations, renaming: .columns, adoption: .columns,
        namesApps: true, isForgotten: true)

    static let category = StoreTable(
        name: "category",
        columns: """
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (app, identifier)
            """, summed: ["app", "identifier", "payload"], renaming: .moved(), adoption: .copied,
        namesApps: true, isForgotten: true)

    // MARK: - Files, records, and what is said of the store itself

    /// Which rows show which files; adopted with the rows that show them.
    private static let attachment = StoreTable(
        name: "attachment",
        columns: """
            file TEXT NOT NULL,
            owner TEXT NOT NULL,
            owner_row INTEGER NOT NULL,
            PRIMARY KEY (file, owner, owner_row)
            """, extras: "CREATE INDEX attachment_owner ON attachment (owner, owner_row);",
        renaming: .none, adoption: .none)

    /// Which date of which notification was missed and by what kind of reason, with the title because
    /// the request is gone.
    static let record = StoreTable(
        name: "record",
        columns: """
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            app TEXT NOT NULL,
            identifier TEXT NOT NULL,
            message TEXT NOT NULL,
            due INTEGER,
            reason TEXT NOT NULL DEFAULT 'failed',
            title TEXT NOT NULL DEFAULT ''
            """,
        extras: """
            CREATE INDEX record_app ON record (app, row);
            CREATE INDEX record_age ON record (at);
            """, renaming: .moved(), adoption: .numbered)

    private static let meta = StoreTable(
        name: "meta", columns: "key TEXT PRIMARY KEY, value TEXT NOT NULL",
        extras: "INSERT INTO meta VALUES ('uuid', lower(hex(randomblob(16))));", renaming: .none,
        adoption: .none)
}

extension StoreTable {
    /// Whether the checksum of a row is right; false for a table without checksums.
    func isIntact(_ row: Row) -> Bool {
        let covered: [DatabaseValue] = summed.map { row.checked($0) ?? .null }
        return RowChecksum.of(covered) == row.checked("checksum")
    }

    /// Gives the rows of one id of an app to another, where they go along as rows.
    func rename(_ former: ApplicationID, to app: ApplicationID, in database: Database) throws {
        guard case .moved(let condition) = renaming else { return }
        var changes = "app = ?2"
        var intact = "1"
        if !summed.isEmpty {
            let others = summed.dropFirst().joined(separator: ", ")
            changes += ", checksum = row_checksum(?2, \(others))"
            intact = "checksum = row_checksum(?1, \(others))"
        }
        try database.run(
            """
            UPDATE OR IGNORE \(name) SET \(changes)
            WHERE app = ?1 AND \(condition) AND \(intact)
            """, [former.rawValue, app.rawValue])
    }
}

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
