internal import Foundation
internal import GRDB
import NotificationModel

extension CenterStore {
    /// The most requests that one app may have waiting.
    static let pendingLimit: Int64 = 100_000

    /// Stores a request in place of a waiting one of the same identifier.
    func insert(_ new: NewRequest) async throws(NotificationError) {
        let bootID = bootID
        let orphans = try await change("changed") { database in
            let replaced = try Self.row(of: new.app, new.identifier, in: database)
            var orphans: [String] = []
            if let replaced {
                orphans = try Self.delete(request: replaced, in: database)
            } else {
                try Self.checkLimit(of: new.app, in: database)
            }
            let boot = new.due.boot == nil ? nil : bootID
            let checksum = RowChecksum.of(
                new.app.rawValue, new.identifier,
                numbers: [new.due.wall.microseconds, new.due.boot], payload: new.payload)
            try database.cachedStatement(
                sql: """
                    INSERT INTO request
                    (app, identifier, due_wall, boot_id, due_boot, payload, checksum)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                new.app.rawValue, new.identifier, new.due.wall.microseconds, boot, new.due.boot,
                new.payload, checksum,
            ])
            try AttachmentReferences.add(
                new.files, owner: .request, row: database.lastInsertedRowID, in: database)
            return orphans
        }
        vault.remove(orphans)
    }

    /// Removes waiting requests; those already on their way are left alone, as on Apple.
    func removePending(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) {
        let orphans = try await change("changed") { database -> [String] in
            let rows: [Int64]
            switch selection {
            case .identifiers(let identifiers):
                rows = try identifiers.compactMap { try Self.row(of: app, $0, in: database) }
            case .all:
                rows = try Int64.fetchAll(
                    database, sql: "SELECT row FROM request WHERE app = ?",
                    arguments: [app.rawValue])
            }
            return try rows.flatMap { try Self.delete(request: $0, in: database) }
        }
        vault.remove(orphans)
    }

    /// The waiting requests in the order in which they will fire.
    func pending(of app: ApplicationID?) async throws(NotificationError) -> [PendingNotification] {
        try await change("read") { database in
            let sql = """
                SELECT * FROM request \(app == nil ? "" : "WHERE app = ?") ORDER BY due_wall, row
                """
            let statement = try database.cachedStatement(sql: sql)
            let arguments: StatementArguments = app.map { [$0.rawValue] } ?? []
            var list: [PendingNotification] = []
            let rows = try Row.fetchCursor(statement, arguments: arguments)
            while let row = try rows.next() {
                guard let claimed = Self.decode(row) else { continue }
                list.append(
                    PendingNotification(
                        app: claimed.app, request: claimed.request,
                        state: row["state"] == 0 ? .pending : .presenting,
                        nextFire: claimed.due.wall))
            }
            return list
        }
    }

    static func row(
        of app: ApplicationID, _ identifier: String, in database: Database
    ) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: "SELECT row FROM request WHERE app = ? AND identifier = ?")
        return try Int64.fetchOne(statement, arguments: [app.rawValue, identifier])
    }

    /// Deletes a row and returns the files that nothing refers to any more.
    static func delete(request row: Int64, in database: Database) throws -> [String] {
        try database.cachedStatement(sql: "DELETE FROM request WHERE row = ?")
            .execute(arguments: [row])
        return try AttachmentReferences.drop(owner: .request, row: row, in: database)
    }

    /// The row as a value, or nil where its checksum or its JSON is wrong.
    static func decode(_ row: Row) -> ClaimedRequest? {
        let app: String = row["app"]
        let identifier: String = row["identifier"]
        let payload: Data = row["payload"]
        let dueWall: Int64 = row["due_wall"]
        let dueBoot: Int64? = row["due_boot"]
        let stored: Int64 = row["checksum"]
        let checksum = RowChecksum.of(
            app, identifier, numbers: [dueWall, dueBoot], payload: payload)
        guard checksum == stored, let id = try? ApplicationID(app),
            let request = try? PayloadCoding.decode(NotificationRequest.self, from: payload)
        else { return nil }
        return ClaimedRequest(
            row: row["row"], app: id, request: request, payload: payload,
            due: DueTime(wall: Instant(microseconds: dueWall), boot: dueBoot))
    }

    private static func checkLimit(of app: ApplicationID, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT pending FROM request_count WHERE app = ?")
        let count = try Int64.fetchOne(statement, arguments: [app.rawValue]) ?? 0
        guard count < pendingLimit else {
            throw NotificationError(
                .limitReached,
                "\(app) already has \(count) requests waiting, the most that one app may have. "
                    + "Remove some, or use a repeating trigger.")
        }
    }
}
