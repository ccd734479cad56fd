internal import Foundation
internal import GRDB
import NotificationModel

// MARK: - Statements

extension Database {
    /// Runs a statement that SQLite compiles once.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The rows of a query that SQLite compiles once.
    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// The values in the first column of a query; values of another type are left out.
    func values<Value: DatabaseValueConvertible>(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws -> [Value] {
        try DatabaseValue.fetchAll(cachedStatement(sql: sql), arguments: arguments)
            .compactMap(Value.fromDatabaseValue)
    }

    func value<Value: DatabaseValueConvertible>(
        _ sql: String, _ arguments: StatementArguments = []
    ) throws -> Value? {
        try DatabaseValue.fetchOne(cachedStatement(sql: sql), arguments: arguments)
            .flatMap(Value.fromDatabaseValue)
    }

    /// A list of row numbers as an operand of `IN`, and its argument.
    ///
    /// A single row number stays a number. Every longer or empty list becomes a JSON array, so
    /// SQLite compiles one statement for all these lengths.
    static func list(_ rows: [Int64]) -> (sql: String, argument: any DatabaseValueConvertible) {
        if rows.count == 1 { return ("(?)", rows[0]) }
        let numbers = rows.map(String.init).joined(separator: ",")
        return ("(SELECT value FROM json_each(?))", "[\(numbers)]")
    }

    /// Inserts a row of these columns, unless it breaks a constraint, such as a unique key.
    func insert(
        _ columns: [(name: String, value: DatabaseValue)], into table: String
    ) throws {
        let names = columns.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
        let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        try run(
            "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))",
            StatementArguments(columns.map { $0.value as (any DatabaseValueConvertible)? }))
    }
}

// MARK: - Rows

extension Row {
    /// The value of a column; nil if it has another type, or the row has no such column.
    ///
    /// A damaged page may hold anything, and GRDB's typed subscripts would stop the program.
    func checked<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        let value: (any DatabaseValueConvertible)? = self[column]
        return value.flatMap { Value.fromDatabaseValue($0.databaseValue) }
    }

    /// The value of a column by its position; nil if it has another type.
    func checked<Value: DatabaseValueConvertible>(_ place: Int) -> Value? {
        Value.fromDatabaseValue(self[place])
    }

    func checked(_ column: String) -> ApplicationID? {
        (checked(column) as String?).flatMap { try? ApplicationID($0) }
    }

    func checked(_ column: String) -> Instant? {
        (checked(column) as Int64?).map(Instant.init(microseconds:))
    }

    var key: NotificationKey? {
        guard let app: ApplicationID = checked("app"),
            let identifier: String = checked("identifier")
        else { return nil }
        return NotificationKey(app: app, identifier: identifier)
    }
}

extension NotificationKey {
    /// The key as the columns of a row, app and identifier.
    var columns: StatementArguments { [app.rawValue, identifier] }
}

/// A row of the request table, before its content is decoded.
struct RequestRow: Sendable {
    var row: Int64
    var app: String
    var identifier: String
    var state: Int64
    var due: DueTime
    var payload: Data
    var checksum: Int64

    /// The beginning of every statement that reads such rows.
    ///
    /// Columns are read by position, because a lookup by name takes longer than reading the row.
    static let selection = """
        SELECT row, app, identifier, state, due_wall, due_boot, zone, fired_wall, payload, checksum
        FROM request
        """

    /// Reads a row of the selection.
    ///
    /// Missing columns of a damaged row stay empty: the checksum reveals the damage.
    init(_ row: Row) {
        self.row = row.checked(0) ?? 0
        app = row.checked(1) ?? ""
        identifier = row.checked(2) ?? ""
        state = row.checked(3) ?? 0
        due = DueTime(
            wall: Instant(microseconds: row.checked(4) ?? 0), boot: row.checked(5),
            zone: row.checked(6), fired: row.checked(7).map(Instant.init(microseconds:)))
        payload = row.checked(8) ?? Data()
        checksum = row.checked(9) ?? 0
    }

    /// Whether the checksum fits the values that it covers.
    var isIntact: Bool {
        checksum == RowChecksum.of(app, identifier, due.wall.microseconds, due.boot, payload)
    }

    static func checksum(_ key: NotificationKey, _ due: DueTime, _ payload: Data) -> Int64 {
        RowChecksum.of(
            key.app.rawValue, key.identifier, due.wall.microseconds, due.boot, payload)
    }
}

extension NotificationRecord {
    /// Makes the record of a row; damaged columns stay empty.
    init(_ row: Row) {
        self.init(
            app: row.checked("app"), identifier: row.checked("identifier") ?? "",
            title: row.checked("title") ?? "",
            date: row.checked("at") ?? Instant(microseconds: 0), due: row.checked("due"),
            reason: .init(rawValue: row.checked("reason") ?? "failed"),
            message: row.checked("message") ?? "")
    }
}
