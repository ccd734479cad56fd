internal import Foundation
internal import GRDB
package import NotificationModel
internal import Reactor

// Adjusts stored rows at a start, when the clock is set, and when the time zone changes.
extension CenterStore {
    /// Prepares a store for this process and this boot.
    ///
    /// The last process may have left requests "presenting":
    /// - A request that the process marked as shown becomes delivered.
    /// - If `keepsUnanswered` is true, a request that `keepUnanswered` recorded stays "presenting".
    /// - Any other such request is pending again, because nobody knows whether it was shown.
    ///
    /// A due time on the clock of an earlier boot becomes a due time on the wall clock. Returns the
    /// notifications that were removed because they were too old or too many, and popups that an
    /// earlier process may have left open.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    @discardableResult
    package func adoptThisBoot(
        now: ClockReading, keepsUnanswered: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> RetiredNotifications {
        let shown = marks.read()
        let retired = try await change("changed") { database in
            var retired = RetiredNotifications()
            try self.settle(shown, now: now, into: &retired, in: database)
            let kept = keepsUnanswered ? try Self.unanswered(in: database)?.rows ?? [] : []
            let list = Database.list(kept)
            try database.run(
                "UPDATE request SET state = 0 WHERE state = 1 AND row NOT IN \(list.sql)",
                [list.argument])
            // Change pending and "presenting" requests: a "presenting" request may be pending again
            // later. Each state has its own index, so change one state at a time.
            for state in [0, 1] {
                // Skip damaged rows: a new checksum would hide their damage.
                try database.execute(
                    sql: """
                        UPDATE request SET boot_id = NULL, due_boot = NULL,
                          checksum = row_checksum(app, identifier, due_wall, NULL, payload)
                        WHERE state = \(state) AND boot_id NOT NULL AND boot_id <> ? AND
                          checksum = row_checksum(app, identifier, due_wall, due_boot, payload)
                        """, arguments: [self.bootID])
            }
            try AttachmentReferences.dropStale(in: database)
            // Read the stored list of popups to close first, because `noteClosing` replaces it.
            try self.takeClosing(into: &retired, in: database)
            try self.trim(at: now.wall, into: &retired, in: database)
            try self.noteClosing(retired.popups, in: database)
            return retired
        }
        if !shown.isEmpty { marks.forgetAll() }
        return retired
    }

    /// Adjusts due times after a user, a program or a reboot set the wall clock.
    ///
    /// `last` is the time that the clock showed before the change.
    ///
    /// - A request with an interval keeps its due time on the boot clock. Its due time on the wall
    ///   clock is adjusted, for lists and for the time after a reboot.
    /// - A date before 2020 is computed again: it comes from a clock that was never set.
    /// - If the clock went back by more than a minute, all dates are computed again.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func followWallClock(
        now: ClockReading, last: Instant? = nil, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let wall = String(now.wall.microseconds)
        let wentBack = try await change("changed") { database in
            try self.moveIntervals(now: now, in: database)
            try self.moveUnsetDates(now: now, in: database)
            let known = try Self.meta("wall", in: database).flatMap(Int64.init)
            let latest = [known.map(Instant.init(microseconds:)), last].compactMap { $0 }.max()
            let limit = (latest ?? now.wall).adding(microseconds: -Self.smallCorrection)
            if now.wall >= limit { try Self.setMeta("wall", wall, in: database) }
            return now.wall < limit
        }
        guard wentBack else { return }
        try await moveAllDates(now: now)
        // Store the time last: if a change fails, the next attempt knows that the clock went back.
        try await change("changed") { try Self.setMeta("wall", wall, in: $0) }
    }

    /// If the user's time zone changed, computes all dates again that depend on this zone.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func followTimeZone(
        now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let known = try await change("read") { try Self.meta("zone", in: $0) }
        guard known != now.timeZone else { return }
        try await moveDates("zone NOT NULL AND zone <> ?", [now.timeZone], now: now)
        try await change("changed") { try Self.setMeta("zone", now.timeZone, in: $0) }
    }

    /// Computes all dates again if the system's zone rules changed.
    ///
    /// `hasChanged` tells whether this process saw a change. If the rules changed while no process
    /// ran, the recorded version differs from `version`.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func followZoneData(
        _ version: String, hasChanged: Bool, now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let known = try await change("read") { try Self.meta("tzdata", in: $0) }
        guard hasChanged || known != version else { return }
        if hasChanged || known != nil { try await moveAllDates(now: now) }
        try await change("changed") { try Self.setMeta("tzdata", version, in: $0) }
    }

    /// Computes all future dates on the wall clock again.
    func moveAllDates(
        now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await moveDates("boot_id IS NULL", [], now: now)
    }

    /// The wall clock may go back by this many microseconds before dates are computed again.
    private static let smallCorrection: Int64 = 60_000_000

    private func moveIntervals(now: ClockReading, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE request SET due_wall = due_boot + :offset,
                  checksum =
                    row_checksum(app, identifier, due_boot + :offset, due_boot, payload)
                WHERE state = 0 AND boot_id NOT NULL
                  AND abs(due_wall - due_boot - :offset) > 1000000 AND
                  checksum = row_checksum(app, identifier, due_wall, due_boot, payload)
                """, arguments: ["offset": now.wall.microseconds.saturatingSubtract(now.boot)])
    }

    private func moveUnsetDates(now: ClockReading, in database: Database) throws {
        guard now.wall >= .firstPlausible else { return }
        let rows = try database.rows(
            "\(RequestRow.selection) WHERE state = 0 AND boot_id IS NULL AND due_wall < ?",
            [Instant.firstPlausible.microseconds])
        for row in rows { try moveDate(of: RequestRow(row), now: now, in: database) }
    }

    private func moveDates(
        _ condition: String, _ arguments: [String], now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        var last: Int64? = 0
        // Each change moves 256 dates, so that popups do not wait for a hundred thousand dates.
        while let row = last {
            last = try await change("changed") { database in
                let rows = try database.rows(
                    """
                    \(RequestRow.selection)
                    WHERE row > ? AND state = 0 AND due_wall > ? AND \(condition)
                    ORDER BY row LIMIT 256
                    """, [row, now.wall.microseconds] + StatementArguments(arguments)
                ).map(RequestRow.init)
                for row in rows { try self.moveDate(of: row, now: now, in: database) }
                return rows.last?.row
            }
        }
    }

    private func moveDate(of row: RequestRow, now: ClockReading, in database: Database) throws {
        guard let claimed = claimed(row), var moved = rules.moved(claimed, now),
            moved != claimed
        else { return }
        if moved.skipped != claimed.skipped { try moved.encode() }
        try update(moved, in: database)
    }

    static func meta(_ key: String, in database: Database) throws -> String? {
        try database.value("SELECT value FROM meta WHERE key = ?", [key])
    }

    /// Stores a value; nil removes it.
    static func setMeta(_ key: String, _ value: String?, in database: Database) throws {
        guard let value else { return try database.run("DELETE FROM meta WHERE key = ?", [key]) }
        try database.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", [key, value])
    }

    /// Reads a value that is stored as JSON; returns nil if it is missing or unreadable.
    static func meta<Value>(
        _ key: String, as record: NotificationModel.Record<Value>, in database: Database
    ) throws -> Value? {
        try meta(key, in: database).flatMap { text in
            try? PayloadCoding.decode(record, from: Data(text.utf8))
        }
    }

    static func setMeta<Value>(
        _ key: String, _ value: Value, as record: NotificationModel.Record<Value>,
        in database: Database
    ) throws {
        let payload = try PayloadCoding.encode(value, as: record)
        try setMeta(key, String(decoding: payload, as: UTF8.self), in: database)
    }

    /// Deletes delivered notifications and records that are too old.
    func trim(
        at now: Instant, into retired: inout RetiredNotifications, in database: Database
    ) throws {
        lastTrim.withLock { $0 = now }
        // Skip dates of a clock that was not set yet: they say nothing about age.
        let span: StatementArguments = [
            Instant.firstPlausible.microseconds,
            now.microseconds.saturatingSubtract(limits.deliveredAge),
        ]
        try database.run("DELETE FROM record WHERE at >= ? AND at < ?", span)
        try retire(
            where: "delivered_at >= ? AND delivered_at < ?", span, into: &retired, in: database)
    }
}
