internal import Foundation
internal import GRDB
import NotificationModel

/// One table on its way from a damaged database to a new one.
struct TableRescue {
    /// How many numbers without a row are tried before a table counts as read to its end.
    private static let maximumRowGap: Int64 = 10_000

    let table: String
    let source: Database
    let target: Database
    /// The columns of the new table.
    let columns: Set<String>
    let date: Instant
    /// Whether no row is missing in the new table.
    private(set) var isWhole = true

    /// Copies all rows that can be read; whether nothing is missing.
    mutating func run() throws -> Bool {
        // Damage may make SQLite pass over rows without an error.
        isWhole = (try? String.fetchOne(source, sql: "PRAGMA quick_check('\(table)')")) == "ok"
        guard let low = try copyInOrder("") else { return isWhole }
        isWhole = false
        let key = try target.primaryKey(table).columns.map { "\($0) DESC" }
        let high = try copyInOrder("ORDER BY " + key.joined(separator: ", "))
        if columns.contains("row") { try copySingly(between: low, and: high ?? 0) }
        return false
    }

    /// Copies up to the first unreadable row; returns the last one's number, or nil at the end.
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
        // Nothing could be read from the end: then the end is not known either.
        let end = high > low ? high : .max
        var (number, last) = (low, low)
        while number < end - 1, number - last < Self.maximumRowGap {
            number += 1
            guard let row = try? Row.fetchOne(find, arguments: [number]) else { continue }
            try insert(row)
            last = number
        }
    }

    /// Passes over a row that breaks a rule of its table, as damage may make one.
    private mutating func insert(_ row: Row) throws {
        guard Self.isIntact(row, of: table) != false else {
            // It would keep a good row of the same name out, or wait behind a wrong due time for
            // ever.
            isWhole = false
            return try StoreRescue.keep(
                "damaged in the store", of: row.checked("app"), row.checked("identifier") ?? "",
                date: date, in: target)
        }
        // By name: a store of an earlier version lacks columns of this one.
        try target.insert(row.filter { columns.contains($0.0) }, into: table)
        if target.changesCount == 0 { isWhole = false }
    }

    /// Whether a row is as it was written; nil where only its reader can tell.
    static func isIntact(_ row: Row, of table: String) -> Bool? {
        switch table {
        case "request": StoreTable.request.isIntact(row)
        case "notification": StoreTable.notification.isIntact(row)
        default: nil
        }
    }
}
