internal import Foundation
internal import GRDB
internal import Logging
import NotificationModel

extension CenterStore {
    /// The most delivered notifications that are kept for one app.
    static let deliveredLimit = 100
    /// How long a delivered notification is kept.
    static let deliveredAge: Int64 = 7 * 24 * 3_600 * 1_000_000

    /// Marks due rows as "presenting", in the order in which they are due, and returns them.
    func claim(
        limit: Int, excluding apps: Set<ApplicationID>, now: ClockReading
    ) async throws(NotificationError) -> [ClaimedRequest] {
        try await change("changed") { database in
            let excluded = apps.map { _ in "?" }.joined(separator: ",")
            let filter = apps.isEmpty ? "" : "AND app NOT IN (\(excluded))"
            let names = apps.map(\.rawValue)
            let statement = try database.cachedStatement(
                sql: """
                    SELECT * FROM (SELECT * FROM request
                      WHERE state = 0 AND boot_id IS NULL AND due_wall <= ? \(filter)
                      ORDER BY due_wall, row LIMIT ?)
                    UNION ALL
                    SELECT * FROM (SELECT * FROM request
                      WHERE state = 0 AND boot_id NOT NULL AND due_boot <= ? \(filter)
                      ORDER BY due_boot, row LIMIT ?)
                    ORDER BY due_wall, row LIMIT ?
                    """)
            let wall = StatementArguments([now.wall.microseconds]) + StatementArguments(names)
            let boot = StatementArguments([now.boot]) + StatementArguments(names)
            let rows = try Row.fetchAll(
                statement, arguments: wall + [limit] + boot + [limit] + [limit])
            return try Self.mark(rows, in: database)
        }
    }

    /// What a process that died left "presenting": it may or may not have been shown.
    func leftPresenting() async throws(NotificationError) -> [ClaimedRequest] {
        try await change("read") { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM request WHERE state = 1 ORDER BY row")
            return try Self.mark(rows, in: database)
        }
    }

    /// Stores how attempts ended.
    func settle(_ settlement: Settlement) async throws(NotificationError) {
        let orphans = try await change("changed") { database -> [String] in
            let claimed = settlement.claimed
            var orphans: [String] = []
            if case .delivered(let popup) = settlement.outcome {
                orphans += try Self.deliver(settlement, popup: popup, in: database)
            }
            if case .failed(let message) = settlement.outcome {
                try Self.record(message, for: claimed.key, at: settlement.date, in: database)
            }
            if settlement.outcome == .returned {
                try Self.wait(claimed.row, in: database)
            } else if let next = settlement.next {
                try Self.reschedule(claimed, at: next, bootID: self.bootID, in: database)
            } else {
                orphans += try Self.delete(request: claimed.row, in: database)
            }
            return orphans
        }
        vault.remove(orphans)
    }

    /// Prepares a store for this boot: rows that counted on an earlier boot's clock go on by the
    /// wall clock.
    func adoptThisBoot() async throws(NotificationError) {
        let bootID = bootID
        try await change("changed") { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM request WHERE boot_id NOT NULL AND boot_id <> ?",
                arguments: [bootID])
            for row in rows {
                guard let claimed = Self.decode(row) else { continue }
                try Self.setDue(
                    DueTime(wall: claimed.due.wall), of: claimed, bootID: nil, in: database)
            }
        }
    }

    private static func mark(_ rows: [Row], in database: Database) throws -> [ClaimedRequest] {
        var claimed: [ClaimedRequest] = []
        for row in rows {
            let number: Int64 = row["row"]
            guard let request = decode(row) else {
                try setDamagedAside(row, in: database)
                continue
            }
            try database.cachedStatement(sql: "UPDATE request SET state = 1 WHERE row = ?")
                .execute(arguments: [number])
            claimed.append(request)
        }
        return claimed
    }

    /// A row that cannot be trusted is taken out of the queue, or it would stop those behind it.
    private static func setDamagedAside(_ row: Row, in database: Database) throws {
        let app: String = row["app"]
        let identifier: String = row["identifier"]
        Log.store.error("a damaged request of \(app) is removed: \(identifier)")
        try database.execute(
            sql: "INSERT INTO record (at, app, identifier, message) VALUES (?, ?, ?, ?)",
            arguments: [row["due_wall"] as Int64, app, identifier, "damaged in the store"])
        _ = try delete(request: row["row"], in: database)
    }

    private static func deliver(
        _ settlement: Settlement, popup: PresentedPopup?, in database: Database
    ) throws -> [String] {
        let claimed = settlement.claimed
        let app = claimed.app.rawValue
        var orphans = try remove(notification: claimed.key, in: database)
        let checksum = RowChecksum.of(
            app, claimed.request.identifier, numbers: [settlement.date.microseconds],
            payload: claimed.payload)
        try database.cachedStatement(
            sql: """
                INSERT INTO notification
                (app, identifier, delivered_at, popup_id, popup_server, payload, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            app, claimed.request.identifier, settlement.date.microseconds,
            popup.map { Int64($0.id) }, popup?.server, claimed.payload, checksum,
        ])
        try AttachmentReferences.add(
            claimed.files, owner: .notification, row: database.lastInsertedRowID, in: database)
        orphans += try trim(claimed.app, at: settlement.date, in: database)
        return orphans
    }

    private static func trim(
        _ app: ApplicationID, at now: Instant, in database: Database
    ) throws -> [String] {
        let surplus = try database.cachedStatement(
            sql: "SELECT row FROM notification WHERE app = ? ORDER BY row DESC LIMIT -1 OFFSET ?")
        let old = try database.cachedStatement(
            sql: "SELECT row FROM notification WHERE delivered_at < ?")
        let rows =
            try Int64.fetchAll(surplus, arguments: [app.rawValue, deliveredLimit])
            + Int64.fetchAll(old, arguments: [now.microseconds - deliveredAge])
        return try rows.flatMap { try delete(notification: $0, in: database) }
    }

    private static func wait(_ row: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE request SET state = 0 WHERE row = ?")
            .execute(arguments: [row])
    }

    private static func reschedule(
        _ claimed: ClaimedRequest, at due: DueTime, bootID: String, in database: Database
    ) throws {
        try setDue(due, of: claimed, bootID: due.boot == nil ? nil : bootID, in: database)
        try wait(claimed.row, in: database)
    }

    private static func setDue(
        _ due: DueTime, of claimed: ClaimedRequest, bootID: String?, in database: Database
    ) throws {
        let checksum = RowChecksum.of(
            claimed.app.rawValue, claimed.request.identifier,
            numbers: [due.wall.microseconds, due.boot], payload: claimed.payload)
        try database.cachedStatement(
            sql: """
                UPDATE request SET due_wall = ?, due_boot = ?, boot_id = ?, checksum = ?
                WHERE row = ?
                """
        ).execute(arguments: [
            due.wall.microseconds, due.boot, bootID, checksum, claimed.row,
        ])
    }

    private static func record(
        _ message: String, for key: NotificationKey, at date: Instant, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO record (at, app, identifier, message) VALUES (?, ?, ?, ?)",
            arguments: [date.microseconds, key.app.rawValue, key.identifier, message])
        try database.execute(
            sql: "DELETE FROM record WHERE row <= (SELECT MAX(row) FROM record) - 1000")
    }
}
