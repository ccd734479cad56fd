internal import GRDB
import NotificationModel

/// One table of the store.
///
/// It owns the table's SQL, and decides the fate of the table's rows in four cases:
///
/// - An app takes another id.
/// - The store forgets an app.
/// - The store takes over another store.
/// - A rescue copies the rows of a damaged store.
///
/// The code for the schema and for the first three cases loops over `all`, so no table is missed. A
/// rescue reads the list of tables from the schema. A test compares `all` with the tables of a
/// store.
///
/// It never starts this work: `CenterStore`, `StoreAdoption` and `StoreRescue` do.
struct StoreTable: Sendable {
    /// The fate of rows whose app takes another id.
    enum Renaming: Hashable, Sendable {
        /// The rows name no app.
        case none
        /// Intact rows move, unless the new id has a row with the same key.
        case moved(where: String = "1")
        /// Values of some columns move, if the new id has no value there; see `AppColumn`.
        case columns
        /// Triggers maintain the rows, and fill the table again when the store is rescued.
        case derived
    }

    /// The fate of the rows of a store that is taken over.
    enum Adoption: Hashable, Sendable {
        /// Adoption skips the table, for one of these reasons:
        ///
        /// - Triggers maintain the table.
        /// - Each row is copied together with the row that owns it.
        /// - Only the daemon of the other store needs the rows.
        case none
        /// Rows are copied, unless this store has a row with the same key.
        case copied
        /// Rows are copied with new numbers, because their numbers may be in use here. A response
        /// keeps its number, because its app knows the number.
        case numbered
        /// For each app, the columns that have no value in this store are copied; see `AppColumn`.
        case columns
    }

    let name: String
    let columns: String
    var extras = ""
    /// The columns that the row's checksum covers, in order; empty without a checksum.
    var summed: [String] = []
    let renaming: Renaming
    let adoption: Adoption
    /// Whether an app with a row in this table counts as known.
    var namesApps = false
    /// Whether the rows of an app are deleted when the store forgets the app.
    var isForgotten = false
    /// Whether the store keeps an app that has a row in this table.
    var keepsApps = false
    /// The version of the schema that added the table.
    var since = 1

    var sql: String {
        let end = columns.contains("INTEGER PRIMARY KEY") ? "" : " WITHOUT ROWID"
        return "CREATE TABLE \(name) (\n\(columns)\n)\(end);\n\(extras)\n"
    }

    static let all: [StoreTable] = [
        request, requestCount, attachmentFile, notification, response, launch, app, category,
        attachment, record, meta, pushRegistration, pushMessage,
    ]

    /// The version of the schema.
    static let schemaVersion = 2

    /// The table in which GRDB records its migrations.
    static let migrations = "grdb_migrations"

    static func named(_ name: String) -> StoreTable? { all.first { $0.name == name } }

    // MARK: - Pending requests

    /// Requests that are pending or being presented.
    ///
    /// A request that counts on CLOCK_BOOTTIME has `boot_id` and `due_boot` while that boot lasts.
    /// A request that follows the wall clock has only `due_wall`.
    ///
    /// Each clock has its own index. Both indexes contain `app`, so that a query need not read the
    /// rows of excluded apps.
    ///
    /// - `zone` is the user's time zone in which `due_wall` was computed, if the date follows that
    ///   zone.
    /// - `state` is 0 while the request is pending, and 1 while it is being presented.
    /// - `fired_wall` is the last date on which a repeating request fired or was skipped; it does
    ///   not fire on that date again.
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
        // A row that is being presented moves later: it keeps its id until its outcome is stored.
        renaming: .moved(where: "state = 0"), adoption: .numbered, namesApps: true,
        keepsApps: true)

    /// For each app: the number of pending requests, and the bytes of these requests and of the
    /// app's attachments together.
    ///
    /// Triggers maintain the counts, so that a limit check reads one row. Requests that are being
    /// presented are few and not counted; delivered notifications have separate limits.
    ///
    /// `COALESCE` is for a damaged row without content: such a row must not make the triggers fail.
    private static let requestCount = StoreTable(
        name: "request_count",
        columns: "app TEXT PRIMARY KEY, pending INTEGER NOT NULL, bytes INTEGER NOT NULL DEFAULT 0",
        extras: """
            CREATE TRIGGER request_added AFTER INSERT ON request BEGIN \(countAddedRow) END;
            CREATE TRIGGER request_removed AFTER DELETE ON request BEGIN \(countRemovedRow) END;
            CREATE TRIGGER request_changed AFTER UPDATE OF app, state, payload ON request
            BEGIN \(countRemovedRow) \(countAddedRow) END;
            """,
        renaming: .derived, adoption: .none, namesApps: true, isForgotten: true)

    private static let countAddedRow = """
        INSERT INTO request_count
        SELECT NEW.app, 1, COALESCE(length(NEW.payload), 0) WHERE NEW.state != 1
        ON CONFLICT (app) DO UPDATE SET pending = pending + 1, bytes = bytes + excluded.bytes;
        """
    private static let countRemovedRow = """
        UPDATE request_count
        SET pending = pending - 1, bytes = bytes - COALESCE(length(OLD.payload), 0)
        WHERE app = OLD.app AND OLD.state != 1;
        """

    /// The app and the size of each attachment's file.
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

    // MARK: - Delivered notifications and responses

    /// Delivered notifications.
    ///
    /// A notification on the screen has `popup_id` and `popup_server`. A notification whose server
    /// lost the popup has only `popup_server`, and its popup may be restored. `is_hidden` is 1 if
    /// the popup hides its texts until the session is unlocked.
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
        adoption: .numbered, namesApps: true, keepsApps: true)

    /// Responses of an app; `is_deferred` is 1 for a response that is deferred until the session is
    /// unlocked.
    static let response = StoreTable(
        name: "response",
        columns: """
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL,
            is_deferred INTEGER NOT NULL DEFAULT 0
            """,
        extras: """
            CREATE INDEX response_app ON response (app, row);
            CREATE INDEX response_held ON response (row) WHERE is_deferred = 1;
            """, summed: ["app", "payload"], renaming: .moved(), adoption: .numbered,
        namesApps: true, keepsApps: true)

    /// The pending starts of apps, each for one response.
    ///
    /// The transaction that stores or releases the response adds the row. `endLaunches` deletes the
    /// row when no start is needed any more.
    ///
    /// `beginLaunch` writes `attempts` and `started_at` before each start. So if a daemon is
    /// killed, the next one knows which apps that daemon may already have started.
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

    // MARK: - Files, records and metadata

    /// For each file, the requests, notifications and responses that have it as an attachment.
    ///
    /// Adoption copies these rows together with their owners.
    private static let attachment = StoreTable(
        name: "attachment",
        columns: """
            file TEXT NOT NULL,
            owner TEXT NOT NULL,
            owner_row INTEGER NOT NULL,
            PRIMARY KEY (file, owner, owner_row)
            """, extras: "CREATE INDEX attachment_owner ON attachment (owner, owner_row);",
        renaming: .none, adoption: .none)

    /// The missed dates of notifications, each with its reason.
    ///
    /// A record holds the title, because its request may be gone.
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

    // MARK: - Remote notifications

    /// The registrations of apps for remote notifications, with their keys.
    ///
    /// A message names its app only by the `token`, so the store finds the row by the token. A row
    /// is a secret: the store and its directory are readable by their owner alone.
    static let pushRegistration = StoreTable(
        name: "push_registration",
        columns: """
            app TEXT PRIMARY KEY,
            token TEXT NOT NULL UNIQUE,
            payload BLOB NOT NULL,
            checksum INTEGER NOT NULL
            """, summed: ["app", "token", "payload"], renaming: .moved(), adoption: .copied,
        namesApps: true, isForgotten: true, keepsApps: true, since: 2)

    /// The keys of the messages that were received, so that no message is shown twice.
    ///
    /// If the message has a request, the transaction that stores the request also stores the row.
    /// `CenterStore` drops the oldest rows.
    static let pushMessage = StoreTable(
        name: "push_message",
        columns: """
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            app TEXT NOT NULL,
            message TEXT NOT NULL UNIQUE,
            received_at INTEGER NOT NULL
            """, extras: "CREATE INDEX push_message_age ON push_message (received_at);",
        renaming: .moved(), adoption: .numbered, isForgotten: true, since: 2)

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

    /// Moves the rows of a former id to another id of the same app, if the table's rows move.
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

/// The migrations that make the tables of the store.
///
/// Users have stores of version 1, so the tables of version 1 stay as they are. `FrozenStoreTests`
/// checks that.
///
/// - In a new table, `since` is the version that adds the table.
/// - A change of a table adds a migration, and `schema 1` then needs the SQL of the former table.
enum CenterSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Do not reuse a migration's name from a development version: the stores of that version
        // have other tables.
        for version in 1...StoreTable.schemaVersion {
            migrator.registerMigration(name(version)) { database in
                let tables = StoreTable.all.filter { $0.since == version }
                try database.execute(sql: tables.map(\.sql).joined())
            }
        }
        return migrator
    }

    private static func name(_ version: Int) -> String { "schema \(version)" }

    /// Whether a newer version made the tables; throws if damage changed the names of migrations.
    ///
    /// A newer version stores more names, so no version may merge migrations. Damage does not add
    /// names. With a damaged schema, SQLite may read the rows of another table, which have no known
    /// names.
    static func isNewer(_ database: Database) throws -> Bool {
        let tables: [String] = try database.values(
            "SELECT name FROM sqlite_schema WHERE type = 'table'")
        let stored: [String] =
            try tables.contains(StoreTable.migrations)
            ? database.values(
                "SELECT CAST(ifnull(identifier, '') AS TEXT) FROM \(StoreTable.migrations)") : []
        let (names, known) = (Set(stored), Set((1...StoreTable.schemaVersion).map(name)))
        // If damage raises a page's number of rows, SQLite reads a row without a name.
        if names.count > known.count, !names.contains(""), !names.isDisjoint(with: known) {
            return true
        }
        let made = StoreTable.all.filter { tables.contains($0.name) }.map { name($0.since) }
        guard names.isSubset(of: known), names.isSuperset(of: made) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a migration's name is wrong")
        }
        return false
    }
}
