internal import Foundation
internal import GRDB
import NotificationModel

extension CenterStore {
    /// Stores a request in place of a waiting one of the same identifier.
    ///
    /// Returns the row it replaced if that was on its way already.
    func insert(
        _ new: NewRequest, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Int64? {
        let (orphans, replaced) = try await change("changed") { database in
            let app = new.app.rawValue
            guard self.reserve.isThereRoom() else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            var removal = Removal()
            if let replaced = try Self.row(of: new.app, new.identifier, in: database) {
                try Self.remove(replaced, in: database, into: &removal)
            } else {
                try self.checkLimit(of: new.app, in: database)
            }
            let checksum = RowChecksum.of(
                app, new.identifier, numbers: [new.due.wall.microseconds, new.due.boot],
                payload: new.payload)
            try database.cachedStatement(
                sql: """
                    INSERT INTO request
                    (app, identifier, due_wall, boot_id, due_boot, zone, payload, checksum)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                app, new.identifier, new.due.wall.microseconds,
                new.due.boot == nil ? nil : self.bootID, new.due.boot, new.due.zone, new.payload,
                checksum,
            ])
            try AttachmentReferences.add(
                new.files, owner: .request, row: database.lastInsertedRowID, in: database)
            return (removal.orphans, removal.onTheirWay.first)
        }
        vault.remove(orphans)
        return replaced
    }

    /// Removes requests, and returns the rows of those that were on their way already.
    func removePending(
        _ selection: NotificationSelection, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [Int64] {
        let removal = try await change("changed") { database in
            let rows: [StoredRow]
            switch selection {
            case .identifiers(let identifiers):
                rows = try identifiers.compactMap { try Self.row(of: app, $0, in: database) }
            case .all:
                rows = try Row.fetchAll(
                    database, sql: "SELECT row, state FROM request WHERE app = ?",
                    arguments: [app.rawValue]
                ).compactMap(StoredRow.init)
            }
            var removal = Removal()
            for row in rows { try Self.remove(row, in: database, into: &removal) }
            return removal
        }
        vault.remove(removal.orphans)
        return removal.onTheirWay
    }

    private func checkLimit(of app: ApplicationID, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT pending FROM request_count WHERE app = ?")
        let count = try Int64.fetchOne(statement, arguments: [app.rawValue]) ?? 0
        guard count < limits.pending else {
            throw NotificationError(
                .limitReached,
                "\(app) already has \(count) requests waiting, the most that one app may have. "
                    + "Remove some, or use a repeating trigger.")
        }
    }
}

// MARK: - Rows

extension CenterStore {
    /// A request's row without its content.
    private struct StoredRow {
        var row: Int64
        var isOnItsWay: Bool

        init?(_ row: Row) {
            guard let number: Int64 = row.checked("row") else { return nil }
            self.row = number
            isOnItsWay = row.checked("state") != Int64(0)
        }
    }

    private struct Removal: Sendable {
        /// Files that nothing refers to any more.
        var orphans: [String] = []
        /// Rows that were claimed: their files stay until they are settled.
        var onTheirWay: [Int64] = []
    }

    private static func row(
        of app: ApplicationID, _ identifier: String, in database: Database
    ) throws -> StoredRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT row, state FROM request WHERE app = ? AND identifier = ?")
        return try Row.fetchOne(statement, arguments: [app.rawValue, identifier])
            .flatMap(StoredRow.init)
    }

    private static func remove(
        _ row: StoredRow, in database: Database, into removal: inout Removal
    ) throws {
        try database.cachedStatement(sql: "DELETE FROM request WHERE row = ?")
            .execute(arguments: [row.row])
        if row.isOnItsWay {
            removal.onTheirWay.append(row.row)
        } else {
            removal.orphans += try AttachmentReferences.drop(
                owner: .request, row: row.row, in: database)
        }
    }

    /// Deletes a row and returns the files that nothing refers to any more.
    static func delete(request row: Int64, in database: Database) throws -> [String] {
        try database.cachedStatement(sql: "DELETE FROM request WHERE row = ?")
            .execute(arguments: [row])
        return try AttachmentReferences.drop(owner: .request, row: row, in: database)
    }

    /// The same for a row whose content is known.
    static func delete(_ claimed: ClaimedRequest, in database: Database) throws -> [String] {
        try database.cachedStatement(sql: "DELETE FROM request WHERE row = ?")
            .execute(arguments: [claimed.row])
        guard !claimed.files.isEmpty else { return [] }
        return try AttachmentReferences.drop(owner: .request, row: claimed.row, in: database)
    }

    /// The row as a value, or nil where its checksum or its JSON is wrong.
    func claimed(_ row: RequestRow) -> ClaimedRequest? {
        guard row.isIntact, let app = try? ApplicationID(row.app),
            let stored = try? PayloadCoding.decode(StoredRequest.self, from: row.payload)
        else { return nil }
        var request = stored.request
        request.content = vault.located(request.content)
        return ClaimedRequest(
            row: row.row, app: app, request: request, payload: row.payload,
            isMutable: stored.isMutable,
            due: DueTime(
                wall: Instant(microseconds: row.dueWall), boot: row.dueBoot, zone: row.zone,
                fired: row.firedWall.map(Instant.init(microseconds:))),
            skipped: stored.skipped)
    }
}
