internal import Foundation
internal import GRDB
package import NotificationModel

extension CenterStore {
    /// Every app of which anything is kept, but records.
    package func knownApps(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Set<ApplicationID> {
        try await change("read") { try Self.knownApps(in: $0) }
    }

    private static func knownApps(in database: Database) throws -> Set<ApplicationID> {
        let tables = StoreTable.all.filter(\.namesApps)
        let names = try String.fetchAll(
            database,
            sql: tables.map { "SELECT app FROM \($0.name)" }.joined(separator: " UNION "))
        return Set(names.compactMap { try? ApplicationID($0) })
    }

    /// Forgets the apps that have no request, no notification, no response and no badge, and of
    /// which the user decided nothing; returns them.
    package func forgetUnusedApps(
        but kept: Set<ApplicationID>, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [ApplicationID] {
        try await change("changed") { database in
            let used = try String.fetchSet(
                database,
                sql: """
                    SELECT app FROM request UNION SELECT app FROM notification
                    UNION SELECT app FROM response
                    """)
            let unused = try Self.knownApps(in: database).filter { app in
                if kept.contains(app) || used.contains(app.rawValue) { return false }
                return try !AppColumns.isUsed(app, in: database)
            }
            for app in unused {
                for table in StoreTable.all where table.isForgotten {
                    try database.execute(
                        sql: "DELETE FROM \(table.name) WHERE app = ?", arguments: [app.rawValue])
                }
            }
            return Array(unused)
        }
    }

    /// Every app that has a notification which waits or was delivered.
    package func appsWithNotifications(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Set<ApplicationID> {
        try await change("read") { database in
            let apps = try String.fetchAll(
                database, sql: "SELECT app FROM request UNION SELECT app FROM notification")
            return Set(apps.compactMap { try? ApplicationID($0) })
        }
    }

    /// Replaces the whole set of an app's categories.
    package func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.execute(
                sql: "DELETE FROM category WHERE app = ?", arguments: [app.rawValue])
            var size =
                try Int64.fetchOne(database, sql: "SELECT SUM(length(payload)) FROM category") ?? 0
            for category in categories {
                let payload = try PayloadCoding.encode(
                    category, as: NotificationCategory.record)
                size += Int64(payload.count)
                try Limits.categoriesOfStore.check(size, of: "the notification centre")
                try database.execute(
                    sql: "INSERT OR REPLACE INTO category VALUES (?, ?, ?, ?)",
                    arguments: [
                        app.rawValue, category.identifier, payload,
                        RowChecksum.of(app.rawValue, category.identifier, payload: payload),
                    ])
            }
        }
    }

    /// The categories of one app, or of all.
    package func categories(
        of app: ApplicationID?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [(app: ApplicationID, category: NotificationCategory)] {
        try await change("read") { database in
            let sql = "SELECT * FROM category \(app == nil ? "" : "WHERE app = ?")"
            let arguments: StatementArguments = app.map { [$0.rawValue] } ?? []
            return try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { row in
                guard let category = Self.decodeCategory(row),
                    let app = try? ApplicationID(row.checked("app") ?? "")
                else { return nil }
                return (app, category)
            }
        }
    }

    /// The category by which a notification is answered, its own buttons included.
    static func category(
        of notification: DeliveredNotification, in database: Database
    ) throws -> NotificationCategory? {
        let content = notification.request.content
        guard !content.categoryIdentifier.isEmpty else { return content.category(over: nil) }
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM category WHERE app = ? AND identifier = ?")
        let row = try Row.fetchOne(
            statement, arguments: [notification.app.rawValue, content.categoryIdentifier])
        return content.category(over: row.flatMap(decodeCategory))
    }

    /// How many rows wait, are delivered and are answered, in this order.
    package func counts(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (Int, Int, Int) {
        try await change("read") { database in
            let pending = try Int.fetchOne(
                database, sql: "SELECT COALESCE(SUM(pending), 0) FROM request_count")
            let delivered = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM notification")
            let responses = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM response")
            return (pending ?? 0, delivered ?? 0, responses ?? 0)
        }
    }

    /// Whether an app has no request, no answer and, if they count, no popup that can be answered.
    package func isIdle(
        _ app: ApplicationID, includingPopups: Bool, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        try await change("read") { database in
            let sql = """
                SELECT NOT EXISTS (SELECT 1 FROM request WHERE app = ?1)
                  AND NOT EXISTS (SELECT 1 FROM response WHERE app = ?1)
                  AND NOT (?2 AND EXISTS (
                    SELECT 1 FROM notification WHERE popup_id NOT NULL AND app = ?1))
                """
            let arguments: StatementArguments = [app.rawValue, includingPopups]
            return try Bool.fetchOne(database, sql: sql, arguments: arguments) ?? true
        }
    }

    /// Removes the files that no row refers to.
    package func sweepAttachments(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let kept = try await change("read") { try AttachmentReferences.all(in: $0) }
        vault.sweep(keeping: kept)
    }

    private static func decodeCategory(_ row: Row) -> NotificationCategory? {
        let app: String = row.checked("app") ?? ""
        let identifier: String = row.checked("identifier") ?? ""
        let payload: Data = row.checked("payload") ?? Data()
        guard
            RowChecksum.of(app, identifier, payload: payload) == row.checked("checksum")
        else { return nil }
        return try? PayloadCoding.decode(NotificationCategory.record, from: payload)
    }
}

extension CenterStore {
    /// Remembers whether an app may notify; nil forgets it.
    package func save(
        _ permission: Permission?, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            if permission?.status != .denied {
                try AppColumns.deniedOn.set(nil, of: app, in: database)
            }
            try AppColumns.permission.set(permission, of: app, in: database)
        }
    }

    /// Remembers that a desktop's switch of an app was turned off because the app is denied.
    package func saveDenial(
        of app: ApplicationID, on desktop: String, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            let row = try AppColumns.row(of: app, in: database)
            var desktops = row.flatMap { AppColumns.deniedOn.value(of: $0, app) } ?? []
            guard !desktops.contains(desktop) else { return }
            desktops.append(desktop)
            try AppColumns.deniedOn.set(desktops, of: app, in: database)
        }
    }
}
