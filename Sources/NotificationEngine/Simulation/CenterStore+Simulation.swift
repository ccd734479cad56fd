internal import GRDB
import NotificationModel

extension CenterStore {
    /// Makes every waiting request what it is like at the start of a simulation.
    func carry(
        to start: ClockReading, from now: Instant, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            // Those that float are carried into the zone of the start here.
            try database.execute(
                sql: "INSERT OR REPLACE INTO meta VALUES ('zone', ?)", arguments: [start.timeZone])
            for row in try RequestRow.fetchAll(database, sql: "SELECT * FROM request") {
                guard let claimed = self.claimed(row) else { continue }
                guard let carried = FireSchedule.carried(claimed, to: start, from: now) else {
                    _ = try Self.delete(request: row.row, in: database)
                    continue
                }
                if carried != claimed { try self.rewrite(carried, due: carried.due, in: database) }
            }
        }
    }

    /// The dates from an instant on that were skipped.
    func skippedDates(
        from now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [SimulatedRing] {
        try await change("read") { database in
            try RequestRow.fetchAll(database, sql: "SELECT * FROM request")
                .compactMap(self.claimed).flatMap { Self.skippedDates(of: $0, from: now) }
                .sorted { $0.due < $1.due }
        }
    }

    private static func skippedDates(
        of claimed: ClaimedRequest, from now: ClockReading
    ) -> [SimulatedRing] {
        guard let skipped = claimed.skipped, skipped >= now.wall else { return [] }
        let trigger = claimed.request.trigger
        let zone = FireSchedule.timeZone(of: trigger, person: now.timeZone)
        var dates: [Instant] = []
        if let period = FireSchedule.period(of: trigger) {
            dates = Array(
                stride(from: skipped.microseconds, to: now.wall.microseconds, by: Int(-period))
            ).map { Instant(microseconds: $0) }
        } else {
            var date = FireSchedule.date(
                of: trigger, after: now.wall.adding(microseconds: -1), timeZone: zone)
            while let found = date, found <= skipped {
                dates.append(found)
                date = FireSchedule.date(of: trigger, after: found, timeZone: zone)
            }
        }
        return dates.map { date in
            var ring = SimulatedRing(claimed, due: date, fired: date, timeZone: zone)
            ring.outcome = .skipped
            ring.shift = FireSchedule.shift(of: trigger, at: date, timeZone: zone)
            return ring
        }
    }
}
