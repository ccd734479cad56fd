import NotificationModel
import TestSupport

/// A notification centre in memory, as the connector sees it.
actor MemoryPushCenter: PushCenter {
    private var registrations: [ApplicationID: PushRegistration]
    private var chosen: String?
    private var keys: Set<String> = []
    private var refusal: NotificationError?
    private var afterRemoval: (@Sendable () async -> Void)?
    private var afterRead: (@Sendable () async -> Void)?
    /// The decrypted payloads of the apps, in order.
    nonisolated let payloads = Recording<(app: ApplicationID, payload: [UInt8])>()
    /// The endpoint of each registration that was saved.
    nonisolated let savedEndpoints = Recording<String>()
    /// The subscriptions that the connector reported to apps.
    nonisolated let subscriptions = Recording<(app: ApplicationID, subscription: [UInt8]?)>()
    /// One entry when the centre is released.
    nonisolated let releases = Recording<Void>()

    init(_ registrations: [PushRegistration] = []) {
        self.registrations = Dictionary(uniqueKeysWithValues: registrations.map { ($0.app, $0) })
    }

    deinit { releases.append(()) }

    /// Makes every later message fail with this error; nil ends the failures.
    func refuse(with error: NotificationError?) { refusal = error }

    /// Runs work after each removal, while the caller of the removal waits.
    func runAfterRemovals(_ work: @escaping @Sendable () async -> Void) { afterRemoval = work }

    /// Runs work after each read of the registrations, while the caller of the read waits.
    func runAfterReads(_ work: @escaping @Sendable () async -> Void) { afterRead = work }

    func pushRegistrations() async -> [PushRegistration] {
        let read = Array(registrations.values)
        await afterRead?()
        return read
    }

    func save(_ registration: PushRegistration) {
        registrations[registration.app] = registration
        savedEndpoints.append(registration.endpoint ?? "")
    }

    func removePushRegistration(of app: ApplicationID) async {
        registrations[app] = nil
        await afterRemoval?()
    }

    func chosenDistributor() -> String? { chosen }

    func saveChosenDistributor(_ name: String?) { chosen = name }

    func receivePush(
        _ payload: [UInt8], key: String, for app: ApplicationID
    ) throws(NotificationError) {
        if let refusal { throw refusal }
        if keys.insert(key).inserted { payloads.append((app, payload)) }
    }

    func subscriptionChanged(_ subscription: [UInt8]?, of app: ApplicationID) {
        subscriptions.append((app, subscription))
    }
}
