internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel
internal import Reactor

/// Delivered notifications that leave by themselves: by retention, or because another took their
/// place without a popup.
package struct RetiredNotifications: Hashable, Sendable {
    /// All of them; the popups of these have to go.
    package var keys: [NotificationKey] = []
    /// Those that are not due again: nobody can answer them any more.
    package var unawaited: [NotificationKey] = []
    /// The popups that their rows named.
    package var popups: [NotificationKey: PresentedPopup] = [:]
}

extension CenterStore {
    /// Removes delivered notifications and returns the keys of those that were there, whose popups
    /// should go.
    package func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [NotificationKey] {
        let (keys, orphans) = try await change("changed") { database in
            let stored = try Row.fetchAll(
                database,
                sql: """
                    SELECT row, app, identifier, popup_id, popup_server FROM notification
                    WHERE app = ?
                    """, arguments: [app.rawValue])
            var wanted: Set<String>?
            if case .identifiers(let identifiers) = selection { wanted = Set(identifiers) }
            let rows = stored.filter { wanted?.contains($0.checked("identifier") ?? "") ?? true }
            var removed = RetiredNotifications()
            let orphans = try Self.retire(rows, into: &removed, in: database)
            try self.noteClosing(removed.popups, in: database)
            return (removed.keys, orphans)
        }
        vault.remove(orphans)
        return keys
    }

    /// The popups that may still be on a screen.
    package func popups(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [NotificationKey: PresentedPopup] {
        try await change("read") { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT app, identifier, popup_id, popup_server FROM notification
                    WHERE popup_id NOT NULL AND popup_server NOT NULL
                    """)
            var popups: [NotificationKey: PresentedPopup] = [:]
            for row in rows {
                guard let key = Self.key(row), let popup = Self.popup(row) else { continue }
                popups[key] = popup
            }
            return popups
        }
    }

    /// Deletes these rows, notes whose they were, and returns the files that nothing refers to any
    /// more.
    static func retire(
        _ rows: [Row], into retired: inout RetiredNotifications, in database: Database
    ) throws -> [String] {
        var orphans: [String] = []
        for row in rows {
            guard let number: Int64 = row.checked("row") else { continue }
            if let key = key(row) {
                retired.keys.append(key)
                retired.popups[key] = popup(row)
            }
            orphans += try delete(notification: number, in: database)
        }
        return orphans
    }

    /// The same for the notification of a key, where there is one up to this row.
    static func retire(
        notification key: NotificationKey, upTo last: Int64 = .max,
        into retired: inout RetiredNotifications, in database: Database
    ) throws -> [String] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT row, app, identifier, popup_id, popup_server FROM notification
                WHERE app = ? AND identifier = ? AND row <= ?
                """)
        let rows = try Row.fetchAll(
            statement, arguments: [key.app.rawValue, key.identifier, last])
        return try retire(rows, into: &retired, in: database)
    }

    // MARK: Popups on their way off the screen

    /// A popup whose notification is gone, and that may not be closed yet.
    private struct ClosingPopup: Sendable {
        var key = NotificationKey(app: .tocsin, identifier: "")
        var id: Int64 = 0
        var server = ""

        static let record = Record<ClosingPopup>([
            Field(required: "app", \.key.app),
            Field(required: "identifier", \.key.identifier),
            Field(required: "id", \.id),
            Field(required: "server", \.server),
        ]) { ClosingPopup() }
    }

    /// All of them, as one text.
    private struct ClosingPopups: Sendable {
        var popups: [ClosingPopup] = []

        static let record = Record<ClosingPopups>([
            Field("popups", \.popups) { ClosingPopup.record }
        ]) { ClosingPopups() }
    }

    private static let closingKey = "closing"

    /// Has the next process close these popups, where this one dies before it has.
    func noteClosing(
        _ popups: [NotificationKey: PresentedPopup], in database: Database
    ) throws {
        guard !popups.isEmpty else { return }
        let all = closing.withLock { closing in
            closing.merge(popups) { $1 }
            return closing.map { ClosingPopup(key: $0, id: Int64($1.id), server: $1.server) }
        }
        let payload = try PayloadCoding.encode(
            ClosingPopups(popups: all), as: ClosingPopups.record)
        let text = String(decoding: payload, as: UTF8.self)
        try Self.setMeta(Self.closingKey, text, in: database)
    }

    /// The server was told to close these.
    package func popupsClosed(_ keys: [NotificationKey]) {
        closing.withLock { closing in
            for key in keys { closing[key] = nil }
        }
    }

    /// Adds the popups that an earlier process may have left on the screen.
    func takeClosing(
        into retired: inout RetiredNotifications, in database: Database
    ) throws {
        guard let text = try Self.meta(Self.closingKey, in: database),
            let list = try? PayloadCoding.decode(ClosingPopups.record, from: Data(text.utf8))
        else { return }
        // One that came back under the same key is another.
        for popup in list.popups where try self.notification(popup.key, in: database) == nil {
            guard let id = UInt32(exactly: popup.id) else { continue }
            retired.keys.append(popup.key)
            retired.popups[popup.key] = PresentedPopup(id: id, server: popup.server)
        }
    }

    private static func key(_ row: Row) -> NotificationKey? {
        guard let name: String = row.checked("app"), let app = try? ApplicationID(name),
            let identifier: String = row.checked("identifier")
        else { return nil }
        return NotificationKey(app: app, identifier: identifier)
    }

    private static func popup(_ row: Row) -> PresentedPopup? {
        guard let number: Int64 = row.checked("popup_id"), let id = UInt32(exactly: number),
            let server: String = row.checked("popup_server")
        else { return nil }
        return PresentedPopup(id: id, server: server)
    }

    /// The popup of a notification has left the screen; true where the notification leaves with it.
    package func popupLeft(
        _ key: NotificationKey, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        let orphans = try await change("changed") { database -> [String]? in
            guard let found = try self.notification(key, in: database),
                found.notification.isTransient
            else {
                try Self.forgetPopup(of: key, in: database)
                return nil
            }
            return try Self.delete(notification: found.row, in: database)
        }
        guard let orphans else { return false }
        vault.remove(orphans)
        return true
    }

    /// Forgets the popup of a notification, which stays delivered.
    package func forgetPopup(
        of key: NotificationKey, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { try Self.forgetPopup(of: key, in: $0) }
    }

    private static func forgetPopup(of key: NotificationKey, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE notification SET popup_id = NULL, popup_server = NULL
                WHERE app = ? AND identifier = ?
                """
        ).execute(arguments: [key.app.rawValue, key.identifier])
    }

    /// A delivered notification, or nil where it is gone.
    package func notification(
        _ key: NotificationKey, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> DeliveredNotification? {
        try await change("read") { try self.notification(key, in: $0)?.notification }
    }

    /// The row of a delivered notification, or nil where it is gone or damaged.
    func notification(
        _ key: NotificationKey, in database: Database
    ) throws -> (row: Int64, notification: DeliveredNotification)? {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM notification WHERE app = ? AND identifier = ?")
        guard
            let row = try Row.fetchOne(
                statement, arguments: [key.app.rawValue, key.identifier]
            ).map(NotificationRow.init),
            let notification = notification(row)
        else { return nil }
        return (row.row, notification)
    }

    /// Deletes a delivered notification and returns the files that nothing refers to any more.
    static func remove(
        notification key: NotificationKey, in database: Database
    ) throws -> [String] {
        let statement = try database.cachedStatement(
            sql: "SELECT row FROM notification WHERE app = ? AND identifier = ?")
        guard
            let row = try Int64.fetchOne(
                statement, arguments: [key.app.rawValue, key.identifier])
        else { return [] }
        return try delete(notification: row, in: database)
    }

    static func delete(notification row: Int64, in database: Database) throws -> [String] {
        try database.cachedStatement(sql: "DELETE FROM notification WHERE row = ?")
            .execute(arguments: [row])
        return try AttachmentReferences.drop(owner: .notification, row: row, in: database)
    }

    /// The notification of a row, or nil where the row is damaged.
    func notification(_ row: NotificationRow) -> DeliveredNotification? {
        let notification = decoded(row)
        if notification == nil { noteDamaged(.notification, row.row) }
        return notification
    }

    func decoded(_ row: NotificationRow) -> DeliveredNotification? {
        guard row.isIntact, let app = try? ApplicationID(row.app),
            var request = try? PayloadCoding.decodeRequest(from: row.payload)
        else { return nil }
        request.content = vault.located(request.content)
        return DeliveredNotification(
            app: app, request: request, date: Instant(microseconds: row.deliveredAt))
    }
}

extension DeliveredNotification {
    /// Whether it is delivered only as long as its popup is on the screen.
    package var isTransient: Bool { request.content.desktop?.isTransient ?? false }
}
