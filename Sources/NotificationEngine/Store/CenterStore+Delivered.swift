internal import Foundation
internal import GRDB
internal import Logging
import NotificationModel

extension CenterStore {
    /// The delivered notifications, newest first.
    func delivered(
        of app: ApplicationID?
    ) async throws(NotificationError) -> [DeliveredNotification] {
        try await change("read") { database in
            let sql = """
                SELECT * FROM notification \(app == nil ? "" : "WHERE app = ?") ORDER BY row DESC
                """
            let arguments: StatementArguments = app.map { [$0.rawValue] } ?? []
            return try Row.fetchAll(database, sql: sql, arguments: arguments)
                .compactMap(Self.decodeNotification)
        }
    }

    /// Removes delivered notifications and returns the keys whose popups should go.
    func removeDelivered(
        _ selection: NotificationSelection, of app: ApplicationID
    ) async throws(NotificationError) -> [NotificationKey] {
        let (keys, orphans) = try await change("changed") { database in
            let identifiers: [String]
            switch selection {
            case .identifiers(let some): identifiers = some
            case .all:
                identifiers = try String.fetchAll(
                    database, sql: "SELECT identifier FROM notification WHERE app = ?",
                    arguments: [app.rawValue])
            }
            let keys = identifiers.map { NotificationKey(app: app, identifier: $0) }
            return (keys, try keys.flatMap { try Self.remove(notification: $0, in: database) })
        }
        vault.remove(orphans)
        return keys
    }

    /// The popups that may still be on a screen.
    func popups() async throws(NotificationError) -> [NotificationKey: PresentedPopup] {
        try await change("read") { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT app, identifier, popup_id, popup_server FROM notification
                    WHERE popup_id NOT NULL AND popup_server NOT NULL
                    """)
            var popups: [NotificationKey: PresentedPopup] = [:]
            for row in rows {
                guard let app = try? ApplicationID(row["app"]),
                    let id = UInt32(exactly: row["popup_id"] as Int64)
                else { continue }
                let key = NotificationKey(app: app, identifier: row["identifier"])
                popups[key] = PresentedPopup(id: id, server: row["popup_server"])
            }
            return popups
        }
    }

    /// Forgets the popup of a notification, which stays delivered; nil forgets all.
    func forgetPopup(of key: NotificationKey?) async throws(NotificationError) {
        try await change("changed") { database in
            if let key {
                try database.cachedStatement(
                    sql: """
                        UPDATE notification SET popup_id = NULL, popup_server = NULL
                        WHERE app = ? AND identifier = ?
                        """
                ).execute(arguments: [key.app.rawValue, key.identifier])
            } else {
                try database.execute(
                    sql: """
                        UPDATE notification SET popup_id = NULL, popup_server = NULL
                        WHERE popup_id NOT NULL
                        """)
            }
        }
    }

    /// The row of a delivered notification, or nil where it is gone or damaged.
    static func notification(
        _ key: NotificationKey, in database: Database
    ) throws -> (row: Int64, notification: DeliveredNotification)? {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM notification WHERE app = ? AND identifier = ?")
        guard
            let row = try Row.fetchOne(
                statement, arguments: [key.app.rawValue, key.identifier]),
            let notification = decodeNotification(row)
        else { return nil }
        return (row["row"], notification)
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

    private static func decodeNotification(_ row: Row) -> DeliveredNotification? {
        let app: String = row["app"]
        let identifier: String = row["identifier"]
        let payload: Data = row["payload"]
        let date: Int64 = row["delivered_at"]
        let stored: Int64 = row["checksum"]
        guard RowChecksum.of(app, identifier, numbers: [date], payload: payload) == stored,
            let id = try? ApplicationID(app),
            let request = try? PayloadCoding.decode(NotificationRequest.self, from: payload)
        else {
            Log.store.error("a damaged notification of \(app) is passed over: \(identifier)")
            return nil
        }
        return DeliveredNotification(
            app: id, request: request, date: Instant(microseconds: date))
    }
}
