internal import Foundation
internal import GRDB
package import NotificationModel

/// The values that the store keeps of apps, and that the engine needs for its decisions.
package struct StoredApps: Sendable {
    /// See `CenterStore.knownApps`.
    package var known: Set<ApplicationID> = []
    package var identities: [ApplicationID: ApplicationIdentity] = [:]
    package var categories: [(app: ApplicationID, category: NotificationCategory)] = []
    package var permissions: [ApplicationID: Permission] = [:]
    package var toldDesktops: [ApplicationID: [String]] = [:]
    package var previews: [ApplicationID: ShowPreviews] = [:]
    package var launchCommands: [ApplicationID: LaunchCommand] = [:]
    package var deferred: [DeferredResponse] = []
}

extension CenterStore {
    /// Reads the values of all apps, in one change.
    ///
    /// Between several reads, other changes could make the values inconsistent.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func storedApps(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> StoredApps {
        try await change("read") { database in
            var stored = StoredApps()
            stored.known = try Self.knownApps(in: database)
            for row in try database.rows("SELECT * FROM app") {
                guard let app: ApplicationID = row.checked("app") else { continue }
                stored.identities[app] = AppColumns.identity.value(of: row, app)
                stored.permissions[app] = AppColumns.permission.value(of: row, app)
                stored.toldDesktops[app] = AppColumns.deniedOn.value(of: row, app)
                stored.previews[app] = AppColumns.previews.value(of: row, app)
                stored.launchCommands[app] = AppColumns.launchCommand.value(of: row, app)
            }
            stored.categories = try Self.categories(of: nil, in: database)
            stored.deferred = try self.deferredResponses(in: database)
            return stored
        }
    }

    /// Every app with a row in a table whose `namesApps` is true.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func knownApps(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Set<ApplicationID> {
        try await change("read") { try Self.knownApps(in: $0) }
    }

    private static func knownApps(in database: Database) throws -> Set<ApplicationID> {
        try apps(of: StoreTable.all.filter(\.namesApps), in: database)
    }

    /// The apps with rows in one of these tables.
    ///
    /// Each table has an index that begins with `app`. The query seeks the next app in this index,
    /// so its cost depends on the number of apps and not on the number of rows. `UNION` ends the
    /// query also if a damaged index leads back to an app that was found before.
    private static func apps(
        of tables: [StoreTable], in database: Database
    ) throws -> Set<ApplicationID> {
        var apps: Set<ApplicationID> = []
        for table in tables {
            let rows = try database.rows(
                """
                WITH RECURSIVE found (app) AS (
                    SELECT min(app) FROM \(table.name)
                    UNION
                    SELECT (SELECT min(app) FROM \(table.name) WHERE app > found.app) FROM found
                    WHERE app NOT NULL
                )
                SELECT app FROM found WHERE app NOT NULL
                """)
            apps.formUnion(rows.compactMap { $0.checked("app") })
        }
        return apps
    }

    /// Forgets and returns the apps that are not in use, except those in `kept`.
    ///
    /// An unused app has no request, notification, response, badge or registration for remote
    /// notifications, and the user decided nothing about it.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func forgetUnusedApps(
        but kept: Set<ApplicationID>, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [ApplicationID] {
        try await change("changed") { database in
            let used = try Self.apps(of: StoreTable.all.filter(\.keepsApps), in: database)
            let unused = try Self.knownApps(in: database).subtracting(kept).subtracting(used)
                .filter { try !AppColumns.isUsed($0, in: database) }
            for app in unused {
                for table in StoreTable.all where table.isForgotten {
                    try database.run("DELETE FROM \(table.name) WHERE app = ?", [app.rawValue])
                }
            }
            return Array(unused)
        }
    }

    /// Every app with a pending or delivered notification.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func appsWithNotifications(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Set<ApplicationID> {
        try await change("read") { database in
            try Self.apps(of: [.request, .notification], in: database)
        }
    }

    /// Replaces the whole set of an app's categories.
    ///
    /// - Throws: `limitReached` if the categories of all apps are too large; `invalidArgument` if a
    ///   text has a NUL character; `noSpace` if the disk is full; `storeUnavailable` if the store
    ///   cannot be written.
    package func setCategories(
        _ categories: [NotificationCategory], of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.run("DELETE FROM category WHERE app = ?", [app.rawValue])
            var size: Int64 =
                try database.value("SELECT SUM(length(payload)) FROM category") ?? 0
            for category in categories {
                let payload = try PayloadCoding.encode(
                    category, as: NotificationCategory.record)
                size += Int64(payload.count)
                try Limits.categoriesOfStore.check(size, of: "the notification centre")
                let sum = RowChecksum.of(app.rawValue, category.identifier, payload)
                try database.run(
                    "INSERT OR REPLACE INTO category VALUES (?, ?, ?, ?)",
                    [app.rawValue, category.identifier, payload, sum])
            }
        }
    }

    /// The categories of one app, or of all apps.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func categories(
        of app: ApplicationID?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [(app: ApplicationID, category: NotificationCategory)] {
        try await change("read") { try Self.categories(of: app, in: $0) }
    }

    private static func categories(
        of app: ApplicationID?, in database: Database
    ) throws -> [(app: ApplicationID, category: NotificationCategory)] {
        let rows =
            try app.map {
                try database.rows("SELECT * FROM category WHERE app = ?", [$0.rawValue])
            }
            ?? database.rows("SELECT * FROM category")
        return rows.compactMap { row in
            guard let category = decodeCategory(row), let app: ApplicationID = row.checked("app")
            else { return nil }
            return (app, category)
        }
    }

    /// The category that applies to a notification, with the notification's own buttons.
    static func category(
        of notification: DeliveredNotification, in database: Database
    ) throws -> NotificationCategory? {
        let content = notification.request.content
        guard !content.categoryIdentifier.isEmpty else { return content.category(over: nil) }
        let row = try database.row(
            "SELECT * FROM category WHERE app = ? AND identifier = ?",
            [notification.app.rawValue, content.categoryIdentifier])
        return content.category(over: row.flatMap(decodeCategory))
    }

    /// How many pending requests, delivered notifications and responses there are, in this order.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func counts(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (Int, Int, Int) {
        try await change("read") { database in
            func count(_ sql: String) throws -> Int { try database.value(sql) ?? 0 }
            return (
                try count("SELECT SUM(pending) FROM request_count")
                    + count("SELECT COUNT(*) FROM request WHERE state = 1"),
                try count("SELECT COUNT(*) FROM notification"),
                try count("SELECT COUNT(*) FROM response")
            )
        }
    }

    /// Whether an app is idle; false if the app has a request.
    ///
    /// With `includingPopups`, the result is also false if the app has a response or a popup on the
    /// screen. Popups of notifications up to the row `first` do not count.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func isIdle(
        _ app: ApplicationID, includingPopups: Bool, after first: Int64 = 0,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        try await change("read") { database in
            try database.value(
                """
                SELECT NOT EXISTS (SELECT 1 FROM request WHERE app = ?1)
                  AND NOT (?2 AND (
                    EXISTS (SELECT 1 FROM response WHERE app = ?1)
                    OR EXISTS (
                      SELECT 1 FROM notification
                      WHERE popup_id NOT NULL AND app = ?1 AND row > ?3)))
                """, [app.rawValue, includingPopups, first]) ?? true
        }
    }

    /// The row of the newest delivered notification; 0 if there is none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func lastNotificationRow(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Int64 {
        try await change("read") { database in
            try database.value("SELECT MAX(row) FROM notification") ?? 0
        }
    }

    /// Removes the files that no row refers to.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func sweepAttachments(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let kept: [String] = try await change("read") {
            try $0.values("SELECT file FROM attachment")
        }
        vault.sweep(keeping: Set(kept))
    }

    private static func decodeCategory(_ row: Row) -> NotificationCategory? {
        guard StoreTable.category.isIntact(row), let payload: Data = row.checked("payload")
        else { return nil }
        return try? PayloadCoding.decode(NotificationCategory.record, from: payload)
    }

    /// Stores whether an app may notify; a nil permission removes the stored one.
    ///
    /// A new permission keeps the stored answer about the location. If the new permission is not a
    /// denial, this method deletes the app's list `deniedOn`.
    ///
    /// - Throws: `invalidArgument` if a text has a NUL character; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the store cannot be written.
    package func save(
        _ permission: Permission?, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            if permission?.status != .denied {
                try AppColumns.deniedOn.set(nil, of: app, in: database)
            }
            var permission = permission
            if let stored = try AppColumns.permission.value(of: app, in: database) {
                permission?.location = stored.location
            }
            try AppColumns.permission.set(permission, of: app, in: database)
        }
    }

    /// Stores whether an app may know the location; returns its whole permission.
    ///
    /// An app without a stored permission may notify, so its new permission allows that too.
    ///
    /// - Throws: `invalidArgument` if a text has a NUL character; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the store cannot be written.
    package func save(
        _ location: LocationPermission, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Permission {
        try await change("changed") { database in
            var permission =
                try AppColumns.permission.value(of: app, in: database)
                ?? Permission(.authorized, options: .all)
            permission.location = location
            try AppColumns.permission.set(permission, of: app, in: database)
            return permission
        }
    }

    /// Records that a denied app is also switched off in the settings of this desktop.
    ///
    /// - Throws: `invalidArgument` if a text has a NUL character; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the store cannot be written.
    package func saveDenial(
        of app: ApplicationID, on desktop: String, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            var desktops = try AppColumns.deniedOn.value(of: app, in: database) ?? []
            guard !desktops.contains(desktop) else { return }
            desktops.append(desktop)
            try AppColumns.deniedOn.set(desktops, of: app, in: database)
        }
    }
}
