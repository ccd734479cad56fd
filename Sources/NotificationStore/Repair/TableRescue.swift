internal import Foundation
internal import GRDB
import NotificationModel

/// Copies one table of a damaged database to a new one.
struct TableRescue {
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
        guard let high = try copyInOrder("ORDER BY " + key.joined(separator: ", ")),
            columns.contains("row")
        else { return false }
        // If nothing could be read from the end, the end is not known.
        let isEndKnown = high > low
        try copyRows(behind: low, to: isEndKnown ? high : .max)
        if isEndKnown { try copyRows(behind: high, to: low) }
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

    /// Copies up to the first unreadable row.
    ///
    /// Returns the number of the last row that was read, 0 for none, or nil if all were read.
    @discardableResult
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

    /// Copies the readable rows behind the row `start`, up or down to the row `end`.
    ///
    /// The numbers of rows have gaps of any length, and a damaged page hides the numbers of its
    /// rows. So the search for a readable row goes on in steps that grow with the distance. Then it
    /// reads back, because the last step may have passed readable rows.
    private mutating func copyRows(behind start: Int64, to end: Int64) throws {
        let isUpwards = start < end
        var (last, distance) = (start, Int64(0))
        while true {
            distance = distance.saturatingAdd(1 + distance / 100)
            let number =
                isUpwards ? last.saturatingAdd(distance) : last.saturatingSubtract(distance)
            guard isUpwards ? number < end : number > end else { return }
            let found = try copyInOrder(Self.rows(from: number, to: end))
            guard found != 0 else { continue }
            try copyInOrder(Self.rows(from: number, to: last))
            guard let row = found else { return }
            // The number of a damaged row may lie outside of the part.
            (last, distance) = (isUpwards ? max(row, number) : min(row, number), 0)
        }
    }

    private static func rows(from first: Int64, to last: Int64) -> String {
        let (low, high) = (min(first, last), max(first, last))
        return "WHERE row BETWEEN \(low) AND \(high) ORDER BY row \(first < last ? "ASC" : "DESC")"
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
