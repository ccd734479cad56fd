import NotificationModel
internal import NotificationStore

/// Withdraws deliveries whose request was removed or replaced, and all unsent ones at the stop.
extension EngineState {
    /// Withdraws rows that were removed or replaced, unless the server was asked to show them.
    mutating func rowsWithdrawn(_ rows: [Int64]) -> [EngineEffect] {
        guard !rows.isEmpty else { return [] }
        let rows = Set(rows)
        if isClaiming || reserved > 0 { removedRows.formUnion(rows) }
        return takeBack { rows.contains($0.claimed.row) }
    }

    /// Stops new work; unsent rows wait in the store for the next start.
    ///
    /// Changes that the store refused are tried once more, at once.
    mutating func stop() -> [EngineEffect] {
        isStopping = true
        var retried: [EngineEffect] = []
        swap(&retried, &failed)
        let dropped = Set([restorations.stop(isPosted: queue.isPosted)].compactMap(\.self))
        return retried + permissions { $0.withdraw() } + takeBack { _ in true }
            + queue.remove(dropped) + [.arm(ClockAlarms()), .watchLocation(nil)]
    }

    private mutating func takeBack(where isMeant: (Delivery) -> Bool) -> [EngineEffect] {
        let (unsent, next) = queue.withdraw(where: isMeant)
        let ended = unsent.flatMap { token, delivery in
            endProgram(of: delivery, token) + settle(token, .requeued)
        }
        return ended + next
    }

    var unanswered: [Int64] {
        deliveries.values.filter { $0.stage == .posted }.map(\.claimed.row).sorted()
    }
}
