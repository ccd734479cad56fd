/// Brings remote notifications to this computer, and registers apps for them.
///
/// The daemon's push connector implements this protocol; tests use a script. The library links no
/// push connector, because no distributor can start an app that hosts its own centre.
public protocol PushTransport: Sendable {
    /// Offers the object that distributors call; their calls wait for `start(_:)`.
    ///
    /// Call this method before the daemon takes its bus name. A distributor's call may have started
    /// the daemon; the bus delivers the call as soon as the daemon has the name.
    ///
    /// - Throws: `protocolViolation` if another object is at the path.
    func prepare() async throws(NotificationError)

    /// Renews the stored registrations at the distributor, and passes on messages from now on.
    ///
    /// - Throws: `storeUnavailable` if the registrations cannot be read.
    func start(_ center: any PushCenter) async throws(NotificationError)

    /// Registers an app if necessary, and returns its subscription.
    ///
    /// The subscription is the JSON of a W3C PushSubscription. `name` is the app's name for the
    /// user. `serverKey` is the public VAPID key of the app's server.
    ///
    /// - Throws: `noDistributor` if no distributor can be used; `distributorRefused` if the
    ///   distributor refuses or does not answer; `invalidArgument` if the key cannot be used;
    ///   `noSpace` or `storeUnavailable` if the store fails.
    func register(
        _ app: ApplicationID, name: String, serverKey: String?
    ) async throws(NotificationError) -> [UInt8]

    /// Ends an app's registration; its endpoint and its keys are never used again.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    func unregister(_ app: ApplicationID) async throws(NotificationError)

    /// Chooses the distributor by its bus name without the UnifiedPush prefix; nil leaves the
    /// choice to the centre.
    ///
    /// - Throws: `noDistributor` if no such distributor runs or can be started; `noSpace` or
    ///   `storeUnavailable` if the store fails.
    func chooseDistributor(_ name: String?) async throws(NotificationError)

    /// Reads the registrations again after the id of an app has changed.
    func registrationsMoved() async

    /// The present state.
    func status() async -> PushStatus
}

/// The part of a notification centre that a push transport uses: the engine, or a script in tests.
public protocol PushCenter: Sendable {
    /// The registrations of all apps.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    func pushRegistrations() async throws(NotificationError) -> [PushRegistration]

    /// Stores a registration in place of the app's earlier registration.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    func save(_ registration: PushRegistration) async throws(NotificationError)

    /// Removes the registration of an app.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    func removePushRegistration(of app: ApplicationID) async throws(NotificationError)

    /// The name of the distributor that the user has chosen; nil for none.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    func chosenDistributor() async throws(NotificationError) -> String?

    /// Stores the user's choice of a distributor; nil removes it.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    func saveChosenDistributor(_ name: String?) async throws(NotificationError)

    /// Stores a message, and returns when the message is on disk.
    ///
    /// `key` identifies the message; the centre ignores a message whose key is stored already.
    ///
    /// - Throws: `invalidArgument` if the payload cannot be used; then nothing is shown, and the
    ///   key is not stored. `limitReached` beyond a quota or the rate limit; `noSpace` or
    ///   `storeUnavailable` if the store fails.
    func receivePush(
        _ payload: [UInt8], key: String, for app: ApplicationID
    ) async throws(NotificationError)

    /// Reports the new subscription to the running app; nil if the registration has ended.
    func subscriptionChanged(_ subscription: [UInt8]?, of app: ApplicationID) async
}
