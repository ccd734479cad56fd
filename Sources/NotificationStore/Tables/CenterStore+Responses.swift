internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel

extension CenterStore {
    /// Stores the user's response to a notification, which then leaves the delivered ones.
    ///
    /// Returns nil if the notification is no longer delivered. A dismissal that its category does
    /// not ask for also returns nil, and only removes the notification. With `launchDate` it also
    /// records that the app must be started. With `isHeld` the app gets the response only after its
    /// release. If another notification has replaced `asked`, that one stays delivered.
    ///
    /// - Throws: `invalidArgument` if a text has a NUL character; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the store cannot be written.
    package func recordResponse(
        to key: NotificationKey, action: NotificationResponse.Action, activationToken: String?,
        launchDate: Instant? = nil, isHeld: Bool = false, asked: DeliveredNotification? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> NotificationResponse? {
        try await change("changed") { database in
            guard let found = try self.notification(key, in: database) else { return nil }
            let isReplaced = asked.map { $0.date != found.notification.date } ?? false
            var notification = isReplaced ? asked ?? found.notification : found.notification
            // The files of the replaced notification went with its row.
            if isReplaced { notification.request.content.attachments = [] }
            var response: NotificationResponse?
            if try action != .dismiss || Self.wantsDismissal(notification, in: database) {
                response = try Self.insert(
                    NotificationResponse(
                        id: 0, notification: notification, action: action,
                        activationToken: activationToken), isHeld: isHeld, in: database)
            }
            if let launchDate, let response {
                try Self.wantLaunch(for: response, at: launchDate, in: database)
            }
            // Delete last: the response refers to the files by now, so they stay.
            if !isReplaced { try self.delete([found.row], from: .notification, in: database) }
            return response
        }
    }

    /// Inserts a response; the row number becomes its id.
    private static func insert(
        _ new: NotificationResponse, isHeld: Bool, in database: Database
    ) throws -> NotificationResponse {
        var response = new
        let app = response.notification.app.rawValue
        let payload = try PayloadCoding.encode(response, as: NotificationResponse.record)
        try database.run(
            "INSERT INTO response (app, payload, is_held, checksum) VALUES (?, ?, ?, ?)",
            [app, payload, isHeld, RowChecksum.of(app, payload)])
        response.id = database.lastInsertedRowID
        try AttachmentReferences.add(
            response.notification.request.content.attachments.map(\.path), owner: .response,
            row: response.id, in: database)
        return response
    }

    /// The responses that an app has not acknowledged, oldest first, without deferred ones.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func responses(
        of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [NotificationResponse] {
        try await change("read") { database in
            try database.rows(
                "SELECT * FROM response WHERE app = ? AND is_held = 0 ORDER BY row", [app.rawValue]
            ).compactMap(self.response)
        }
    }

    /// The response of a row, or nil if the row is damaged.
    func response(_ row: Row) -> NotificationResponse? {
        let response = decodedResponse(row)
        if response == nil { noteDamaged(.response, row) }
        return response
    }

    func decodedResponse(_ row: Row) -> NotificationResponse? {
        guard StoreTable.response.isIntact(row), let id: Int64 = row.checked("row"),
            let app: ApplicationID = row.checked("app"),
            let payload: Data = row.checked("payload"),
            var response = try? PayloadCoding.decode(NotificationResponse.record, from: payload)
        else { return nil }
        response.id = id
        // Use the column, which changes when the app takes another id.
        response.notification.app = app
        response.notification.request.content = vault.located(
            response.notification.request.content)
        return response
    }

    /// Deletes a response that its app has processed.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func acknowledge(
        _ id: Int64, of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.run("DELETE FROM response WHERE row = ? AND app = ?", [id, app.rawValue])
            guard database.changesCount > 0 else { return }
            try self.dropFiles(of: .response, rows: [id], in: database)
        }
    }

    private static func wantsDismissal(
        _ notification: DeliveredNotification, in database: Database
    ) throws -> Bool {
        try category(of: notification, in: database)?.options.contains(.customDismissAction)
            ?? false
    }
}
