import NotificationModel
internal import NotificationStore

/// Decides whether an event of a popup belongs to a notification or to its replacement.
extension EngineState {
    /// Takes an event of a popup.
    ///
    /// The user may respond before the delivery or the restored popup is stored; the event then
    /// waits. An event that comes before the server shows a replacement belongs to the replaced
    /// notification.
    mutating func popupReported(_ key: NotificationKey, _ event: PopupEvent) -> [EngineEffect] {
        if let subject = PermissionSubject(identifier: key.identifier) {
            return permission(of: key.app, about: subject) { $0.popupReported(event) }
        }
        guard let token = shownAttempt(key) else {
            return restorations.deferEvent(event, of: key) ? [] : record(key, event)
        }
        queue.change(token) { $0.events.append(event) }
        return []
    }

    /// The token of the delivery that the server shows under this key and that is not stored yet.
    func shownAttempt(_ key: NotificationKey) -> UInt64? {
        deliveries.lazy.filter { $0.value.isShown && $0.value.key == key }.map(\.key).max()
    }

    /// The keys under which the server shows no newer delivery.
    func withoutSuccessor(_ keys: [NotificationKey]) -> [NotificationKey] {
        let shown = Set(deliveries.values.lazy.filter(\.isShown).map(\.key))
        return keys.filter { !shown.contains($0) }
    }

    /// The selected notifications that the server was asked to show and that are not stored yet.
    func posted(
        _ selection: NotificationSelection, of app: ApplicationID
    ) -> [UInt64: DeliveredNotification] {
        var wanted: Set<NotificationKey>?
        if case .identifiers(let identifiers) = selection {
            wanted = Set(identifiers.map { NotificationKey(app: app, identifier: $0) })
        }
        return deliveries.filter { _, delivery in
            delivery.app == app && (delivery.stage == .posted || delivery.isShown)
                && wanted?.contains(delivery.key) ?? true
        }.mapValues(\.notification)
    }

    /// Removes posted notifications as soon as they are stored.
    ///
    /// `removed` has the keys of the stored notifications that the call has removed. A posted
    /// notification with such a key is the replacement, and stays.
    mutating func removePosted(
        _ posted: [UInt64: DeliveredNotification], removed: [NotificationKey]
    ) -> [EngineEffect] {
        let removed = Set(removed)
        var effects: [EngineEffect] = []
        for (token, notification) in posted where !removed.contains(notification.key) {
            if deliveries[token] == nil { effects.append(.removePosted(notification)) }
            queue.change(token) { $0.isRemovedOnceStored = true }
        }
        return effects
    }

    mutating func record(_ key: NotificationKey, _ event: PopupEvent) -> [EngineEffect] {
        recording[key, default: 0] += 1
        return [.record(key, event)]
    }

    /// Records that an event is stored.
    ///
    /// Stores the replacements and the restored popup that waited for the event.
    mutating func eventRecorded(_ key: NotificationKey) -> [EngineEffect] {
        let count = recording[key] ?? 1
        recording[key] = count > 1 ? count - 1 : nil
        guard count <= 1 else { return [] }
        let settled = tokens { $0.key == key }.flatMap { token -> [EngineEffect] in
            guard let outcome = deliveries[token]?.deferredOutcome else { return [] }
            return settle(token, outcome)
        }
        return settled + placeRestored()
    }
}

enum PopupEvent: Hashable, Sendable {
    case response(NotificationResponse.Action, activationToken: String?)
    /// The popup left the screen without a response.
    case expired
}
