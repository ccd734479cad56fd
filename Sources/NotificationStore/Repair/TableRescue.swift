internal import Foundation
internal import GRDB
import NotificationModel

/// Copies one table of a damaged database to a new one.
struct TableRescue {
    let table: String
    let source: Database
    /// The file of `source`.
    let image: StoreImage
    let target: Database
    let columns: Set<String>
    let date: Instant
    /// Whether no row is missing in the new table.
    private(set) var isWhole = true
    /// The numbers of damaged rows that have a record: the rescue may read a row more than once.
    private var recorded: Set<Int64> = []

    init(
        table: String, source: Database, image: StoreImage, target: Database,
        columns: Set<String>, date: Instant
    ) {
        self.table = table
        self.source = source
        self.image = image
        self.target = target
        self.columns = columns
        self.date = date
    }

    /// Copies all readable rows; returns whether no row is missing.
    mutating func run() throws -> Bool {
        // Damage may make SQLite skip rows without an error.
        isWhole = (try? String.fetchOne(source, sql: "PRAGMA quick_check('\(table)')")) == "ok"
        guard try !copyInOrder("") else { return isWhole }
        isWhole = false
        let key = try target.primaryKey(table).columns.map { "\($0) DESC" }
        if try !copyInOrder("ORDER BY " + key.joined(separator: ", ")), columns.contains("row") {
            try copyByNumber()
        }
        return false
    }

    /// Reads from the damaged table; returns nil if that part of the table is unreadable.
    ///
    /// Throws if memory or descriptors are short, because that does not mean damage.
    private static func readable<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch {
            if StoreRescue.isShortage(error) { throw error }
            return nil
        }
    }

    /// Copies up to the first unreadable row; returns whether all rows were read.
    private mutating func copyInOrder(_ order: String) throws -> Bool {
        let sql = "SELECT * FROM \(table) NOT INDEXED \(order)"
        guard let rows = try Self.readable({ try Row.fetchCursor(source, sql: sql) }) else {
            return false
        }
        while let next = try Self.readable({ try rows.next() }) {
            guard let row = next else { return true }
            try insert(row)
        }
        return false
    }

    /// Copies each row by its number; the table's pages name the numbers.
    private mutating func copyByNumber() throws {
        let rootQuery = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?"
        let sql = "SELECT * FROM \(table) NOT INDEXED WHERE row = ?"
        guard
            let entry = try Self.readable({
                try Row.fetchOne(source, sql: rootQuery, arguments: [table])
            }),
            let root: Int64 = entry?.checked("rootpage"),
            let find = try Self.readable({ try source.makeStatement(sql: sql) })
        else { return }
        for number in try image.rowNumbers(ofTableAt: root) {
            guard let found = try Self.readable({ try Row.fetchOne(find, arguments: [number]) }),
                let row = found
            else { continue }
            try insert(row)
        }
    }

    /// Inserts a row; skips a row that is damaged or breaks a constraint of the table.
    private mutating func insert(_ row: Row) throws {
        guard Self.isIntact(row, of: table) != false else {
            // Skip the row: it would keep out a good row with the same key, or wait forever for a
            // wrong date.
            isWhole = false
            if let number: Int64 = row.checked("row"), !recorded.insert(number).inserted { return }
            return try StoreRescue.keepRecord(
                "damaged in the store", of: row.checked("app"), row.checked("identifier") ?? "",
                date: date, in: target)
        }
        // Copy columns by name: a store of an earlier version lacks some of them.
        try target.insert(row.filter { columns.contains($0.0) }, into: table)
        if target.changesCount == 0 { isWhole = false }
    }

    /// Whether a request or notification is as it was written; nil for a row of another table.
    static func isIntact(_ row: Row, of table: String) -> Bool? {
        switch table {
        case "request": StoreTable.request.isIntact(row)
        case "notification": StoreTable.notification.isIntact(row)
        default: nil
        }
    }
}
