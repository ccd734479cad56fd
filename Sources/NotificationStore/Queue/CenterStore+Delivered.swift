internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel
internal import Reactor

/// Delivered notifications that the store removed, for example because they were too old or too
/// many.
package struct RetiredNotifications: Hashable, Sendable {
    /// The removed or replaced notifications; the caller closes their popups.
    package var keys: [NotificationKey] = []
    /// Notifications to which nobody can respond any more.
    ///
    /// They got no popup or were removed, and they are not due again.
    package var unawaited: [NotificationKey] = []
    /// The popups of `keys`, as far as the store knows them.
    package var popups: [NotificationKey: PresentedPopup] = [:]
    /// The row of a summary of late notifications, if the summary was removed during its
    /// presentation; the caller withdraws that row.
    package var presenting: [Int64] = []
}

extension CenterStore {
    /// Removes delivered notifications; the caller closes their popups.
    ///
    /// If `selection` is `all`, this method also removes the app's pending summary of late
    /// notifications.
    ///
    /// `awaited` has the keys to which callers await a response. The result's `unawaited` has the
    /// awaited keys that were removed and are not pending.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID,
        awaited: [NotificationKey: Int].Keys = [NotificationKey: Int]().keys,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> RetiredNotifications {
        try await change("changed") { database in
            // Compare bytes, as SQLite does: Swift treats canonically equivalent texts as equal.
            var wanted: Set<Data>?
            if case .identifiers(let identifiers) = selection {
                wanted = Set(identifiers.map { Data($0.utf8) })
            }
            var removed = RetiredNotifications()
            try self.retire(where: "app = ?", [app.rawValue], into: &removed, in: database) { row in
                wanted?.contains(row.checked("identifier") ?? Data()) ?? true
            }
            if wanted == nil { removed.presenting = try self.removeSummary(of: app, in: database) }
            try self.noteClosing(removed.popups, in: database)
            removed.unawaited = try Self.withoutRequest(
                removed.keys.filter { awaited.contains($0) }, in: database)
            return removed
        }
    }

    /// Removes this delivered notification; if another notification replaced it, changes nothing.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func removeDelivered(
        _ meant: DeliveredNotification, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> RetiredNotifications {
        try await change("changed") { database in
            var removed = RetiredNotifications()
            try self.retire(
                where: "app = ? AND identifier = ? AND delivered_at = ?",
                meant.key.columns + [meant.date.microseconds], into: &removed, in: database)
            try self.noteClosing(removed.popups, in: database)
            removed.unawaited = try Self.withoutRequest(removed.keys, in: database)
            return removed
        }
    }

    /// The popups that may still be on a screen.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func popups(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [NotificationKey: PresentedPopup] {
        try await change("read") { database in
            let rows = try database.rows(
                """
                SELECT app, identifier, popup_id, popup_server FROM notification
                WHERE popup_id NOT NULL AND popup_server NOT NULL
                """)
            return rows.reduce(into: [:]) { popups, row in
                guard let key = row.key else { return }
                popups[key] = PresentedPopup(row)
            }
        }
    }

    /// Deletes the delivered notifications that match, and adds their keys and popups to `retired`.
    ///
    /// The condition may end with `ORDER BY` and `LIMIT`.
    func retire(
        where condition: String, _ arguments: StatementArguments,
        into retired: inout RetiredNotifications, in database: Database,
        isWanted: (Row) -> Bool = { _ in true }
    ) throws {
        let rows = try database.rows(
            """
            SELECT row, app, identifier, popup_id, popup_server FROM notification
            WHERE \(condition)
            """, arguments
        )
        .filter(isWanted)
        for row in rows {
            guard let key = row.key else { continue }
            retired.keys.append(key)
            retired.popups[key] = PresentedPopup(row)
        }
        try delete(rows.compactMap { $0.checked("row") }, from: .notification, in: database)
    }

    /// Deletes the delivered notification of a key if its row number is at most `last`.
    func retire(
        notification key: NotificationKey, upTo last: Int64 = .max,
        into retired: inout RetiredNotifications, in database: Database
    ) throws {
        try retire(
            where: "app = ? AND identifier = ? AND row <= ?", key.columns + [last],
            into: &retired, in: database)
    }

    // MARK: Popups to close

    /// A popup that may still be open although its notification is gone.
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

    /// All closing popups, stored as one JSON text.
    private struct ClosingPopups: Sendable {
        var popups: [ClosingPopup] = []

        static let record = Record<ClosingPopups>([
            Field("popups", \.popups) { ClosingPopup.record }
        ]) { ClosingPopups() }
    }

    private static let closingKey = "closing"

    /// Stores popups to close.
    ///
    /// If this process dies before it closes them, the next process closes them.
    func noteClosing(
        _ popups: [NotificationKey: PresentedPopup], in database: Database
    ) throws {
        guard !popups.isEmpty else { return }
        let all = closing.withLock { closing in
            closing.merge(popups) { $1 }
            return closing.map { ClosingPopup(key: $0, id: Int64($1.id), server: $1.server) }
        }
        try Self.setMeta(
            Self.closingKey, ClosingPopups(popups: all), as: ClosingPopups.record, in: database)
    }

    /// Forgets popups that the server was asked to close.
    ///
    /// The stored list keeps them until `noteClosing` writes the list again.
    package func popupsClosed(_ keys: [NotificationKey]) {
        closing.withLock { closing in
            for key in keys { closing[key] = nil }
        }
    }

    /// Adds the popups that an earlier process may have left open.
    func takeClosing(
        into retired: inout RetiredNotifications, in database: Database
    ) throws {
        let list = try Self.meta(Self.closingKey, as: ClosingPopups.record, in: database)
        // Skip a notification that was delivered again: its current popup must stay.
        for popup in list?.popups ?? [] where try !hasPopup(popup.key, in: database) {
            guard let id = UInt32(exactly: popup.id) else { continue }
            retired.keys.append(popup.key)
            retired.popups[popup.key] = PresentedPopup(id: id, server: popup.server)
        }
    }

    /// Whether a notification with this key is delivered and has a popup.
    func hasPopup(_ key: NotificationKey, in database: Database) throws -> Bool {
        let row = try database.row(
            """
            SELECT 1 FROM notification
            WHERE app = ? AND identifier = ? AND popup_id NOT NULL
            """, key.columns)
        return row != nil
    }

    /// Whether the user can respond to a delivered notification with this key.
    ///
    /// Its popup is on the screen, or its server lost the popup and the popup may be restored.
    static func isAnswerable(_ key: NotificationKey, in database: Database) throws -> Bool {
        let row = try database.row(
            """
            SELECT 1 FROM notification
            WHERE app = ? AND identifier = ? AND popup_server NOT NULL
            """, key.columns)
        return row != nil
    }

    /// Records that a popup left the screen; a transient notification is removed with its popup.
    ///
    /// The result's `keys` has the removed notification. Its `unawaited` has the key of the popup,
    /// unless a pending request with this key will still be shown.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func popupLeft(
        _ key: NotificationKey, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> RetiredNotifications {
        try await change("changed") { database in
            var left = RetiredNotifications()
            if let found = try self.notification(key, in: database), found.notification.isTransient
            {
                try self.delete([found.row], from: .notification, in: database)
                left.keys = [key]
            } else {
                try Self.forgetPopup(of: key, in: database)
            }
            left.unawaited = try Self.withoutRequest([key], in: database)
            return left
        }
    }

    /// Forgets the popup of a notification; the notification stays delivered.
    ///
    /// Returns false if the notification is no longer delivered.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func forgetPopup(
        of key: NotificationKey, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        try await change("changed") { database in
            try Self.forgetPopup(of: key, in: database)
            return database.changesCount > 0
        }
    }

    private static func forgetPopup(of key: NotificationKey, in database: Database) throws {
        try database.run(
            """
            UPDATE notification SET popup_id = NULL, popup_server = NULL
            WHERE app = ? AND identifier = ?
            """, key.columns)
    }

    /// A delivered notification, or nil if it is gone or damaged.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func notification(
        _ key: NotificationKey, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> DeliveredNotification? {
        try await change("read") { try self.notification(key, in: $0)?.notification }
    }

    func notification(
        _ key: NotificationKey, in database: Database
    ) throws -> (row: Int64, notification: DeliveredNotification)? {
        let row = try database.row(
            "SELECT * FROM notification WHERE app = ? AND identifier = ?", key.columns)
        guard let row, let number: Int64 = row.checked("row"), let notification = notification(row)
        else { return nil }
        return (number, notification)
    }

    func remove(notification key: NotificationKey, in database: Database) throws {
        let rows: [Int64] = try database.values(
            "SELECT row FROM notification WHERE app = ? AND identifier = ?", key.columns)
        try delete(rows, from: .notification, in: database)
    }

    func notification(_ row: Row) -> DeliveredNotification? {
        let notification = decodedNotification(row)
        if notification == nil { noteDamaged(.notification, row) }
        return notification
    }

    func decodedNotification(_ row: Row) -> DeliveredNotification? {
        guard StoreTable.notification.isIntact(row), let app: ApplicationID = row.checked("app"),
            let date: Instant = row.checked("delivered_at"),
            let payload: Data = row.checked("payload"),
            let stored = try? PayloadCoding.decode(StoredRequest.record, from: payload)
        else { return nil }
        var request = stored.request
        request.content = vault.located(request.content)
        return DeliveredNotification(
            app: app, request: request, date: date, snoozedUntil: stored.snoozedUntil,
            due: stored.due)
    }
}

extension PresentedPopup {
    fileprivate init?(_ row: Row) {
        guard let id: UInt32 = row.checked("popup_id"),
            let server: String = row.checked("popup_server")
        else { return nil }
        self.init(id: id, server: server)
    }
}

extension DeliveredNotification {
    /// Whether the notification stays delivered only while its popup is on the screen.
    package var isTransient: Bool { request.content.desktop?.isTransient ?? false }
}
