internal import Foundation
internal import GRDB
package import NotificationModel

extension CenterStore {
    /// An app may use this many bytes even if all apps together have reached their limit.
    private static let smallApp: Int64 = 4 << 20

    /// Stores all requests or none; each replaces a pending request with the same identifier.
    ///
    /// Returns the replaced rows that were being presented, and the new rows that are stored as
    /// "presenting". If the push message `message` was received before, nothing changes and the
    /// result is nil.
    ///
    /// - Throws: `limitReached` if the app or the store would exceed a limit; `noSpace` if the disk
    ///   is full; `storeUnavailable` if the store cannot be written.
    package func add(
        _ additions: [StoreAddition], for app: ApplicationID, message: ReceivedMessage? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (replaced: [Int64], claimed: [ClaimedRequest])? {
        try await change("changed") { database in
            if let message, try !Self.recordMessage(message, of: app, in: database) { return nil }
            return try self.storeAdditions(additions, for: app, in: database)
        }
    }

    /// Imports requests from the command-line tool's inbox, all in one commit.
    ///
    /// The result of each entry is one of these:
    ///
    /// - Nil if the entry's ID is known, because the entry was imported before.
    /// - The error if the request cannot be stored; the other entries are imported.
    /// - Otherwise the replaced rows that were being presented.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func importEntries(
        _ entries: [(entryID: String, addition: StoreAddition)], for app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [Result<[Int64]?, NotificationError>] {
        try await change("changed") { database in
            try entries.map { entryID, addition in
                do {
                    return .success(
                        try self.importEntry(addition, entryID, for: app, in: database))
                } catch let error as NotificationError {
                    return .failure(error)
                }
            }
        }
    }

    /// Imports an entry; returns nil if the entry ID is known, and changes nothing if this method
    /// throws.
    private func importEntry(
        _ addition: StoreAddition, _ entryID: String, for app: ApplicationID,
        in database: Database
    ) throws -> [Int64]? {
        var presenting: [Int64]?
        try database.inSavepoint {
            try database.run("INSERT OR IGNORE INTO meta VALUES (?, 'yes')", ["inbox " + entryID])
            if database.changesCount == 1 {
                presenting = try self.storeAdditions([addition], for: app, in: database).replaced
            }
            return .commit
        }
        return presenting
    }

    /// Forgets all entry IDs except these, because the inbox has only these entries left.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func forgetEntryIDs(
        but entryIDs: [String], isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let kept = Set(entryIDs.map { "inbox " + $0 })
        try await change("changed") { database in
            for key in try Self.importedEntries(in: database) where !kept.contains(key) {
                try Self.setMeta(key, nil, in: database)
            }
        }
    }

    /// The keys in the table `meta` that stand for imported inbox entries.
    static func importedEntries(in database: Database) throws -> [String] {
        try database.values("SELECT key FROM meta WHERE key LIKE 'inbox %'")
    }

    private func storeAdditions(
        _ additions: [StoreAddition], for app: ApplicationID, in database: Database
    ) throws -> (replaced: [Int64], claimed: [ClaimedRequest]) {
        guard reserve.isThereRoom() else { throw reserve.refusal(of: layout.database) }
        let isChecked = try additions.count > 1 && mayAdd(additions, of: app, in: database)
        var presenting: [Int64] = []
        var claimed: [ClaimedRequest] = []
        for addition in additions {
            let former = try Self.row(of: app, addition.identifier, in: database)
            if let former { try remove(former, in: database, into: &presenting) }
            if case .request(let new) = addition {
                let row = try insert(
                    new, isNew: former == nil, isChecked: isChecked, in: database)
                claimed += [new.claimed(as: row)].compactMap(\.self)
            }
        }
        if additions.contains(where: { $0.region != nil }) {
            try Self.checkRegions(of: app, in: database)
        }
        return (presenting, claimed)
    }

    /// Checks how many requests of an app wait for a region.
    ///
    /// The engine's own check misses the regions of this call, and of other calls that are not
    /// stored yet.
    private static func checkRegions(of app: ApplicationID, in database: Database) throws {
        let count: Int64? = try database.value(
            """
            SELECT COUNT(*) FROM request
            WHERE state = 0 AND boot_id IS NULL AND due_wall = ? AND app = ?
            """, [DueTime.never.wall.microseconds, app.rawValue])
        try Limits.regions.check(count ?? 0, of: "\(app)")
    }

    /// Whether an app may add all these requests, even if each of them is new.
    ///
    /// One check of the whole call replaces a check of each request.
    private func mayAdd(
        _ additions: [StoreAddition], of app: ApplicationID, in database: Database
    ) throws -> Bool {
        var (count, size): (Int64, Int64) = (0, 0)
        for case .request(let new) in additions {
            count += 1
            size += Int64(new.payload.count)
            size += AttachmentReferences.sizes(of: new.files).reduce(0) { $0 + $1.size }
        }
        do {
            try checkLimits(of: app, adding: size, count: count, in: database)
            return true
        } catch is NotificationError {
            return false
        }
    }

    /// Inserts a row for a request; checks the app's limits unless `isChecked` is true.
    ///
    /// If `isNew` is false, the request replaces a pending request that the caller has removed. If
    /// `bringsFiles` is false, the files belong to a delivered notification and are already
    /// counted.
    @discardableResult
    func insert(
        _ new: NewRequest, isNew: Bool, bringsFiles: Bool = true, isChecked: Bool = false,
        in database: Database
    ) throws -> Int64 {
        let sizes = AttachmentReferences.sizes(of: new.files)
        if !isChecked {
            let size = bringsFiles ? sizes.reduce(0) { $0 + $1.size } : 0
            try checkLimits(
                of: new.app, adding: Int64(new.payload.count) + size, count: isNew ? 1 : 0,
                in: database)
        }
        let row = try insertRow(
            NotificationKey(app: new.app, identifier: new.identifier), payload: new.payload,
            due: new.due, isPresenting: new.isPresenting, in: database)
        try AttachmentReferences.recordFiles(sizes, of: new.app, in: database)
        try AttachmentReferences.add(new.files, owner: .request, row: row, in: database)
        return row
    }

    /// Inserts a row for a request without a check of limits; returns the row's number.
    func insertRow(
        _ key: NotificationKey, payload: Data, due: DueTime, isPresenting: Bool = false,
        in database: Database
    ) throws -> Int64 {
        try database.run(
            """
            INSERT INTO request
              (app, identifier, state, due_wall, due_boot, boot_id, zone, payload, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                key.app.rawValue, key.identifier, isPresenting, due.wall.microseconds, due.boot,
                due.boot == nil ? nil : bootID, due.zone, payload,
                RequestRow.checksum(key, due, payload),
            ])
        return database.lastInsertedRowID
    }

    /// Removes requests; returns the rows of those that were being presented.
    ///
    /// `awaited` has the keys to which callers await a response. `unawaited` has the awaited keys
    /// whose pending requests were removed, and that have no popup.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func removePending(
        _ selection: NotificationSelection, of app: ApplicationID,
        awaited: [NotificationKey: Int].Keys = [NotificationKey: Int]().keys,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (presenting: [Int64], unawaited: [NotificationKey]) {
        try await change("changed") { database in
            let rows =
                switch selection {
                case .identifiers(let identifiers):
                    try identifiers.compactMap { try Self.row(of: app, $0, in: database) }
                case .all:
                    // The summary of late notifications stays, because these notifications are
                    // delivered.
                    try database.rows(
                        """
                        SELECT row, state, app, identifier FROM request
                        WHERE app = ? AND identifier != ?
                        """, [app.rawValue, MissedSummary.identifier])
                }
            var presenting: [Int64] = []
            for row in rows { try self.remove(row, in: database, into: &presenting) }
            var unawaited: [NotificationKey] = []
            // A removal may concern 100,000 rows, and callers rarely await a response to any of
            // them. Skip a row that is being presented: its callers wait until its presentation
            // ends.
            for row in rows where !awaited.isEmpty && row.checked("state") == Int64(0) {
                guard let key = row.key, awaited.contains(key) else { continue }
                if try !Self.isAnswerable(key, in: database) { unawaited.append(key) }
            }
            return (presenting: presenting, unawaited: unawaited)
        }
    }

    /// Removes an app's pending summary of late notifications; returns its row if the summary was
    /// being presented.
    func removeSummary(of app: ApplicationID, in database: Database) throws -> [Int64] {
        var presenting: [Int64] = []
        if let row = try Self.row(of: app, MissedSummary.identifier, in: database) {
            try remove(row, in: database, into: &presenting)
        }
        return presenting
    }

    /// Checks that an app may add `size` bytes, and `new` more requests.
    func checkLimits(
        of app: ApplicationID, adding size: Int64, count new: Int64, in database: Database
    ) throws {
        let row = try database.row(
            "SELECT pending, bytes FROM request_count WHERE app = ?", [app.rawValue])
        let count: Int64 = row?.checked("pending") ?? 0
        let bytes: Int64 = row?.checked("bytes") ?? 0
        func refusal(_ reason: String) -> NotificationError {
            NotificationError(.limitReached, "The request was refused: \(reason)")
        }
        guard new == 0 || count + new <= limits.pending else {
            throw refusal(
                "\(app) has \(count) requests waiting, and one app "
                    + "may have \(limits.pending). Remove some, or use a repeating trigger.")
        }
        guard bytes + size <= limits.bytes else {
            throw refusal(
                "it has \(size) bytes with its attachments, \(app) "
                    + "has \(bytes) bytes in the store, and one app may have \(limits.bytes). "
                    + "Remove requests or delivered notifications with attachments, or attach "
                    + "smaller files.")
        }
        guard bytes + size > Self.smallApp else { return }
        let total: Int64 = try database.value("SELECT SUM(bytes) FROM request_count") ?? 0
        guard total.saturatingAdd(size) <= limits.storeBytes else {
            throw refusal(
                "all apps together have \(total) bytes in the store, and "
                    + "at most \(limits.storeBytes) are allowed. Remove requests or delivered "
                    + "notifications with attachments.")
        }
    }
}

// MARK: - Rows

extension CenterStore {
    private static func row(
        of app: ApplicationID, _ identifier: String, in database: Database
    ) throws -> Row? {
        try database.row(
            "SELECT row, state, app, identifier FROM request WHERE app = ? AND identifier = ?",
            [app.rawValue, identifier])
    }

    /// Removes a row; a row that is being presented keeps its files until its outcome is stored.
    private func remove(
        _ row: Row, in database: Database, into presenting: inout [Int64]
    ) throws {
        guard let number: Int64 = row.checked("row") else { return }
        guard row.checked("state") != Int64(0) else {
            return try delete([number], from: .request, in: database)
        }
        try database.run("DELETE FROM request WHERE row = ?", [number])
        presenting.append(number)
    }

    /// The decoded row, or nil if its checksum, its JSON or its values are wrong.
    func claimed(_ row: RequestRow) -> ClaimedRequest? {
        guard row.isIntact, let app = try? ApplicationID(row.app),
            let stored = try? PayloadCoding.decode(StoredRequest.record, from: row.payload),
            rules.accepts(stored.request)
        else { return nil }
        var request = stored.request
        request.content = vault.located(request.content)
        var regular = stored.regular
        // `adoptThisBoot` drops an outdated boot time from the row, but not from the payload.
        if row.due.boot == nil { regular?.boot = nil }
        return ClaimedRequest(
            row: row.row, app: app, request: request, payload: row.payload,
            isMutable: stored.isMutable, due: row.due, skipped: stored.skipped, regular: regular,
            isInside: stored.isInside)
    }
}
