internal import NotificationModel

/// Decides whether a response is deferred, handed to the delegate or acknowledged.
///
/// After a reconnection the service replays unacknowledged responses. The ledger makes sure that
/// the delegate never gets a response twice.
struct ResponseLedger {
    /// Identifies a response; another store may use the same `id`, so `id` alone is not enough.
    ///
    /// The key does not contain the app's id: an app that changes its id keeps its responses.
    struct Key: Hashable, Sendable {
        var id: Int64
        var identifier: String
        var date: Instant

        init(_ response: NotificationResponse) {
            id = response.id
            identifier = response.notification.request.identifier
            date = response.notification.date
        }
    }

    enum Effect: Hashable {
        case deliver(NotificationResponse)
        case acknowledge(Key)
    }

    private enum State {
        case deferred
        case withDelegate
        case handled
    }

    private var deferredResponses: [NotificationResponse] = []
    private var states: [Key: State] = [:]

    mutating func responseReceived(_ response: NotificationResponse, hasDelegate: Bool) -> Effect? {
        let key = Key(response)
        switch states[key] {
        case .deferred, .withDelegate: return nil
        case .handled: return .acknowledge(key)
        case nil: break
        }
        guard hasDelegate, deferredResponses.isEmpty else {
            states[key] = .deferred
            deferredResponses.append(response)
            return nil
        }
        states[key] = .withDelegate
        return .deliver(response)
    }

    /// Returns the deferred responses in their order, for the delegate that was set.
    mutating func delegateAppeared() -> [Effect] {
        let waiting = deferredResponses
        deferredResponses = []
        for response in waiting { states[Key(response)] = .withDelegate }
        return waiting.map(Effect.deliver)
    }

    mutating func responseHandled(_ key: Key) {
        states[key] = .handled
    }

    /// Forgets an acknowledged response; after a failure the service replays the response.
    mutating func responseAcknowledged(_ key: Key, succeeded: Bool) {
        if succeeded { states[key] = nil }
    }
}
