internal import Foundation
internal import GRDB
internal import Glibc
internal import Logging
package import NotificationModel

/// Copies the rows and files of another store into this one.
///
/// One transaction copies the rows and records the other store's UUID, so that nothing is copied
/// twice after a crash. If both stores have a request or a notification with the same key, the row
/// of the newer store stays. All other rows of this store stay as they are.
///
/// The other store is removed only after this store has all its rows.
package struct StoreAdoption {
    /// The layout of the other store; no other process may have it open.
    let source: StoreLayout
    /// The directory of this store's attachments.
    let attachments: String
    /// Rows of this store up to these numbers are older than the rows of the other store.
    let older: RowLimits

    package init(source: StoreLayout, attachments: String) {
        self.init(source: source, attachments: attachments, older: RowLimits())
    }

    init(source: StoreLayout, attachments: String, older: RowLimits) {
        self.source = source
        self.attachments = attachments
        self.older = older
    }

    /// The number of the last row of each table; 0 for an empty table.
    struct RowLimits: Sendable {
        var request: Int64 = 0
        var notification: Int64 = 0
    }

    /// Links or copies each file of the other store into this store's directory.
    ///
    /// The next start removes the files to which no row refers.
    package func linkFiles() throws(NotificationError) {
        for name in try names() {
            let (from, to) = ("\(source.attachments)/\(name)", "\(attachments)/\(name)")
            guard link(from, to) != 0, errno != EEXIST else { continue }
            // On a full disk the copy is incomplete, and the next attempt must not mistake it for
            // the file. So the copy gets the file's name only when it is complete.
            let draft = to + "~"
            unlink(draft)
            do {
                try FileManager.default.copyItem(atPath: from, toPath: draft)
                try StoreDirectory.flush(draft)
                try StoreDirectory.rename(draft, to: to)
            } catch {
                unlink(draft)
                throw NotificationError(
                    StoreDirectory.isFull(error) ? .noSpace : .storeUnavailable,
                    "The attachment \(from.quotedForMessage()) could not be taken over into "
                        + "\(attachments.quotedForMessage()): \(error.localizedDescription)")
            }
        }
    }

    /// The files of the other store.
    ///
    /// Throws if the files cannot be listed, because the removal of the other store would then
    /// lose the files.
    private func names() throws(NotificationError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: source.attachments)
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The attachments in \(source.attachments.quotedForMessage()) could not be listed: "
                    + "\(error.localizedDescription)")
        }
    }

    /// Copies the rows into this store; returns its notifications that newer notifications
    /// replaced.
    ///
    /// If `meta` already records the other store's UUID, copies nothing.
    func copyRows(into target: Database, of store: CenterStore) throws -> RetiredNotifications {
        var retired = RetiredNotifications()
        try Self.read(source.database) { database in
            let mark = try "adopted " + Self.uuid(of: database)
            guard try !Self.has(mark, in: target) else { return }
            // Skip the numbers of the other store first, so that no new response gets the number of
            // a response that is copied later.
            try store.skipResponseIDs(of: database, in: target)
            for table in StoreTable.all where table.adoption != .none {
                try copy(table, from: database, into: target, of: store, &retired)
            }
            // Record the inbox entries that the other store imported, so that this store does not
            // import them again.
            for key in try CenterStore.importedEntries(in: database) + [mark] {
                try target.run("INSERT OR IGNORE INTO meta VALUES (?, 'yes')", [key])
            }
        }
        return retired
    }

    /// Reads a store that another process may have open.
    private static func read<Value>(
        _ path: String, _ body: (Database) throws -> Value
    ) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    // MARK: - The owner of a store that is taken over

    private static let targetKey = "taken over into"

    static func markStore(_ database: Database, takenOverInto target: String) throws {
        try CenterStore.setMeta(targetKey, target, in: database)
    }

    /// Whether another store has taken over all rows of this store.
    ///
    /// If so, nothing may write this store any more. Forgets a take-over that was not completed.
    /// Throws if the other store cannot be read.
    static func isTakenOver(
        _ database: Database, of layout: StoreLayout
    ) throws -> Bool {
        guard let target = try CenterStore.meta(targetKey, in: database) else { return false }
        if try has("adopted " + uuid(of: database), inStore: target, of: layout) { return true }
        try CenterStore.setMeta(targetKey, nil, in: database)
        return false
    }

    private static func has(
        _ mark: String, inStore target: String, of layout: StoreLayout
    ) throws -> Bool {
        let directory = (target as NSString).deletingLastPathComponent
        let files = FileManager.default
        guard
            files.fileExists(atPath: target)
                || files.fileExists(atPath: StoreLayout(directory: directory).schema)
        else { return false }
        do {
            return try read(target) { try has(mark, in: $0) }
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The store \(layout.database.quotedForMessage()) was being taken over into "
                    + "\(target.quotedForMessage()), which cannot be read: \(error). Run the "
                    + "program that uses that store (usually 'tocsind'), then try again.")
        }
    }

    /// Removes a store after another store has copied all its rows.
    ///
    /// It removes the database before the log and the attachments. Without a database, the remains
    /// after a crash are not a store.
    static func remove(
        _ layout: StoreLayout, step: @Sendable (EngineStep) -> Void = { _ in }
    ) {
        for path in [layout.schema, layout.openMark, layout.database, layout.log] {
            unlink(path)
            step(.adopted)
        }
        do {
            try FileManager.default.removeItem(atPath: layout.directory)
        } catch {
            Log.store.error(
                """
                the store \(layout.directory.quotedForMessage()) was taken over and could not be \
                removed: \(error.localizedDescription)
                """)
        }
    }

    private func copy(
        _ table: StoreTable, from database: Database, into target: Database, of store: CenterStore,
        _ retired: inout RetiredNotifications
    ) throws {
        let isNumbered = table.adoption == .numbered
        let order = isNumbered ? "ORDER BY row" : ""
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table.name) \(order)")
        while let row = try rows.next() {
            if table.adoption == .columns {
                try AppColumns.adopt(row, into: target)
                continue
            }
            try removeOlder(row, of: table, in: target, of: store, &retired)
            var columns = row.filter { !isNumbered || $0.0 != "row" }
            if table.name == "response" {
                let number = try responseID(of: row, in: target, of: store)
                columns.append(("row", number.databaseValue))
            }
            try target.insert(columns, into: table.name)
            if isNumbered, target.changesCount == 1 {
                try copyReferences(
                    of: table.name, row: row["row"], to: target.lastInsertedRowID, from: database,
                    into: target)
            }
        }
    }

    /// The number of an adopted response in this store: if possible its former number, because its
    /// app knows that number.
    ///
    /// If an earlier version made both stores, this store may use the number already, because that
    /// version numbered responses from 1. The response then gets another number.
    private func responseID(
        of response: Row, in target: Database, of store: CenterStore
    ) throws -> Int64 {
        let number: Int64? = response.checked("row")
        guard let number,
            try target.row("SELECT 1 FROM response WHERE row = ?", [number]) == nil
        else { return store.nextResponseID() }
        return number
    }

    /// Removes this store's older row with the key of `newer` if `newer` is intact.
    private func removeOlder(
        _ newer: Row, of table: StoreTable, in target: Database, of store: CenterStore,
        _ retired: inout RetiredNotifications
    ) throws {
        guard table.isIntact(newer), let key = newer.key else { return }
        switch table.name {
        case "request":
            let rows: [Int64] = try target.values(
                "SELECT row FROM request WHERE app = ? AND identifier = ? AND row <= ?",
                key.columns + [older.request])
            try store.delete(rows, from: .request, in: target)
        case "notification":
            try store.retire(
                notification: key, upTo: older.notification, into: &retired, in: target)
        default: break
        }
    }

    private func copyReferences(
        of table: String, row: Int64, to copy: Int64, from database: Database,
        into target: Database
    ) throws {
        guard let owner = AttachmentReferences.Owner(rawValue: table) else { return }
        let files: [String] = try database.values(
            "SELECT file FROM attachment WHERE owner = ? AND owner_row = ?", [table, row])
        try AttachmentReferences.add(files, owner: owner, row: copy, in: target)
    }

    /// The program of an app, as a store records it; nil if the store names none or is unreadable.
    ///
    /// Another process may have the store open.
    package static func executable(of app: ApplicationID, in layout: StoreLayout) -> String? {
        guard FileManager.default.fileExists(atPath: layout.database) else { return nil }
        let identity = try? read(layout.database) { try AppColumns.identity.value(of: app, in: $0) }
        return identity?.executable
    }

    private static func has(_ key: String, in target: Database) throws -> Bool {
        try target.row("SELECT 1 FROM meta WHERE key = ?", [key]) != nil
    }

    /// The UUID of a store; a repair makes one if there is none.
    fileprivate static func uuid(of database: Database) throws -> String {
        guard let uuid = try CenterStore.meta("uuid", in: database) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the store has no UUID")
        }
        return uuid
    }
}

extension StoreAdoption.RowLimits {
    init(_ database: Database) throws {
        request = try database.value("SELECT MAX(row) FROM request") ?? 0
        notification = try database.value("SELECT MAX(row) FROM notification") ?? 0
    }
}

extension CenterStore {
    /// Takes over another store completely and exactly once, and removes that store.
    ///
    /// Returns nil if there is no other store. Otherwise returns the notifications whose popups the
    /// caller must close: newer rows replaced them here, or the other store had removed them. After
    /// an error the other store still exists.
    ///
    /// `zoneData` is the version of the system's zone rules; if it is nil, the rules are not
    /// compared.
    ///
    /// - Throws: `storeLocked` if another process has the other store; `noSpace` if the disk is
    ///   full; `limitReached` if the process may have no further descriptor or thread;
    ///   `attachmentNotStored` if the attachments cannot be written to the disk;
    ///   `storeUnavailable` if one of the stores cannot be used.
    package func adopt(
        _ layout: StoreLayout, now: ClockReading, zoneData: String? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> RetiredNotifications? {
        guard FileManager.default.fileExists(atPath: layout.database) else { return nil }
        let isNewer = StoreFile.lastWritten(layout) > lastWritten
        let older = isNewer ? lastRows : StoreAdoption.RowLimits()
        let retired: RetiredNotifications
        let other = try CenterStore(
            layout: layout, bootID: bootID, rules: rules, isTakenOver: true, now: now.wall,
            step: step
        ) { _ in }
        do throws(NotificationError) {
            // Let the other store find and repair its own damage. During the copy, this store would
            // mistake that damage for its own, repair itself, and then end.
            try await other.change("read") { database in
                try StoreFile.checkIntegrity(of: database)
                _ = try StoreAdoption.uuid(of: database)
            }
            // Prepare the rows of the other store for this boot and the present time zone, as that
            // store's own start would. This store has followed the changes of the zone already, so
            // it would not correct the copies.
            let left = try await other.adoptThisBoot(now: now)
            try await other.followWallClock(now: now)
            try await other.followTimeZone(now: now)
            if let zoneData {
                try await other.followZoneData(zoneData, hasChanged: false, now: now)
            }
            // Mark the other store. At its next start, its owner then checks whether this store has
            // the rows.
            let database = self.layout.database
            try await other.change("changed") {
                try StoreAdoption.markStore($0, takenOverInto: database)
            }
            let adoption = StoreAdoption(
                source: layout, attachments: self.layout.attachments, older: older)
            try adoption.linkFiles()
            try vault.flushDirectory()
            retired = try await change("changed") { database in
                var retired = try adoption.copyRows(into: database, of: self)
                // If the notification has a popup in this store, that popup must stay. If
                // `copyRows` replaced the notification, `retired` already has its popup.
                for key in left.keys
                where try retired.popups[key] == nil && !self.hasPopup(key, in: database) {
                    retired.keys.append(key)
                    retired.popups[key] = left.popups[key]
                }
                try self.noteClosing(retired.popups, in: database)
                return retired
            }
        } catch {
            other.close()
            throw error
        }
        step(.adopted)
        other.close { StoreAdoption.remove(layout, step: step) }
        return retired
    }
}
