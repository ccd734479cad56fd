internal import NotificationModel
internal import Reactor

// On Apple's platforms UIApplication registers an app; an app without UIKit registers here.
extension UNUserNotificationCenter {
    /// Registers the app for remote notifications, and returns its subscription.
    ///
    /// Call this method at each start, and pass the subscription to the app's server, because the
    /// push distributor may have changed the endpoint. An app that is already registered gets its
    /// subscription at once. Set ``pushSubscriptionChanged`` before the call: the distributor may
    /// change the endpoint right after the registration. Registration needs the daemon and a push
    /// distributor of UnifiedPush. Showing the notifications also needs the user's permission.
    ///
    /// `vapidKey` is the public key of the app's server (RFC 8292): 87 characters of Base64URL. If
    /// it is nil, this method uses `TOCSINPushServerKey` of the `Info.plist` beside the program.
    /// Some distributors require a key. A call with another key replaces the registration by a new
    /// registration.
    ///
    /// - Throws: A ``UNServiceError`` that says what is missing:
    ///   ``UNServiceError/Code/noDistributor`` without a distributor,
    ///   ``UNServiceError/Code/distributorRefused`` if the distributor refuses, and
    ///   ``UNServiceError/Code/noDaemon`` if the app runs its own notification centre.
    public func registerForRemoteNotifications(
        vapidKey: String? = nil
    ) async throws -> UNPushSubscription {
        let key = vapidKey ?? source.pushServerKey()
        let token = try await call { connected throws(NotificationError) in
            try await connected.service.registerForPushes(connected.application, serverKey: key)
        }
        return try UNPushSubscription(deviceToken: Data(token))
    }

    /// Ends the app's registration for remote notifications; the endpoint takes no more messages.
    ///
    /// A later registration has another endpoint and other keys.
    ///
    /// - Throws: A ``UNServiceError`` if the notification centre cannot be reached.
    public func unregisterForRemoteNotifications() async throws {
        try await call { connected throws(NotificationError) in
            try await connected.service.unregisterFromPushes(connected.application)
        }
    }

    /// Called with each new subscription of the running app, and with nil if its registration ends.
    ///
    /// The distributor may change the endpoint at any time. The closure runs on a thread of the
    /// centre. With UIKit, the app delegate gets the new subscription as a device token.
    public var pushSubscriptionChanged: (@Sendable (UNPushSubscription?) -> Void)? {
        get { pushListeners.withLock(\.app) }
        set { pushListeners.withLock { $0.app = newValue } }
    }

    /// The response that started this program; the delegate gets it, too.
    ///
    /// The result is nil for any other start. The method waits for the notification centre.
    package func launchResponse() async -> UNNotificationResponse? {
        guard let identifier = source.launchedFor() else { return nil }
        prepareForLaunchResponse()
        // The centre sends the stored responses before it answers the first call.
        try? await call(stores: false) { _ in }
        let response = pushListeners.withLock(\.launchResponse)
        guard let response, response.notification.request.identifier == identifier else {
            return nil
        }
        return UNNotificationResponse.made(of: response)
    }

    /// Keeps the response that started this program, for `launchResponse()`.
    ///
    /// Older responses to the same request may have waited for this start. The response that
    /// started the program is the newest response, and arrives last.
    func noteResponse(_ response: NotificationResponse) {
        guard let identifier = source.launchedFor(),
            response.notification.request.identifier == identifier
        else { return }
        pushListeners.withLock { $0.launchResponse = response }
    }

    func pushReceived(_ payload: [UInt8]) {
        pushListeners.withLock(\.application)?(.message(Data(payload)))
    }

    func subscriptionChanged(_ bytes: [UInt8]?) {
        do {
            let subscription = try bytes.map { try UNPushSubscription(deviceToken: Data($0)) }
            let listeners = pushListeners.withLock { ($0.app, $0.application) }
            handlers.run { listeners.0?(subscription) }
            listeners.1?(.subscription(subscription))
        } catch {
            Self.logMessage("The new push subscription is ignored: \(error.localizedDescription)")
        }
    }

    /// Sets the closure by which UIKit gets the events of remote notifications.
    package func onPushEvent(_ listener: @escaping @Sendable (PushEvent) -> Void) {
        pushListeners.withLock { $0.application = listener }
    }
}

/// An event of remote notifications, for UIKit.
package enum PushEvent: Sendable {
    /// The app has another subscription; nil after the end of its registration.
    case subscription(UNPushSubscription?)
    /// A message with `content-available` has arrived: its payload as JSON.
    case message(Data)
}

/// The closures that receive events of remote notifications, and the response that started the
/// program.
struct PushListeners: Sendable {
    var app: (@Sendable (UNPushSubscription?) -> Void)?
    var application: (@Sendable (PushEvent) -> Void)?
    var launchResponse: NotificationResponse?
}
