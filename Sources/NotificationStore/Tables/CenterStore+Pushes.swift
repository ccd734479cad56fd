internal import Foundation
internal import GRDB
package import NotificationModel

/// A message of a push distributor, with the key by which the store recognises a copy.
package struct ReceivedMessage: Hashable, Sendable {
    /// A text that is equal for all copies of a message.
    package var key: String
    /// When the message was received.
    package var date: Instant

    package init(key: String, date: Instant) {
        self.key = key
        self.date = date
    }
}

extension CenterStore {
    private static let choiceKey = "push distributor"

    /// The registrations of all apps for remote notifications; a damaged one is left out.
    ///
    /// An app with a damaged registration gets a new one when it registers again.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func pushRegistrations(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [PushRegistration] {
        try await change("read") { database in
            try database.rows("SELECT * FROM push_registration ORDER BY app").compactMap { row in
                guard StoreTable.pushRegistration.isIntact(row),
                    let app: ApplicationID = row.checked("app"),
                    let token: String = row.checked("token"),
                    let payload: Data = row.checked("payload"),
                    var registration = try? PayloadCoding.decode(
                        PushRegistration.record, from: payload)
                else { return nil }
                registration.app = app
                registration.token = token
                return registration
            }
        }
    }

    /// Stores a registration in place of the app's former registration.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func save(
        _ registration: PushRegistration, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let (app, token) = (registration.app.rawValue, registration.token)
        let payload = try PayloadCoding.encode(
            registration, as: PushRegistration.record, of: "\(registration.app)")
        try await change("changed") { database in
            try database.run(
                "INSERT OR REPLACE INTO push_registration VALUES (?, ?, ?, ?)",
                [app, token, payload, RowChecksum.of(app, token, payload)])
        }
    }

    /// Removes the registration of an app.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func removePushRegistration(
        of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.run("DELETE FROM push_registration WHERE app = ?", [app.rawValue])
        }
    }

    /// The name of the push distributor that the user has chosen; nil for none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func chosenDistributor(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> String? {
        try await change("read") { try Self.meta(Self.choiceKey, in: $0) }
    }

    /// Stores the user's choice of a push distributor; nil removes it.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func saveChosenDistributor(
        _ name: String?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { try Self.setMeta(Self.choiceKey, name, in: $0) }
    }

    /// Stores the key of a message without a request; returns false if the key is known.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func recordMessage(
        _ message: ReceivedMessage, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        try await change("changed") { try Self.recordMessage(message, of: app, in: $0) }
    }

    /// Stores the key of a message, and drops the oldest keys; returns false if the key is known.
    static func recordMessage(
        _ message: ReceivedMessage, of app: ApplicationID, in database: Database
    ) throws -> Bool {
        try database.run(
            "INSERT OR IGNORE INTO push_message (app, message, received_at) VALUES (?, ?, ?)",
            [app.rawValue, message.key, message.date.microseconds])
        guard database.changesCount == 1 else { return false }
        let row = database.lastInsertedRowID
        let age = Limits.pushKeyAge.range.upperBound * 1_000_000
        let oldest = message.date.adding(microseconds: -age)
        try database.run(
            "DELETE FROM push_message WHERE row <= ? OR received_at < ?",
            [row - Limits.pushKeys.range.upperBound, oldest.microseconds])
        return true
    }
}
