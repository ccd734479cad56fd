internal import GRDB
package import NotificationModel

extension CenterStore {
    /// Moves the rows of an app's former id to its new id; returns false if nothing changed.
    ///
    /// If the new id has a row with the same identifier, that row is newer and stays. A request
    /// that is being presented keeps the former id until its outcome is stored; the next call moves
    /// it. Until then the store keeps the identity of the former id: it tells the caller that both
    /// ids belong to one app.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func rename(
        _ former: ApplicationID, to app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        try await change("changed") { database in
            let before = database.totalChangesCount
            try self.deleteRows(of: former, replacedBy: app, in: database)
            for table in StoreTable.all { try table.rename(former, to: app, in: database) }
            for column in AppColumns.all { try column.rename(former, to: app, in: database) }
            let isPresenting: Bool? = try database.value(
                "SELECT EXISTS (SELECT 1 FROM request WHERE state = 1 AND app = ?)",
                [former.rawValue])
            // Delete the rows that did not move: the app announces its identity and categories
            // again.
            for table in StoreTable.all where table.isForgotten && table.renaming != .derived {
                if isPresenting == true, table.renaming == .columns {
                    try AppColumns.keepOnlyIdentity(of: former, in: database)
                } else {
                    try database.run("DELETE FROM \(table.name) WHERE app = ?", [former.rawValue])
                }
            }
            return database.totalChangesCount > before
        }
    }

    private func deleteRows(
        of former: ApplicationID, replacedBy app: ApplicationID, in database: Database
    ) throws {
        func rows(_ table: String, _ condition: String) throws -> [Int64] {
            try database.values(
                """
                SELECT row FROM \(table) WHERE app = ?1 AND \(condition)
                AND identifier IN (SELECT identifier FROM \(table) WHERE app = ?2)
                """, [former.rawValue, app.rawValue])
        }
        try delete(rows("request", "state = 0"), from: .request, in: database)
        try delete(rows("notification", "1"), from: .notification, in: database)
    }
}
