import NotificationModel
internal import NotificationStore

/// What happens to a popup, and which of two requests with its identifier it belongs to.
extension EngineState {
    /// What happens to a popup before it is stored as delivered waits for that: the user may be
    /// quicker than the disk.
    ///
    /// Until the server has taken a replacement, the popup is that of the former content, which is
    /// delivered.
    mutating func popupReported(_ key: NotificationKey, _ event: PopupEvent) -> [EngineEffect] {
        guard key.identifier != PermissionPrompt.identifier else {
            return permission(of: key.app) { $0.popupReported(event) }
        }
        guard let token = shown(key) else {
            return restorations.hold(event, of: key) ? [] : record(key, event)
        }
        queue.change(token) { $0.events.append(event) }
        return []
    }

    /// The attempt whose popup is on the screen under this key and not stored as delivered yet.
    private func shown(_ key: NotificationKey) -> UInt64? {
        deliveries.filter { $0.value.isShown && $0.value.key == key }.keys.max()
    }

    /// Of notifications that are no longer delivered those whose popup no other has taken over.
    func withoutSuccessor(_ keys: [NotificationKey]) -> [NotificationKey] {
        keys.filter { shown($0) == nil }
    }

    mutating func record(_ key: NotificationKey, _ event: PopupEvent) -> [EngineEffect] {
        recording[key, default: 0] += 1
        return [.record(key, event)]
    }

    /// An event of a popup is stored: what replaces the notification may be stored, too.
    mutating func recorded(_ key: NotificationKey) -> [EngineEffect] {
        let count = recording[key] ?? 1
        recording[key] = count > 1 ? count - 1 : nil
        guard count <= 1 else { return [] }
        let deferred = deliveries.filter {
            $0.value.deferredOutcome != nil && $0.value.key == key
        }
        return deferred.sorted { $0.key < $1.key }.flatMap { token, delivery -> [EngineEffect] in
            queue.change(token) { $0.deferredOutcome = nil }
            return delivery.deferredOutcome.map { settle(token, $0) } ?? []
        }
    }
}

/// What happened to a popup on the screen.
enum PopupEvent: Hashable, Sendable {
    /// A person answered.
    case response(NotificationResponse.Action, activationToken: String?)
    /// It left without an answer.
    case expired
}
