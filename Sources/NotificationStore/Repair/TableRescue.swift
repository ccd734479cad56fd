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

    /// Copies up to the first unreadable row; returns the last row number, or nil if all were read.
    private mutating func copyInOrder(_ order: String) throws -> Int64? {
        var last: Int64 = 0
        guard
            let rows = try? Row.fetchCursor(
                source, sql: "SELECT * FROM \(table) NOT INDEXED \(order)")
        else { return last }
        while true {
            let row: Row?
            do {
                row = try rows.next()
            } catch {
                if StoreRescue.isShortage(error) { throw error }
                return last
            }
            guard let row else { return nil }
            try insert(row)
            last = row.checked("row") ?? last
        }
    }

    private mutating func copySingly(between low: Int64, and high: Int64) throws {
        guard
            let find = try? source.makeStatement(
                sql: "SELECT * FROM \(table) NOT INDEXED WHERE row = ?")
        else { return }
        // If nothing could be read from the end, the end is not known.
        let end = high > low ? high : .max
        var (number, last) = (low, low)
        while number < end - 1, number - last < Self.maximumRowGap {
            number += 1
            guard let row = try? Row.fetchOne(find, arguments: [number]) else { continue }
            try insert(row)
            last = number
        }
    }

    /// Inserts a row; skips a row that breaks a rule of its table, which damage can cause.
    private mutating func insert(_ row: Row) throws {
        guard Self.isIntact(row, of: table) != false else {
            // A damaged row would keep out a good row with the same key, or wait forever for a
            // wrong date.
            isWhole = false
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
