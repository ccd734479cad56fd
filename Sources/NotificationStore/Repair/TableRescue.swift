internal import Foundation
internal import GRDB
import NotificationModel

/// Copies one table of a damaged database to a new one.
struct TableRescue {
    /// The number of missing row numbers after which a table counts as read to its end.
    private static let maximumRowGap: Int64 = 10_000

    let table: String
    let source: Database
    let target: Database
    let columns: Set<String>
    let date: Instant
    /// Whether no row is missing in the new table.
    private(set) var isWhole = true
    /// The numbers of damaged rows that have a record: passes may read the same rows.
    private var recorded: Set<Int64> = []

    init(
        table: String, source: Database, target: Database, columns: Set<String>, date: Instant
    ) {
        self.table = table
        self.source = source
        self.target = target
        self.columns = columns
        self.date = date
    }

    /// Copies all readable rows; returns whether no row is missing.
    mutating func run() throws -> Bool {
        // Damage may make SQLite skip rows without an error.
        isWhole = (try? String.fetchOne(source, sql: "PRAGMA quick_check('\(table)')")) == "ok"
        guard let low = try copyInOrder("") else { return isWhole }
        isWhole = false
        let key = try target.primaryKey(table).columns.map { "\($0) DESC" }
        let high = try copyInOrder("ORDER BY " + key.joined(separator: ", "))
        if columns.contains("row") { try copySingly(between: low, and: high ?? 0) }
        return false
    }

    /// Reads from the damaged table; returns nil if that part of it is unreadable.
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

    /// Copies up to the first unreadable row; returns the last row number, or nil if all were read.
    private mutating func copyInOrder(_ order: String) throws -> Int64? {
        var last: Int64 = 0
        let sql = "SELECT * FROM \(table) NOT INDEXED \(order)"
        guard let rows = try Self.readable({ try Row.fetchCursor(source, sql: sql) }) else {
            return last
        }
        while let next = try Self.readable({ try rows.next() }) {
            guard let row = next else { return nil }
            try insert(row)
            last = row.checked("row") ?? last
        }
        return last
    }

    private mutating func copySingly(between low: Int64, and high: Int64) throws {
        let sql = "SELECT * FROM \(table) NOT INDEXED WHERE row = ?"
        guard let find = try Self.readable({ try source.makeStatement(sql: sql) }) else { return }
        // If nothing could be read from the end, the end is not known.
        let isEndKnown = high > low
        let end = isEndKnown ? high : .max
        var (number, last) = (low, low)
        while number < end - 1, number - last < Self.maximumRowGap {
            number += 1
            if try copyRow(number, with: find) { last = number }
        }
        guard isEndKnown else { return }
        // The search may have stopped at a gap before readable rows. So search from the end, too.
        let start = number
        (number, last) = (high, high)
        while number > start + 1, last - number < Self.maximumRowGap {
            number -= 1
            if try copyRow(number, with: find) { last = number }
        }
    }

    /// Copies the row of a number; returns false if there is no such row or it is unreadable.
    private mutating func copyRow(_ number: Int64, with find: Statement) throws -> Bool {
        guard let found = try Self.readable({ try Row.fetchOne(find, arguments: [number]) }),
            let row = found
        else { return false }
        try insert(row)
        return true
    }

    /// Inserts a row; skips a row that breaks a rule of its table, which damage can cause.
    private mutating func insert(_ row: Row) throws {
        guard Self.isIntact(row, of: table) != false else {
            // A damaged row would keep out a good row with the same key, or wait forever for a
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
