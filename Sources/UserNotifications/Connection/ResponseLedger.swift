internal import NotificationModel

/// Decides what happens to each response: held, handed to the delegate, acknowledged.
///
/// A service that was reached again replays what it has no acknowledgement for. What the delegate
/// already has is not handed to it twice.
struct ResponseLedger {
    /// Names a response; ids alone would start again with another store.
    struct Key: Hashable, Sendable {
        var id: Int64
        var notification: NotificationKey
        var date: Instant

        init(_ response: NotificationResponse) {
            id = response.id
            notification = response.notification.key
            date = response.notification.date
        }
    }

    enum Effect: Hashable {
        case deliver(NotificationResponse)
        case acknowledge(Key)
    }

    private enum State {
        case held
        case withDelegate
        case handled
    }

    private var held: [NotificationResponse] = []
    private var states: [Key: State] = [:]

    /// A response came from the service.
    mutating func received(_ response: NotificationResponse, hasDelegate: Bool) -> Effect? {
        let key = Key(response)
        switch states[key] {
        case .held, .withDelegate: return nil
        case .handled: return .acknowledge(key)
        case nil: break
        }
        guard hasDelegate, held.isEmpty else {
            states[key] = .held
            held.append(response)
            return nil
        }
        states[key] = .withDelegate
        return .deliver(response)
    }

    /// There is a delegate: the responses that waited for one, in their order.
    mutating func delegateAppeared() -> [Effect] {
        let waiting = held
        held = []
        for response in waiting { states[Key(response)] = .withDelegate }
        return waiting.map(Effect.deliver)
    }

    /// The delegate is done with a response, which is being acknowledged.
    mutating func handled(_ key: Key) {
        states[key] = .handled
    }

    /// The service was told; where it was not, its replay is answered again.
    mutating func acknowledged(_ key: Key, succeeded: Bool) {
        if succeeded { states[key] = nil }
    }
}
