internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel
internal import Reactor

extension CenterStore {
    /// Marks due rows as "presenting" and returns them, in the order in which they are due.
    ///
    /// The mark is not synced to the disk: if a power cut undoes it, the next process claims the
    /// rows again.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func claim(
        limit: Int, excluding apps: Set<ApplicationID>, now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [ClaimedRequest] {
        try await change("changed", isSynced: false) { database in
            while true {
                let rows = try Self.due(limit, excluding: apps, now: now, in: database)
                if rows.isEmpty { return [] }
                let claimed = try self.markPresenting(rows, now: now.wall, in: database)
                // `markPresenting` removes damaged rows. If it removed the whole batch, try the
                // next due rows.
                if !claimed.isEmpty { return claimed }
            }
        }
    }

    /// Stores the outcomes of presentations in one change.
    ///
    /// The change also stores the next dates of repeating requests. If `isDeferred` is true, the
    /// change waits for the next commit of the store. If the disk is full, `ShownMarks` notes which
    /// requests were shown.
    ///
    /// Returns the notifications whose popups the caller must close, and the notifications to which
    /// nobody can respond any more.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    @discardableResult
    package func settle(
        _ settlements: [Settlement], now: ClockReading, isDeferred: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> RetiredNotifications {
        do throws(NotificationError) {
            let retired = try await change("changed", isDeferred: isDeferred) { database in
                try self.storeSettlements(settlements, now: now, in: database)
            }
            marks.forget(settlements.map(\.claimed.row))
            return retired
        } catch {
            if error.code == .noSpace { marks.recordShown(settlements) }
            throw error
        }
    }

    /// Stores requests as delivered that an earlier process showed but could not store on a full
    /// disk.
    func settle(
        _ marks: [ShownMarks.Mark], now: ClockReading, into retired: inout RetiredNotifications,
        in database: Database
    ) throws {
        for mark in marks {
            let row = try database.row(
                "\(RequestRow.selection) WHERE row = ? AND due_wall = ? AND state = 1",
                [mark.row, mark.due])
            guard let claimed = row.map(RequestRow.init).flatMap(claimed) else { continue }
            let settlement = Settlement(
                claimed: claimed, outcome: .delivered(mark.presentedPopup),
                date: Instant(microseconds: mark.date))
            try settle([settlement], now: now, retiring: &retired, in: database)
            try trim(claimed.app, into: &retired, in: database)
        }
    }

    private func storeSettlements(
        _ settlements: [Settlement], now: ClockReading, in database: Database
    ) throws -> RetiredNotifications {
        var retired = RetiredNotifications()
        try settle(settlements, now: now, retiring: &retired, in: database)
        let notShown = retired.unawaited
        try summarize(settlements, in: database)
        for app in Set(settlements.map(\.claimed.app)) {
            try trim(app, into: &retired, in: database)
        }
        // `trim(at:)` reads all rows. Rows are kept for days, so one run a minute is enough.
        if let date = settlements.map(\.date).max(),
            !(0..<60_000_000).contains(date.microseconds(since: lastTrim.withLock(\.self)))
        {
            try trim(at: date, into: &retired, in: database)
        }
        try noteClosing(retired.popups, in: database)
        // Leave out keys that were delivered anew: users can respond to the new notifications.
        let delivered = Set(settlements.map(\.claimed.key))
        retired.unawaited =
            try Self.withoutRequest(notShown, in: database)
            .filter { try !Self.isAnswerable($0, in: database) }
            + Self.withoutRequest(retired.keys.filter { !delivered.contains($0) }, in: database)
        return retired
    }

    /// Stores the changes that a service extension made to a claimed row.
    ///
    /// If the row is gone, removes the files of `claimed` and returns false.
    ///
    /// - Throws: `limitReached` if the app or the store would exceed a limit; `noSpace` if the disk
    ///   is full; `storeUnavailable` if the store cannot be written.
    package func revise(
        _ claimed: ClaimedRequest, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Bool {
        let isThere = try await change("changed") { database in
            try self.update(claimed, in: database)
            guard database.changesCount > 0 else { return false }
            let new = try AttachmentReferences.sizes(of: claimed.files)
                .filter { try !AttachmentReferences.isRecorded($0.name, in: database) }
            if !new.isEmpty {
                let size = new.reduce(0) { $0 + $1.size }
                try self.checkLimits(of: claimed.app, adding: size, count: 0, in: database)
            }
            try AttachmentReferences.recordFiles(new, of: claimed.app, in: database)
            try AttachmentReferences.add(
                claimed.files, owner: .request, row: claimed.row, in: database)
            return true
        }
        if !isThere { vault.remove(claimed.files) }
        return isThere
    }

    private func settle(
        _ settlements: [Settlement], now: ClockReading,
        retiring retired: inout RetiredNotifications, in database: Database
    ) throws {
        // A row that was removed or replaced during its presentation counts as ended, too. `delete`
        // then drops its references to files.
        let ended = try settlements.filter {
            try !settle($0, now: now, retiring: &retired, in: database)
        }
        try delete(ended.map(\.claimed.row), from: .request, in: database)
        retired.unawaited += ended.filter { !$0.isDelivered }.map(\.claimed.key)
    }

    /// Stores the outcome of an attempt; returns true if the row stays in the queue.
    private func settle(
        _ settlement: Settlement, now: ClockReading,
        retiring retired: inout RetiredNotifications, in database: Database
    ) throws -> Bool {
        let claimed = settlement.claimed
        switch settlement.outcome {
        case .delivered(let popup):
            try deliver(settlement, popup: popup, in: database)
        case .deliveredSilently:
            // Close the popup of the replaced notification, because it shows the former texts.
            try retire(notification: claimed.key, into: &retired, in: database)
            try deliver(settlement, popup: nil, in: database)
        case .withoutPopup:
            // Close the former popup: no popup replaces it, and the user could still click it.
            try retire(notification: claimed.key, into: &retired, in: database)
        case .failed(let reason, let message):
            let record = NotificationRecord(
                app: claimed.app, identifier: claimed.request.identifier,
                title: claimed.request.content.title, date: settlement.date,
                due: claimed.due.wall, reason: reason, message: message)
            try Self.keepRecord(record, limits: limits, in: database)
        case .requeued: return try Self.requeue([claimed.row], in: database)
        case .suppressed: break
        }
        let next = settlement.repeats ? rules.next(claimed, now) : nil
        return try next.map { try reschedule(claimed, at: $0, now: now, in: database) } ?? false
    }

    private static func due(
        _ limit: Int, excluding apps: Set<ApplicationID>, now: ClockReading, in database: Database
    ) throws -> [RequestRow] {
        let places = apps.map { _ in "?" }.joined(separator: ",")
        let filter = apps.isEmpty ? "" : "AND app NOT IN (\(places))"
        let sql = """
            SELECT * FROM (\(RequestRow.selection)
              WHERE state = 0 AND boot_id IS NULL AND due_wall <= ? \(filter)
              ORDER BY due_wall, row LIMIT ?)
            UNION ALL
            SELECT * FROM (\(RequestRow.selection)
              WHERE state = 0 AND boot_id NOT NULL AND due_boot <= ? \(filter)
              ORDER BY due_boot, row LIMIT ?)
            ORDER BY due_wall, row LIMIT ?
            """
        let names = StatementArguments(apps.map(\.rawValue))
        let wall: StatementArguments = [now.wall.microseconds]
        let boot: StatementArguments = [now.boot]
        return try database.rows(
            sql, wall + names + [limit] + boot + names + [limit] + [limit]
        ).map(RequestRow.init)
    }

    private func markPresenting(
        _ rows: [RequestRow], now: Instant, in database: Database
    ) throws -> [ClaimedRequest] {
        var claimed: [ClaimedRequest] = []
        for row in rows {
            if let request = self.claimed(row) {
                claimed.append(request)
            } else {
                // Remove a damaged row from the queue; otherwise it would block the rows behind it.
                _ = try remove(DamagedRow(table: .request, row: row.row), at: now, in: database)
            }
        }
        let list = Database.list(claimed.map(\.row))
        try database.run(
            "UPDATE request SET state = 1 WHERE row IN \(list.sql)", [list.argument])
        return claimed
    }

    private func deliver(
        _ settlement: Settlement, popup: PresentedPopup?, in database: Database
    ) throws {
        let claimed = settlement.claimed
        let row = try insert(
            claimed.key, payload: try claimed.deliveredPayload(at: settlement.date),
            date: settlement.date,
            popup: (popup?.id, popup?.server), isHidden: popup?.isHidden ?? false, in: database)
        try AttachmentReferences.add(
            claimed.files, owner: .notification, row: row, in: database)
    }

    /// Inserts a delivered notification in place of the one with the same key; returns the new row.
    func insert(
        _ key: NotificationKey, payload: Data, date: Instant,
        popup: (id: UInt32?, server: String?), isHidden: Bool = false, in database: Database
    ) throws -> Int64 {
        let sql = """
            INSERT OR IGNORE INTO notification (app, identifier, delivered_at, payload,
              popup_id, popup_server, is_hidden, checksum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        let (app, date) = (key.app.rawValue, date.microseconds)
        let values: StatementArguments = [
            app, key.identifier, date, payload, popup.id, popup.server, isHidden,
            RowChecksum.of(app, key.identifier, date, payload),
        ]
        try database.run(sql, values)
        if database.changesCount == 0 {
            try remove(notification: key, in: database)
            try database.run(sql, values)
        }
        return database.lastInsertedRowID
    }

    private func trim(
        _ app: ApplicationID, into retired: inout RetiredNotifications, in database: Database
    ) throws {
        try retire(
            where: "app = ? ORDER BY row DESC LIMIT -1 OFFSET ?", [app.rawValue, limits.delivered],
            into: &retired, in: database)
    }

    /// Makes claimed rows pending again; returns false if all of them were removed.
    @discardableResult
    static func requeue(_ rows: [Int64], in database: Database) throws -> Bool {
        guard !rows.isEmpty else { return false }
        let list = Database.list(rows)
        try database.run("UPDATE request SET state = 0 WHERE row IN \(list.sql)", [list.argument])
        return database.changesCount > 0
    }

    /// Makes rows pending again that were claimed before their due time.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func requeue(
        _ rows: [Int64], isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        guard !rows.isEmpty else { return }
        try await change("changed") { _ = try Self.requeue(rows, in: $0) }
    }

    /// Puts a claimed row back into the queue for its next date; returns false if the row is gone.
    ///
    /// The texts of `claimed` may be localized for this delivery. The row keeps the localization
    /// keys, because the user's language may be different at the next date.
    private func reschedule(
        _ claimed: ClaimedRequest, at due: DueTime, now: ClockReading, in database: Database
    ) throws -> Bool {
        var (claimed, due) = (claimed, due)
        if let stored = try waiting(claimed.key, in: database)?.request, stored.row == claimed.row {
            // The device may have crossed the boundary of a region again during the delivery.
            if StoredRegion(stored) != nil, stored.due != claimed.due { due = stored.due }
            claimed = stored
        }
        let trigger = claimed.request.trigger?.afterFiring
        if trigger != claimed.request.trigger || claimed.regular != nil {
            let regular = claimed.regular
            claimed.request.trigger = trigger
            claimed.regular = nil
            // Keep a skipped date that is in the future: the user skipped it before the snooze.
            if let skipped = claimed.skipped, skipped < claimed.due.wall { claimed.skipped = nil }
            if due == regular {
                // A change of the time zone during the snooze did not move the regular date and a
                // skipped date. Move these dates now.
                claimed.due = due
                claimed = rules.moved(claimed, now) ?? claimed
                due = claimed.due
            }
            try claimed.encode()
        }
        claimed.due = due
        try update(claimed, in: database)
        return try Self.requeue([claimed.row], in: database)
    }

    func update(_ claimed: ClaimedRequest, in database: Database) throws {
        let due = claimed.due
        try database.run(
            """
            UPDATE request SET due_wall = ?, due_boot = ?, boot_id = ?, zone = ?,
              fired_wall = ?, payload = ?, checksum = ?
            WHERE row = ?
            """,
            [
                due.wall.microseconds, due.boot, due.boot == nil ? nil : bootID, due.zone,
                due.fired?.microseconds, claimed.payload,
                RequestRow.checksum(claimed.key, due, claimed.payload), claimed.row,
            ])
    }
}

// MARK: - Posts without an answer

/// Posts that a server had not answered when the last run ended.
struct UnansweredPosts: Sendable {
    var server = ""
    var rows: [Int64] = []

    /// The row numbers as texts: a record can hold a list of texts, but not a list of numbers.
    private var rowTexts: [String] {
        get { rows.map(String.init) }
        set { rows = newValue.compactMap { Int64($0) } }
    }

    static let record = Record<UnansweredPosts>([
        Field(required: "server", \.server),
        Field("rows", \.rowTexts, []),
    ]) { UnansweredPosts() }
}

extension CenterStore {
    private static let unansweredKey = "unanswered"

    /// Records that a server was asked to show these rows and has not answered.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func keepUnanswered(
        _ rows: [Int64], by server: String, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let posts = UnansweredPosts(server: server, rows: rows)
        try await change("changed") {
            try Self.setMeta(Self.unansweredKey, posts, as: UnansweredPosts.record, in: $0)
        }
    }

    /// Stores an outcome for the rows that `keepUnanswered` recorded, and forgets the record.
    ///
    /// If these rows were posted to `server`, they become delivered; otherwise, they become pending
    /// again. If the change fails, the record remains, so that the caller can try again.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func settleUnanswered(
        by server: String?, now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (
        settlements: [Settlement], retired: RetiredNotifications
    ) {
        try await change("changed") { database in
            guard let posts = try Self.unanswered(in: database) else { return ([], .init()) }
            try Self.setMeta(Self.unansweredKey, nil, in: database)
            let list = Database.list(posts.rows)
            // If a row was removed while its post was unanswered, its files stayed. Drop them now.
            let left: [Int64] = try database.values(
                "SELECT row FROM request WHERE row IN \(list.sql)", [list.argument])
            try self.dropFiles(
                of: .request, rows: posts.rows.filter { !left.contains($0) }, in: database)
            guard posts.server == server else {
                try Self.requeue(posts.rows, in: database)
                return ([], .init())
            }
            let settlements = try database.rows(
                "\(RequestRow.selection) WHERE state = 1 AND row IN \(list.sql) ORDER BY row",
                [list.argument]
            ).compactMap { self.claimed(RequestRow($0)) }.map {
                Settlement(claimed: $0, outcome: .delivered(nil), date: now.wall)
            }
            return (settlements, try self.storeSettlements(settlements, now: now, in: database))
        }
    }

    static func unanswered(in database: Database) throws -> UnansweredPosts? {
        try meta(unansweredKey, as: UnansweredPosts.record, in: database)
    }
}
