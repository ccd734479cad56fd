import NotificationModel
internal import NotificationStore

/// Claims the rows of requests shortly before they are due; the rows then wait for their due time.
///
/// A claim marks the rows as presenting, which takes a commit. The popup of an early row need not
/// wait for this commit. Lists show an early row as pending, and commands change it like a pending
/// row. If the engine ends, the next start finds the row pending.
extension EngineState {
    /// How long before its due time a row may be claimed, in microseconds.
    static let claimLead: Int64 = 5_000

    func isClaimable(now: ClockReading) -> Bool {
        head.isDue(at: now.adding(microseconds: Self.claimLead))
    }

    mutating func earlyRowsDue(now: ClockReading) -> [EngineEffect] {
        beginDelivery(takeEarly { $0.due.remaining(now) <= 0 }, now: now)
    }

    /// Takes early rows out of the queue, in their order; they are still stored as "presenting".
    ///
    /// A command takes the early rows that it changes. A change of the clock takes all early rows.
    mutating func takeEarly(where isMeant: (ClaimedRequest) -> Bool) -> [ClaimedRequest] {
        queue.takeDeliveries(tokens { $0.stage == .early && isMeant($0.claimed) }).map(\.claimed)
    }
}

extension CenterEngine {
    /// Changes requests in the store, including the requests whose rows were claimed early.
    ///
    /// `change` gets these early rows, and makes them pending again. If `change` fails, the rows
    /// stay early.
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
