internal import Foundation
internal import GRDB
package import NotificationModel

extension CenterStore {
    // MARK: Hidden texts

    /// The popups on the screen whose texts are hidden until the session is unlocked.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func hidden(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [Restoration] {
        try await change("read") { database in
            try database.rows(
                """
                SELECT row, app, identifier FROM notification
                WHERE is_hidden = 1 AND popup_id NOT NULL ORDER BY row
                """
            ).compactMap { row in
                guard let number: Int64 = row.checked("row"), let key = row.key
                else { return nil }
                return Restoration(row: number, key: key, cause: .hidden)
            }
        }
    }

    /// The app's delivered notifications that belong to the thread of `notification`.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func thread(
        of notification: DeliveredNotification, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Set<NotificationKey> {
        try await change("read") { database in
            let rows = try database.rows(
                "SELECT * FROM notification WHERE app = ?", [notification.app.rawValue])
            let thread = notification.request.content.threadIdentifier
            return Set(
                rows.compactMap(self.notification)
                    .filter { $0.request.content.threadIdentifier == thread }.map(\.key))
        }
    }

    // MARK: Deferred responses

    /// The responses that are deferred until the session is unlocked, oldest first.
    func deferredResponses(in database: Database) throws -> [DeferredResponse] {
        try database.rows("SELECT * FROM response WHERE is_deferred = 1 ORDER BY row")
            .compactMap(self.response).map { response in
                DeferredResponse(id: response.id, key: response.notification.key)
            }
    }

    /// Releases a deferred response to its app; returns nil if the response is gone.
    ///
    /// If `launchDate` is given, the store also records that the app must be started for the
    /// response.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func release(
        _ deferred: DeferredResponse, launchDate: Instant?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> NotificationResponse? {
        try await change("changed") { database in
            try self.release(deferred.id, launchDate: launchDate, in: database)
        }
    }

    /// Releases all deferred responses to their apps; see `release`.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func releaseAll(
        launchDate: Instant?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            let rows: [Int64] = try database.values(
                "SELECT row FROM response WHERE is_deferred = 1 ORDER BY row")
            for row in rows { _ = try self.release(row, launchDate: launchDate, in: database) }
        }
    }

    private func release(
        _ row: Int64, launchDate: Instant?, in database: Database
    ) throws -> NotificationResponse? {
        try database.run("UPDATE response SET is_deferred = 0 WHERE row = ?", [row])
        guard
            let response = try database.row("SELECT * FROM response WHERE row = ?", [row])
                .flatMap(response)
        else { return nil }
        if let launchDate { try Self.wantLaunch(for: response, at: launchDate, in: database) }
        return response
    }
}

/// A stored response that its app gets when the session is unlocked.
package struct DeferredResponse: Hashable, Sendable {
    /// The row number of the response.
    package var id: Int64
    /// The notification that the user responded to.
    package var key: NotificationKey

    package init(id: Int64, key: NotificationKey) {
        self.id = id
        self.key = key
    }
}
