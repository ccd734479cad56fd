internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel

extension CenterStore {
    /// Stores what a person did with a notification, which thereby leaves the delivered ones.
    ///
    /// Returns nil where the notification is not delivered (any more), and for a dismissal that
    /// the notification's category does not ask for: that one only takes the entry away.
    /// With `launchDate` it is written down, too, that the app is to be started for it. One that is
    /// held is not among the responses of its app until it is released. Where `asked` is given and
    /// another notification has taken its place, that one stays.
    package func recordResponse(
        to key: NotificationKey, action: NotificationResponse.Action, activationToken: String?,
        launchDate: Instant? = nil, isHeld: Bool = false, asked: DeliveredNotification? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> NotificationResponse? {
        let (response, orphans) = try await change("changed") {
            database -> (NotificationResponse?, [String]) in
            guard let found = try self.notification(key, in: database) else { return (nil, []) }
            let isReplaced = asked.map { $0.date != found.notification.date } ?? false
            var notification = isReplaced ? asked ?? found.notification : found.notification
            // Its files went with its row.
            if isReplaced { notification.request.content.attachments = [] }
            let leave = {
                isReplaced ? [] : try Self.delete(notification: found.row, in: database)
            }
            if action == .dismiss, try !Self.wantsDismissal(notification, in: database) {
                return (nil, try leave())
            }
            // The row's number is its id.
            var response = NotificationResponse(
                id: 0, notification: notification, action: action,
                activationToken: activationToken)
            let payload = try PayloadCoding.encode(response, as: NotificationResponse.record)
            try database.cachedStatement(
                sql: "INSERT INTO response (app, payload, checksum, is_held) VALUES (?, ?, ?, ?)"
            ).execute(arguments: [
                key.app.rawValue, payload, RowChecksum.of(key.app.rawValue, payload: payload),
                isHeld,
            ])
            response.id = database.lastInsertedRowID
            try AttachmentReferences.add(
                notification.request.content.attachments.map(\.path), owner: .response,
                row: response.id, in: database)
            if let launchDate {
                try Self.wantLaunch(for: response, at: launchDate, in: database)
            }
            return (response, try leave())
        }
        vault.remove(orphans)
        return response
    }

    /// The responses that an app has not acknowledged, in the order in which they were given, without
    /// those that wait.
    package func responses(
        of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [NotificationResponse] {
        try await change("read") { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM response WHERE app = ? AND is_held = 0 ORDER BY row")
            return try Row.fetchAll(statement, arguments: [app.rawValue]).compactMap { row in
                self.response(of: app, in: row)
            }
        }
    }

    /// The response of a row, or nil where it is damaged.
    func response(of app: ApplicationID, in row: Row) -> NotificationResponse? {
        let response = decodedResponse(of: app, in: row)
        if response == nil, let number: Int64 = row.checked("row") {
            noteDamaged(.response, number)
        }
        return response
    }

    func decodedResponse(of app: ApplicationID, in row: Row) -> NotificationResponse? {
        let payload: Data = row.checked("payload") ?? Data()
        guard let id: Int64 = row.checked("row"),
            RowChecksum.of(app.rawValue, payload: payload) == row.checked("checksum"),
            var response = try? PayloadCoding.decode(NotificationResponse.record, from: payload)
        else { return nil }
        response.id = id
        // By the column, which follows the app when it takes another id.
        response.notification.app = app
        response.notification.request.content = vault.located(
            response.notification.request.content)
        return response
    }

    /// Forgets a response that its app is done with.
    package func acknowledge(
        _ id: Int64, of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let orphans = try await change("changed") { database -> [String] in
            try database.cachedStatement(sql: "DELETE FROM response WHERE row = ? AND app = ?")
                .execute(arguments: [id, app.rawValue])
            guard database.changesCount > 0 else { return [] }
            return try AttachmentReferences.drop(owner: .response, row: id, in: database)
        }
        vault.remove(orphans)
    }

    private static func wantsDismissal(
        _ notification: DeliveredNotification, in database: Database
    ) throws -> Bool {
        try category(of: notification, in: database)?.options.contains(.customDismissAction)
            ?? false
    }
}
