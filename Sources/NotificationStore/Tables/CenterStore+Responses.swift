internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel
internal import Reactor

extension CenterStore {
    /// A number for a new response, which no other response of this store ever had.
    ///
    /// Each store begins at a random number, so two stores rarely use the same number. If another
    /// store takes over this store, a response can keep its number. The app uses this number to
    /// acknowledge the response.
    package func nextResponseID() -> Int64 {
        lastResponseID.withLock { last in
            last += 1
            return last
        }
    }

    /// Reserves numbers for the responses of this run, and returns the number before the first.
    ///
    /// An app may get a response that its daemon never stores. The app may acknowledge the response
    /// in a later run of the daemon, so the later run must not use the number again.
    ///
    /// - If the database cannot be written, a later run may reuse numbers of such responses.
    /// - If the table is damaged, the numbers begin far above all used numbers.
    static func reserveResponseIDs(in database: DatabaseQueue) -> Int64 {
        do {
            return try database.write { database in
                let last = try lastResponseID(in: database)
                try database.execute(
                    sql: "DELETE FROM sqlite_sequence WHERE name = 'response'")
                try database.execute(
                    sql: "INSERT INTO sqlite_sequence VALUES ('response', ?)",
                    arguments: [last + reservedResponseIDs])
                return last
            }
        } catch {
            Log.store.error("the numbers of new responses could not be reserved: \(error)")
            let last = Result { try database.read { try lastResponseID(in: $0) } }
            return ((try? last.get()) ?? 1 << 52) + reservedResponseIDs
        }
    }

    /// How many numbers a run reserves.
    ///
    /// Each further number is reserved when its response is stored.
    private static let reservedResponseIDs: Int64 = 1_000_000

    /// The number before a store's first response is a random number of this range.
    ///
    /// The range leaves room for further numbers below 2^53, up to which JavaScript's numbers are
    /// exact.
    private static let firstResponseIDs: Range<Int64> = 0..<(1 << 51)

    /// The largest number so far, bounded so that a damaged value leaves room for further numbers.
    private static func lastResponseID(in database: Database) throws -> Int64 {
        let last: Int64? = try database.value(
            "SELECT seq FROM sqlite_sequence WHERE name = 'response'")
        return last.map { min(max($0, 0), 1 << 61) } ?? .random(in: firstResponseIDs)
    }

    /// Skips all numbers that another store may have given to its responses.
    func skipResponseIDs(of other: Database, in target: Database) throws {
        let last = try Self.lastResponseID(in: other)
        try target.run(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'response'",
            [last + Self.reservedResponseIDs])
        lastResponseID.withLock { $0 = max($0, last) }
    }

    /// Stores a response to a delivered notification, and removes the notification.
    ///
    /// Returns the response as stored, or nil if the notification is no longer delivered. If
    /// another notification has replaced it, the replacement stays delivered. The response then has
    /// no attachments: the store deleted them with their notification.
    ///
    /// - Parameters:
    ///   - response: The response; `nextResponseID` gave its number.
    ///   - isKept: False if the app needs no response; then only the notification is removed.
    ///   - isDeferred: Whether the app gets the response only after its release.
    ///   - launchDate: When the user asked for the start of the app; nil for no start.
    /// - Throws: `invalidArgument` if a text has a NUL character; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the store cannot be written.
    package func record(
        _ response: NotificationResponse, isKept: Bool = true, isDeferred: Bool = false,
        launchDate: Instant? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> NotificationResponse? {
        try await change("changed") { database in
            guard let found = try self.notification(response.notification.key, in: database)
            else { return nil }
            let isReplaced = response.notification.date != found.notification.date
            var response = response
            if isReplaced { response.notification.request.content.attachments = [] }
            if isKept {
                try Self.insert(response, isDeferred: isDeferred, in: database)
                if let launchDate {
                    try Self.wantLaunch(for: response, at: launchDate, in: database)
                }
            }
            // Delete last: the response now refers to the notification's files, so the files stay.
            if !isReplaced { try self.delete([found.row], from: .notification, in: database) }
            return response
        }
    }

    private static func insert(
        _ response: NotificationResponse, isDeferred: Bool, in database: Database
    ) throws {
        let app = response.notification.app.rawValue
        let payload = try PayloadCoding.encode(response, as: NotificationResponse.record)
        try database.run(
            "INSERT INTO response (row, app, payload, is_deferred, checksum) VALUES (?, ?, ?, ?, ?)",
            [response.id, app, payload, isDeferred, RowChecksum.of(app, payload)])
        try AttachmentReferences.add(
            response.notification.request.content.attachments.map(\.path), owner: .response,
            row: response.id, in: database)
    }

    /// The responses that an app has not acknowledged, oldest first, without deferred ones.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func responses(
        of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [NotificationResponse] {
        try await change("read") { database in
            try database.rows(
                "SELECT * FROM response WHERE app = ? AND is_deferred = 0 ORDER BY row",
                [app.rawValue]
            ).compactMap(self.response)
        }
    }

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
        // The column has the app's current id; the payload may still have a former id.
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
}
