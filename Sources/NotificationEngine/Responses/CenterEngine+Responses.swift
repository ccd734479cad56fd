import NotificationModel
internal import NotificationStore
internal import Reactor

/// Stores the events of popups, and passes responses to the apps.
extension CenterEngine {
    /// Queues an event; one task stores all events, because parallel tasks could reorder them.
    func storeEvent(_ event: PopupEvent, of key: NotificationKey) {
        popupEvents.waiting.append((key, event))
        guard popupEvents.startDraining() else { return }
        Task {
            while let (key, event) = popupEvents.next() {
                await retrying(.record(key, event)) {
                    defer { notifyIdleWaiters(of: [key.app]) }
                    try await apply(event, to: key)
                    perform(state.eventRecorded(key))
                }
            }
            reportRest()
        }
    }

    private func apply(_ event: PopupEvent, to key: NotificationKey) async throws {
        guard case .response(let reported, let token) = event else {
            return try await popupLeft(key)
        }
        var recent = state.recent.remove(key)
        if recent == nil { recent = try await store.notification(key) }
        guard let notification = recent else { return }
        let action = state.withKnownButton(reported, of: notification)
        if case .custom(let identifier) = action,
            let button = state.action(identifier, of: notification)
        {
            if try await snooze(key, pressing: button) { return }
            if try await askForText(button, of: notification, activationToken: token) { return }
        }
        await respond(action, to: notification, token)
    }

    /// Stores a response, and hands it to its app or starts the app.
    func respond(
        _ action: NotificationResponse.Action, to notification: DeliveredNotification,
        _ token: String?
    ) async {
        let response = NotificationResponse(
            id: store.nextResponseID(), notification: notification, action: action,
            activationToken: token)
        let (pending, effects) = state.respond(response)
        perform(effects)
        configuration.step(.responding)
        await storeResponse(pending)
    }

    /// Stores a response; if the store fails, the engine tries again.
    ///
    /// A retry does not hand the response to its app a second time.
    func storeResponse(_ pending: PendingResponse) async {
        let now = clock.now()
        let response = pending.response
        let isKept = pending.isWanted && !state.responses.isDone(response.id)
        await retrying(.storeResponse(pending)) {
            let stored = try await store.record(
                response, isKept: isKept, isDeferred: pending.isDeferred,
                launchDate: pending.startsApp ? now.wall : nil)
            listsChanged(.delivered, of: pending.key.app)
            perform(state.responseStored(pending, stored, now: now))
        }
    }
}
