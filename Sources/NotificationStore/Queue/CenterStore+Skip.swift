internal import GRDB
package import NotificationModel

extension CenterStore {
    /// Moves a pending request from its next date to the date after it, in one transaction.
    ///
    /// `early` holds the request's rows that were claimed before their due time. This call first
    /// makes these rows pending again.
    ///
    /// - Throws: `invalidArgument` if the request is not pending, is being presented, has no date
    ///   to skip, or has no later date up to the year 9999; `noSpace` if the disk is full;
    ///   `storeUnavailable` if the store cannot be written.
    package func skip(
        _ key: NotificationKey, now: ClockReading, early: [Int64] = [],
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> SkippedOccurrence {
        try await change("changed") { database in
            try Self.requeue(early, in: database)
            let identifier = key.identifier
            guard let (claimed, isOnItsWay) = try self.waiting(key, in: database) else {
                throw Self.refusal(
                    of: identifier, "is not pending", "Look at the list of pending requests")
            }
            guard !isOnItsWay else {
                throw Self.refusal(
                    of: identifier, "is being shown now", "Skip again when it is on the screen")
            }
            guard claimed.due != .never else {
                throw Self.refusal(of: identifier, "has no date to skip", "Remove it")
            }
            return try self.skip(claimed, now: now, in: database)
        }
    }

    private func skip(
        _ row: ClaimedRequest, now: ClockReading, in database: Database
    ) throws -> SkippedOccurrence {
        var claimed = row
        let due = claimed.due
        guard let next = rules.afterSkipping(claimed, now) else {
            throw Self.refusal(
                of: claimed.request.identifier,
                "fires only once more, so skipping would end it",
                "Remove it, or give it another date")
        }
        guard next.expected(now) <= .latest else {
            throw Self.refusal(
                of: claimed.request.identifier, "would fire after the year 9999",
                "Remove it, or give it another date")
        }
        claimed.request.trigger = claimed.request.trigger?.afterFiring
        claimed.regular = nil
        claimed.due = next
        // A change of the time zone during the snooze did not move the regular date and a skipped
        // date. Move these dates now.
        if next == row.regular { claimed = rules.moved(claimed, now) ?? claimed }
        // A snoozed date may lie before a date that was skipped earlier.
        claimed.skipped = max(due.expected(now), claimed.skipped ?? due.expected(now))
        try claimed.encode()
        try update(claimed, in: database)
        let record = NotificationRecord(
            app: claimed.app, identifier: claimed.request.identifier,
            title: claimed.request.content.title, date: now.wall, due: due.expected(now),
            reason: .skipped, message: "skipped on request")
        try Self.keepRecord(record, limits: limits, in: database)
        return SkippedOccurrence(skipped: due.expected(now), next: claimed.due.expected(now))
    }

    /// A pending request, and whether it is being presented.
    func waiting(
        _ key: NotificationKey, in database: Database
    ) throws -> (request: ClaimedRequest, isOnItsWay: Bool)? {
        let row = try database.row(
            "\(RequestRow.selection) WHERE app = ? AND identifier = ?", key.columns
        ).map(RequestRow.init)
        return row.flatMap { row in claimed(row).map { ($0, row.state != 0) } }
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
