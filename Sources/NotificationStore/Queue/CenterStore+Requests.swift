internal import Foundation
internal import GRDB
package import NotificationModel

extension CenterStore {
    /// The size below which an app's requests are not counted among those of all apps, in bytes.
    private static let smallApp: Int64 = 4 << 20

    /// Stores requests in place of waiting ones of the same identifiers, all of them or none.
    ///
    /// Returns the rows that were replaced and on their way already, and the new ones that are
    /// "presenting".
    package func add(
        _ additions: [StoreAddition], for app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (replaced: [Int64], claimed: [ClaimedRequest]) {
        let removal = try await change("changed") { try self.put(additions, for: app, in: $0) }
        vault.remove(removal.orphans)
        return (removal.onTheirWay, removal.claimed)
    }

    /// Stores what was left for this centre under marks, once, all of it in one commit.
    ///
    /// Of each it returns the rows that were replaced and on their way already, nil where its mark
    /// is known, or why it alone was not stored.
    package func take(
        _ left: [(mark: String, addition: StoreAddition)], for app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [Result<[Int64]?, NotificationError>] {
        let (results, orphans) = try await change("changed") { database in
            var orphans: [String] = []
            let results = try left.map { mark, addition -> Result<[Int64]?, NotificationError> in
                do {
                    let removal = try self.take(addition, marked: mark, for: app, in: database)
                    orphans += removal?.orphans ?? []
                    return .success(removal?.onTheirWay)
                } catch let error as NotificationError {
                    return .failure(error)
                }
            }
            return (results, orphans)
        }
        vault.remove(orphans)
        return results
    }

    /// Nil where the mark is known; where it throws, nothing was changed.
    private func take(
        _ addition: StoreAddition, marked mark: String, for app: ApplicationID,
        in database: Database
    ) throws -> Removal? {
        var removal: Removal?
        try database.inSavepoint {
            try database.execute(
                sql: "INSERT OR IGNORE INTO meta VALUES (?, 'yes')", arguments: ["inbox " + mark])
            if database.changesCount == 1 {
                removal = try self.put([addition], for: app, in: database)
            }
            return .commit
        }
        return removal
    }

    /// Forgets the marks but these: what they stood for cannot come again.
    package func forgetMarks(
        but marks: [String], isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let kept = Set(marks.map { "inbox " + $0 })
        try await change("changed") { database in
            for mark in try Self.marks(in: database) where !kept.contains(mark) {
                try database.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [mark])
            }
        }
    }

    /// The marks of what was taken, as `meta` has them.
    static func marks(in database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT key FROM meta WHERE key LIKE 'inbox %'")
    }

    private func put(
        _ additions: [StoreAddition], for app: ApplicationID, in database: Database
    ) throws -> Removal {
        guard reserve.isThereRoom() else { throw reserve.refusal(of: layout.database) }
        var removal = Removal()
        for addition in additions {
            switch addition {
            case .request(let new):
                let replaced = try Self.row(of: app, new.identifier, in: database)
                if let replaced { try Self.remove(replaced, in: database, into: &removal) }
                let row = try insert(new, isNew: replaced == nil, in: database)
                removal.claimed += [new.claimed(as: row)].compactMap(\.self)
            case .removal(let identifier):
                if let row = try Self.row(of: app, identifier, in: database) {
                    try Self.remove(row, in: database, into: &removal)
                }
            }
        }
        return removal
    }

    /// Makes a row of a request of whose identifier none waits.
    ///
    /// Files that a delivered notification has are counted already.
    @discardableResult
    func insert(
        _ new: NewRequest, isNew: Bool, bringsFiles: Bool = true, in database: Database
    ) throws -> Int64 {
        let app = new.app.rawValue
        let sizes = new.fileSizes()
        try checkLimits(
            of: new, adding: Int64(new.payload.count) + (bringsFiles ? sizes.total : 0),
            isNew: isNew, in: database)
        let checksum = RowChecksum.of(
            app, new.identifier, numbers: [new.due.wall.microseconds, new.due.boot],
            payload: new.payload)
        try database.cachedStatement(
            sql: """
                INSERT INTO request
                (app, identifier, due_wall, boot_id, due_boot, zone, state, payload, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            app, new.identifier, new.due.wall.microseconds,
            new.due.boot == nil ? nil : bootID, new.due.boot, new.due.zone,
            new.isPresenting ? 1 : 0, new.payload, checksum,
        ])
        let row = database.lastInsertedRowID
        try AttachmentReferences.note(sizes.byName, of: app, in: database)
        try AttachmentReferences.add(new.files, owner: .request, row: row, in: database)
        return row
    }

    /// Removes requests, and returns the rows of those that were on their way already.
    package func removePending(
        _ selection: NotificationSelection, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [Int64] {
        let removal = try await change("changed") { database in
            let rows: [StoredRow]
            switch selection {
            case .identifiers(let identifiers):
                rows = try identifiers.compactMap { try Self.row(of: app, $0, in: database) }
            case .all:
                rows = try Row.fetchAll(
                    database, sql: "SELECT row, state FROM request WHERE app = ?",
                    arguments: [app.rawValue]
                ).compactMap(StoredRow.init)
            }
            var removal = Removal()
            for row in rows { try Self.remove(row, in: database, into: &removal) }
            return removal
        }
        vault.remove(removal.orphans)
        return removal.onTheirWay
    }

    private func checkLimits(
        of new: NewRequest, adding size: Int64, isNew: Bool, in database: Database
    ) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT pending, bytes FROM request_count WHERE app = ?")
        let row = try Row.fetchOne(statement, arguments: [new.app.rawValue])
        let count: Int64 = row?.checked("pending") ?? 0
        let bytes: Int64 = row?.checked("bytes") ?? 0
        guard !isNew || count < limits.pending else {
            throw NotificationError(
                .limitReached,
                "The request was refused: \(new.app) has \(count) requests waiting, and one app "
                    + "may have \(limits.pending). Remove some, or use a repeating trigger.")
        }
        guard bytes + size <= limits.bytes else {
            throw NotificationError(
                .limitReached,
                "The request was refused: it has \(size) bytes with its attachments, \(new.app) "
                    + "has \(bytes) bytes in the store, and one app may have \(limits.bytes). "
                    + "Remove requests or delivered notifications with attachments, or attach "
                    + "smaller files.")
        }
        // An app with little does not pay for a look at all of them.
        guard bytes + size > Self.smallApp else { return }
        let total = try Int64.fetchOne(database, sql: "SELECT SUM(bytes) FROM request_count") ?? 0
        guard total.saturatingAdd(size) <= limits.storeBytes else {
            throw NotificationError(
                .limitReached,
                "The request was refused: all apps together have \(total) bytes in the store, and "
                    + "\(limits.storeBytes) are the most. Remove requests or delivered "
                    + "notifications with attachments.")
        }
    }
}

// MARK: - Rows

extension CenterStore {
    /// A request's row without its content.
    private struct StoredRow {
        var row: Int64
        var isOnItsWay: Bool

        init?(_ row: Row) {
            guard let number: Int64 = row.checked("row") else { return nil }
            self.row = number
            isOnItsWay = row.checked("state") != Int64(0)
        }
    }

    private struct Removal: Sendable {
        /// Files that nothing refers to any more.
        var orphans: [String] = []
        /// Rows that were claimed: their files stay until they are settled.
        var onTheirWay: [Int64] = []
        /// The new rows that are "presenting".
        var claimed: [ClaimedRequest] = []
    }

    private static func row(
        of app: ApplicationID, _ identifier: String, in database: Database
    ) throws -> StoredRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT row, state FROM request WHERE app = ? AND identifier = ?")
        return try Row.fetchOne(statement, arguments: [app.rawValue, identifier])
            .flatMap(StoredRow.init)
    }

    private static func remove(
        _ row: StoredRow, in database: Database, into removal: inout Removal
    ) throws {
        try database.cachedStatement(sql: "DELETE FROM request WHERE row = ?")
            .execute(arguments: [row.row])
        if row.isOnItsWay {
            removal.onTheirWay.append(row.row)
        } else {
            removal.orphans += try AttachmentReferences.drop(
                owner: .request, row: row.row, in: database)
        }
    }

    /// Deletes a row and returns the files that nothing refers to any more.
    static func delete(request row: Int64, in database: Database) throws -> [String] {
        try database.cachedStatement(sql: "DELETE FROM request WHERE row = ?")
            .execute(arguments: [row])
        return try AttachmentReferences.drop(owner: .request, row: row, in: database)
    }

    /// The same for a row whose content is known.
    static func delete(_ claimed: ClaimedRequest, in database: Database) throws -> [String] {
        try database.cachedStatement(sql: "DELETE FROM request WHERE row = ?")
            .execute(arguments: [claimed.row])
        guard !claimed.files.isEmpty else { return [] }
        return try AttachmentReferences.drop(owner: .request, row: claimed.row, in: database)
    }

    /// The row as a value, or nil where its checksum or its JSON is wrong.
    func claimed(_ row: RequestRow) -> ClaimedRequest? {
        guard row.isIntact, let app = try? ApplicationID(row.app),
            let stored = try? PayloadCoding.decodeStored(from: row.payload),
            rules.accepts(stored.request)
        else { return nil }
        var request = stored.request
        request.content = vault.located(request.content)
        return ClaimedRequest(
            row: row.row, app: app, request: request, payload: row.payload,
            isMutable: stored.isMutable,
            due: DueTime(
                wall: Instant(microseconds: row.dueWall), boot: row.dueBoot, zone: row.zone,
                fired: row.firedWall.map(Instant.init(microseconds:))),
            skipped: stored.skipped, regular: regular(of: stored, in: row))
    }

    /// Of another boot only the wall time is of use.
    private func regular(of stored: StoredRequest, in row: RequestRow) -> DueTime? {
        var regular = stored.regular
        if row.dueBoot == nil { regular?.boot = nil }
        return regular
    }
}
