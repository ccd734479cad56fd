internal import Logging
public import NotificationModel
internal import NotificationStore

// Registrations for remote notifications. The transport decides; the engine stores and reports.
extension CenterEngine {
    /// Registers an app for remote notifications, and returns its subscription as JSON.
    ///
    /// - Throws: `noDaemon` if the engine runs inside its app; otherwise the errors of
    ///   `PushReceiving.registerForPushes(_:serverKey:)`.
    public func registerForPushes(
        _ app: ApplicationID, serverKey: String?
    ) async throws(NotificationError) -> [UInt8] {
        let pushes = try transport()
        try await admit(app)
        return try await pushes.register(
            app, name: identity(of: app)?.name ?? app.rawValue, serverKey: serverKey)
    }

    /// Ends an app's registration for remote notifications, if it has one.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func unregisterFromPushes(_ app: ApplicationID) async throws(NotificationError) {
        try await configuration.pushes?.unregister(app)
    }

    /// Chooses the push distributor for all apps; nil leaves the choice to the transport.
    ///
    /// - Throws: `noDaemon` if the engine runs inside its app; `noDistributor` if no such
    ///   distributor runs or can be started; `noSpace` or `storeUnavailable` if the store fails.
    public func choosePushDistributor(_ name: String?) async throws(NotificationError) {
        try await transport().chooseDistributor(name)
    }

    private func transport() throws(NotificationError) -> any PushTransport {
        if let pushes = configuration.pushes { return pushes }
        throw NotificationError(
            .noDaemon,
            "Remote notifications need Tocsin's daemon: this program runs its own notification "
                + "centre, and a push distributor cannot start this program. Install tocsind, and "
                + "start the program without TOCSIN_MODE=embedded.")
    }
}

extension CenterEngine: PushCenter {
    /// The registrations of all apps.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    public func pushRegistrations() async throws(NotificationError) -> [PushRegistration] {
        try await store.pushRegistrations()
    }

    /// Stores a registration in place of the app's earlier registration.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func save(_ registration: PushRegistration) async throws(NotificationError) {
        try await store.save(registration)
    }

    /// Removes the registration of an app.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func removePushRegistration(of app: ApplicationID) async throws(NotificationError) {
        try await store.removePushRegistration(of: app)
    }

    /// The name of the distributor that the user has chosen; nil for none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    public func chosenDistributor() async throws(NotificationError) -> String? {
        try await store.chosenDistributor()
    }

    /// Stores the user's choice of a distributor; nil removes it.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func saveChosenDistributor(_ name: String?) async throws(NotificationError) {
        try await store.saveChosenDistributor(name)
    }

    /// Stores a message and its key in one transaction; the key identifies the message.
    ///
    /// If the key is already stored, the message changes nothing. If the payload has
    /// `content-available`, the sessions of the app also get the payload.
    ///
    /// - Throws: The errors of `PushCenter.receivePush(_:key:for:)`.
    public func receivePush(
        _ payload: [UInt8], key: String, for app: ApplicationID
    ) async throws(NotificationError) {
        let push = try PushPayload(payload)
        let message = ReceivedMessage(key: key, date: clock.now().wall)
        guard try await accept(push, push.headers, for: app, message: message).isNew else {
            return Log.engine.debug("a push for \(app) has come again, and is ignored")
        }
        if push.isContentAvailable { passEvent(.pushReceived(payload, of: app), to: app) }
    }

    /// Reports the new subscription to the app's sessions.
    ///
    /// `subscription` is nil if the registration has ended.
    public func subscriptionChanged(_ subscription: [UInt8]?, of app: ApplicationID) async {
        passEvent(.subscriptionChanged(subscription, of: app), to: app)
    }

    private func passEvent(_ event: ServiceEvent, to app: ApplicationID) {
        for (session, known) in state.sessions where known.app == app {
            listeners[session]?(event)
        }
    }
}
