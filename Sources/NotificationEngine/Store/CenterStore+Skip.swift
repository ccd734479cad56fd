internal import GRDB
import NotificationModel

extension CenterStore {
    /// Makes a waiting request due on the date after its next one, of which nothing else is read or
    /// written in between.
    func skip(
        _ identifier: String, of app: ApplicationID, now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> SkippedOccurrence {
        try await change("changed") { database in
            let sql = "SELECT * FROM request WHERE app = ? AND identifier = ?"
            let row = try RequestRow.fetchAll(
                database, sql: sql, arguments: [app.rawValue, identifier]
            ).first
            guard let row, var claimed = self.claimed(row) else {
                throw Self.refusal(of: identifier, "is not pending", "Look into the list of them")
            }
            guard row.state == 0 else {
                throw Self.refusal(
                    of: identifier, "is being shown now", "Skip again when it is on the screen")
            }
            guard claimed.due != .never else {
                throw Self.refusal(of: identifier, "has no date to skip", "Remove it")
            }
            let due = claimed.due
            guard
                let next = FireSchedule.afterSkipping(claimed.request.trigger, from: due, now: now)
            else {
                throw Self.refusal(
                    of: identifier, "fires only once more, so nothing would be left of it",
                    "Remove it, or give it another date")
            }
            claimed.request.trigger = claimed.request.trigger?.afterFiring
            claimed.skipped = due.expected(now)
            try self.rewrite(claimed, due: next, in: database)
            return SkippedOccurrence(skipped: due.expected(now), next: next.expected(now))
        }
    }

    /// Stores the request and the due time of a row that waits.
    func rewrite(_ row: ClaimedRequest, due: DueTime, in database: Database) throws {
        var row = row
        row.payload = try PayloadCoding.encode(
            row.request, isMutable: row.isMutable, skipped: row.skipped)
        try database.cachedStatement(sql: "UPDATE request SET payload = ? WHERE row = ?")
            .execute(arguments: [row.payload, row.row])
        try setDue(due, of: row, in: database)
    }

    private static func refusal(
        of identifier: String, _ reason: String, _ remedy: String
    ) -> NotificationError {
        NotificationError(
            .invalidArgument,
            "The request \(identifier.quotedForMessage()) cannot be skipped: it \(reason). "
                + "\(remedy).")
    }
}
