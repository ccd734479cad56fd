internal import Foundation
internal import GRDB
package import NotificationModel

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
        for table in StoreTable.all {
            try table.rename(former.rawValue, to: app.rawValue, in: database)
        }
        for column in AppColumns.all { try column.rename(former, to: app, in: database) }
        // Of itself the app says everything anew, and its categories.
        for table in StoreTable.all where table.isForgotten && !table.isDerived {
            try database.execute(
                sql: "DELETE FROM \(table.name) WHERE app = ?", arguments: [former.rawValue])
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
}

extension CenterStore {
    /// Gives what is kept under one id of an app to another; false where there was nothing.
    package func rename(
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
