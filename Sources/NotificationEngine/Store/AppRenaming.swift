internal import Foundation
internal import GRDB
import NotificationModel

/// Gives what is kept under one id of an app to another id of the same app.
///
/// What the new id has under the same name stays, as it is newer. What is on its way is left: it is
/// settled under the id with which it began, and comes along the next time.
struct AppRenaming {
    let former: ApplicationID
    let app: ApplicationID

    /// Does it; the attachments that nothing shows any more.
    func run(in database: Database) throws -> [String] {
        let orphans = try clearTheWay(in: database)
        let names: StatementArguments = [former.rawValue, app.rawValue]
        try database.execute(
            sql: """
                UPDATE request SET app = ?2,
                    checksum = request_checksum(?2, identifier, due_wall, due_boot, payload)
                WHERE app = ?1 AND state = 0
                  AND checksum = request_checksum(?1, identifier, due_wall, due_boot, payload)
                """, arguments: names)
        try database.execute(
            sql: "UPDATE attachment_file SET app = ?2 WHERE app = ?1", arguments: names)
        try database.execute(sql: "UPDATE record SET app = ?2 WHERE app = ?1", arguments: names)
        try renameDelivered(in: database)
        try renameResponses(in: database)
        try renameCategories(in: database)
        try renameSingle("permission", ["status", "options"], in: database)
        try renameSingle("badge", ["count"], in: database)
        try renameSingle("previews", ["value"], in: database)
        // Of itself the app says everything anew.
        for table in ["application", "launch_command", "denied_on"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE app = ?", arguments: [former.rawValue])
        }
        return orphans
    }

    private func clearTheWay(in database: Database) throws -> [String] {
        let names: StatementArguments = [former.rawValue, app.rawValue]
        let taken = "AND identifier IN (SELECT identifier FROM %@ WHERE app = ?2)"
        func rows(_ table: String, _ condition: String = "") throws -> [Int64] {
            try Int64.fetchAll(
                database,
                sql: "SELECT row FROM \(table) WHERE app = ?1 \(condition) "
                    + taken.replacingOccurrences(of: "%@", with: table), arguments: names)
        }
        var orphans: [String] = []
        for row in try rows("request", "AND state = 0") {
            orphans += try CenterStore.delete(request: row, in: database)
        }
        for row in try rows("notification") {
            orphans += try CenterStore.delete(notification: row, in: database)
        }
        return orphans
    }

    private func renameDelivered(in database: Database) throws {
        for row in try rows(of: "notification", in: database) {
            let identifier: String = row.checked("identifier") ?? ""
            let payload: Data = row.checked("payload") ?? Data()
            let date: Int64 = row.checked("delivered_at") ?? 0
            func sum(_ app: ApplicationID) -> Int64 {
                RowChecksum.of(app.rawValue, identifier, numbers: [date], payload: payload)
            }
            guard sum(former) == row.checked("checksum"), let number: Int64 = row.checked("row")
            else { continue }
            try database.execute(
                sql: "UPDATE notification SET app = ?, checksum = ? WHERE row = ?",
                arguments: [app.rawValue, sum(app), number])
        }
    }

    private func renameResponses(in database: Database) throws {
        for row in try rows(of: "response", in: database) {
            let payload: Data = row.checked("payload") ?? Data()
            guard RowChecksum.of(former.rawValue, payload: payload) == row.checked("checksum"),
                let renamed = try? CenterStore.renamed(response: payload, to: app),
                let number: Int64 = row.checked("row")
            else { continue }
            try database.execute(
                sql: "UPDATE response SET app = ?, payload = ?, checksum = ? WHERE row = ?",
                arguments: [
                    app.rawValue, renamed, RowChecksum.of(app.rawValue, payload: renamed), number,
                ])
        }
    }

    private func renameCategories(in database: Database) throws {
        for row in try rows(of: "category", in: database) {
            let identifier: String = row.checked("identifier") ?? ""
            let payload: Data = row.checked("payload") ?? Data()
            func sum(_ app: ApplicationID) -> Int64 {
                RowChecksum.of(app.rawValue, identifier, payload: payload)
            }
            guard sum(former) == row.checked("checksum") else { continue }
            try database.execute(
                sql: "INSERT OR IGNORE INTO category VALUES (?, ?, ?, ?)",
                arguments: [app.rawValue, identifier, payload, sum(app)])
        }
        try database.execute(
            sql: "DELETE FROM category WHERE app = ?", arguments: [former.rawValue])
    }

    /// Tables with one row of numbers for each app.
    private func renameSingle(
        _ table: String, _ columns: [String], in database: Database
    ) throws {
        for row in try rows(of: table, in: database) {
            let numbers = columns.map { row.checked($0) ?? Int64(0) }
            func sum(_ app: ApplicationID) -> Int64 {
                RowChecksum.of(app.rawValue, numbers: numbers, payload: Data())
            }
            guard sum(former) == row.checked("checksum") else { continue }
            let places = Array(repeating: "?", count: columns.count + 2).joined(separator: ", ")
            let values: [any DatabaseValueConvertible] =
                [app.rawValue as any DatabaseValueConvertible] + numbers + [sum(app)]
            try database.execute(
                sql: "INSERT OR IGNORE INTO \(table) VALUES (\(places))",
                arguments: StatementArguments(values))
        }
        try database.execute(
            sql: "DELETE FROM \(table) WHERE app = ?", arguments: [former.rawValue])
    }

    private func rows(of table: String, in database: Database) throws -> [Row] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM \(table) WHERE app = ?", arguments: [former.rawValue])
    }
}

extension CenterStore {
    /// Gives what is kept under one id of an app to another; false where there was nothing.
    func rename(
        _ former: ApplicationID, to app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        let (orphans, isChanged) = try await change("changed") { database in
            let before = database.totalChangesCount
            let orphans = try AppRenaming(former: former, app: app).run(in: database)
            return (orphans, database.totalChangesCount > before)
        }
        vault.remove(orphans)
        return isChanged
    }
}
