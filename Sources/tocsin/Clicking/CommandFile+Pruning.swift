internal import NotificationModel

extension CommandFile {
    /// Takes out the commands of notifications that the centre does not have any more.
    ///
    /// Nothing is done while the app has no more than `limit` of them.
    func prune(
        _ app: ApplicationID, answered: Set<String> = [], at center: Center, now: Instant,
        keeping limit: Int = 0
    ) async throws(ToolError) {
        guard !center.waitsForLogin else {
            // What the store has is not known here.
            return try change { table in
                for identifier in answered {
                    table.replace(NotificationKey(app: app, identifier: identifier), with: nil)
                }
            }
        }
        guard try read().entries.count(where: { $0.key.app == app }) > limit else { return }
        let listed: Set<String>
        let openAnswers: Bool
        do throws(NotificationError) {
            let pending = try await center.service.pending(of: app)
            let delivered = try await center.service.delivered(of: app)
            listed = Set(pending.map(\.request.identifier) + delivered.map(\.request.identifier))
            // Read last: an answer takes its notification out of the lists.
            openAnswers = try await center.service.status().responseCount > 0
        } catch {
            throw ToolError(error)
        }
        try change {
            $0.prune(
                app, listed: listed, answered: answered, openAnswers: openAnswers, now: now)
        }
    }
}
