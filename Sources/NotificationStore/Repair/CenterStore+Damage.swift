internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel
internal import Reactor

/// A row that does not hold the values that were written.
struct DamagedRow: Hashable, Sendable {
    var table: AttachmentReferences.Owner
    var row: Int64
}

// Code that finds a damaged row calls `noteDamaged`. Later `removeDamagedRows` removes the row and
// stores a record.
extension CenterStore {
    private static let scrubSlice = 256

    /// Whether `removeDamagedRows` has something to do.
    package var hasMetDamage: Bool { damagedRows.withLock { !$0.isEmpty } }

    func noteDamaged(_ table: AttachmentReferences.Owner, _ row: Row) {
        if let number: Int64 = row.checked("row") { noteDamaged(table, number) }
    }

    func noteDamaged(_ table: AttachmentReferences.Owner, _ row: Int64) {
        damagedRows.withLock { _ = $0.insert(DamagedRow(table: table, row: row)) }
    }

    /// Checks each request, notification and response once.
    ///
    /// The check reads slices, so that other changes run in between.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func scrub(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        for table in AttachmentReferences.Owner.allCases {
            var last: Int64? = 0
            while let row = last {
                last = try await change("read") { try self.scrub(table, after: row, in: $0) }
            }
        }
    }

    /// Checks the next rows of a table; returns the number of the last row, or nil at the end.
    private func scrub(
        _ table: AttachmentReferences.Owner, after row: Int64, in database: Database
    ) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM \(table.rawValue) NOT INDEXED WHERE row > ? ORDER BY row LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [row, Self.scrubSlice])
        var last: Int64?
        var size = 0
        while size < Self.pageSize, let next = try rows.next() {
            guard let number: Int64 = next.checked("row") else { continue }
            if StoreTable.named(table.rawValue)?.isIntact(next) == false {
                noteDamaged(table, number)
            }
            size += (next.checked("payload") as Data?)?.count ?? 0
            last = number
        }
        return last
    }

    /// Removes the damaged rows that were noted, and stores a record of each removed row.
    ///
    /// Returns the keys of the removed requests, and those of the removed delivered notifications.
    /// The user can no longer respond to the popups of these notifications.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func removeDamagedRows(
        at now: Instant, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (
        requests: [NotificationKey], notifications: [NotificationKey]
    ) {
        let damaged = damagedRows.withLock { rows in rows.sorted { $0.row < $1.row } }
        guard !damaged.isEmpty else { return ([], []) }
        let removed = try await change("changed") { database in
            try damaged.map { ($0.table, try self.remove($0, at: now, in: database)) }
        }
        // Forget the rows only now: if the change fails, the next call removes them.
        damagedRows.withLock { $0.subtract(damaged) }
        func keys(in table: AttachmentReferences.Owner) -> [NotificationKey] {
            removed.filter { $0.0 == table }.compactMap(\.1)
        }
        return (keys(in: .request), keys(in: .notification))
    }

    /// Removes a row that cannot be read, and returns its key.
    ///
    /// If the row is gone or readable, nothing changes, and the result is nil. The result is also
    /// nil if the app of the removed row cannot be read.
    func remove(
        _ damaged: DamagedRow, at now: Instant, in database: Database
    ) throws -> NotificationKey? {
        let table = damaged.table.rawValue
        let selection = damaged.table == .request ? RequestRow.selection : "SELECT * FROM \(table)"
        let found = try database.row("\(selection) WHERE row = ?", [damaged.row])
        guard let row = found, !isReadable(row, of: damaged.table) else { return nil }
        let app: ApplicationID? = row.checked("app")
        let identifier: String = row.checked("identifier") ?? ""
        Log.store.error("a damaged \(table) is removed: \(identifier.quotedForMessage())")
        let record = NotificationRecord(
            app: app, identifier: identifier, title: Self.title(row), date: now,
            reason: .damaged, message: "damaged in the store")
        try Self.keepRecord(record, limits: limits, in: database)
        try delete([damaged.row], from: damaged.table, in: database)
        return app.map { NotificationKey(app: $0, identifier: identifier) }
    }

    /// The title in a row, so that the record can name the missing notification; empty if the title
    /// cannot be read.
    private static func title(_ row: Row) -> String {
        let payload: Data = row.checked("payload") ?? Data()
        let request = try? PayloadCoding.decodeRequest(from: payload)
        return request?.content.title ?? ""
    }

    /// Whether lists can show the row; even with the right checksum, decoding a row may fail.
    private func isReadable(_ row: Row, of table: AttachmentReferences.Owner) -> Bool {
        switch table {
        case .request: claimed(RequestRow(row)) != nil
        case .notification: decodedNotification(row) != nil
        case .response: decodedResponse(row) != nil
        }
    }
}
