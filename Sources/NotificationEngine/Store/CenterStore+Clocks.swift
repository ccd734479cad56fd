internal import Foundation
internal import GRDB
import NotificationModel

// What a start, a set clock and a change of zone mean for rows that are stored already.
extension CenterStore {
    /// Prepares a store for this process and this boot.
    ///
    /// What a process that died left "presenting" waits again: it may or may not have been shown.
    /// Rows that counted on an earlier boot's clock go on by the wall clock.
    func adoptThisBoot(
        now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let orphans = try await change("changed") { database in
            try database.execute(sql: "UPDATE request SET state = 0 WHERE state = 1")
            // Damaged rows keep their wrong checksum, by which they are found when they are due.
            try database.execute(
                sql: """
                    UPDATE request SET boot_id = NULL, due_boot = NULL,
                      checksum = request_checksum(app, identifier, due_wall, NULL, payload)
                    WHERE state = 0 AND boot_id NOT NULL AND boot_id <> ? AND
                      checksum = request_checksum(app, identifier, due_wall, due_boot, payload)
                    """, arguments: [self.bootID])
            try AttachmentReferences.dropStale(in: database)
            return try self.trim(at: now.wall, in: database)
        }
        vault.remove(orphans)
    }

    /// Corrects the wall time that intervals are expected to mean, by which they are listed, and
    /// go on after a reboot.
    func followWallClock(
        now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let offset = now.wall.microseconds - now.boot
        try await change("changed") { database in
            try database.execute(
                sql: """
                    UPDATE request SET due_wall = due_boot + :offset,
                      checksum =
                        request_checksum(app, identifier, due_boot + :offset, due_boot, payload)
                    WHERE state = 0 AND boot_id NOT NULL
                      AND abs(due_wall - due_boot - :offset) > 1000000 AND
                      checksum = request_checksum(app, identifier, due_wall, due_boot, payload)
                    """, arguments: ["offset": offset])
        }
    }

    /// Computes the dates that float with the person's zone again, where it is another now.
    func followTimeZone(
        now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let known = try await change("read") { database in
            try String.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'zone'")
        }
        guard known != now.timeZone else { return }
        var last: Int64? = 0
        // In pieces, so that popups do not wait for a hundred thousand dates.
        while let row = last {
            last = try await change("changed") { try self.moveDates(after: row, now: now, in: $0) }
        }
        try await change("changed") { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO meta VALUES ('zone', ?)", arguments: [now.timeZone])
        }
    }

    /// Returns the last row it looked at, or nil where there are no more.
    private func moveDates(
        after row: Int64, now: ClockReading, in database: Database
    ) throws -> Int64? {
        let rows = try RequestRow.fetchAll(
            database,
            sql: """
                SELECT * FROM request
                WHERE row > ? AND state = 0 AND zone NOT NULL AND zone <> ? AND due_wall > ?
                ORDER BY row LIMIT 256
                """, arguments: [row, now.timeZone, now.wall.microseconds])
        for claimed in rows.compactMap(claimed) {
            let due = FireSchedule.moved(claimed.request.trigger, from: claimed.due, now: now)
            if let due { try setDue(due, of: claimed, in: database) }
        }
        return rows.last?.row
    }

    /// Deletes the delivered notifications that are too old.
    func trim(at now: Instant, in database: Database) throws -> [String] {
        // Dates before 2020 come from a clock that was not set yet: they say nothing about age.
        let old = try database.cachedStatement(
            sql: """
                SELECT row FROM notification
                WHERE delivered_at >= 1577836800000000 AND delivered_at < ?
                """)
        return try Int64.fetchAll(old, arguments: [now.microseconds - limits.deliveredAge])
            .flatMap { try Self.delete(notification: $0, in: database) }
    }
}
