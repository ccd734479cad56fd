import NotificationModel
internal import NotificationStore

/// Rows that are claimed shortly before they are due, and wait until then.
///
/// So the commit of the claim is over when a row is due. Lists show an early row as pending, and
/// commands change it like a pending one. If the engine ends, the next start finds it pending.
extension EngineState {
    /// How long before it is due a row may be claimed, in microseconds.
    static let claimLead: Int64 = 5_000

    /// Whether a row is due, or will be within `claimLead`.
    func isClaimable(now: ClockReading) -> Bool {
        head.isDue(at: now.adding(microseconds: Self.claimLead))
    }

    /// The deliveries that wait until they are due.
    var early: [UInt64: Delivery] { deliveries.filter { $0.value.stage == .early } }

    /// Begins to deliver the early rows that are due now.
    mutating func earlyRowsDue(now: ClockReading) -> [EngineEffect] {
        beginDelivery(takeEarly { $0.due.remaining(now) <= 0 }, now: now)
    }

    /// Takes early rows out of the queue, in their order; they are still stored as "presenting".
    ///
    /// A command that changes such a row takes it first. A step of the clock takes all of them.
    mutating func takeEarly(where isMeant: (ClaimedRequest) -> Bool) -> [ClaimedRequest] {
        queue.takeDeliveries(early.filter { isMeant($0.value.claimed) }.keys.sorted())
            .map(\.claimed)
    }
}

extension CenterEngine {
    /// Changes requests in the store, and with them the rows that were claimed early.
    ///
    /// `change` gets these rows and has to make them pending again. If it fails, they stay early.
    func changeEarly<Result>(
        where isMeant: (ClaimedRequest) -> Bool,
        _ change: (isolated CenterEngine, [Int64]) async throws(NotificationError) -> Result
    ) async throws(NotificationError) -> Result {
        let early = state.takeEarly(where: isMeant)
        do {
            return try await change(self, early.map(\.row))
        } catch {
            perform(state.beginDelivery(early, now: clock.now()))
            throw error
        }
    }
}
