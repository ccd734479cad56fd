internal import Dispatch
internal import UserNotifications

extension UIApplication {
    /// Whether the app has registered for remote notifications since its start, and got a token.
    public var isRegisteredForRemoteNotifications: Bool { pushes.token != nil }

    /// Asks for a token for remote notifications; the delegate gets the token or an error.
    ///
    /// Call this method at each start, as on Apple's platforms. On Linux the token is the JSON of a
    /// W3C PushSubscription in UTF-8, which `UNPushSubscription` reads. The app's server sends
    /// messages of Web Push to the endpoint in the token. The delegate gets another token when the
    /// endpoint changes. The registration needs Tocsin's daemon and a push distributor
    /// (UnifiedPush). The optional key `TOCSINPushServerKey` of the `Info.plist` gives the server's
    /// public VAPID key.
    public func registerForRemoteNotifications() { pushes.register() }

    /// Ends the registration; the app's token is never valid again.
    ///
    /// The delegate gets no answer to an earlier call of ``registerForRemoteNotifications()``.
    public func unregisterForRemoteNotifications() { pushes.unregister() }
}

/// Registers an app for remote notifications, and calls its delegate.
@MainActor
final class RemoteNotifications {
    private unowned let application: UIApplication
    /// The token that the delegate got last.
    private(set) var token: Data?
    private var isListening = false
    /// Whether `register()` was called after the last call of `unregister()`.
    private var wantsToken = false
    /// The number of calls of `register()` without an answer.
    private var pending = 0
    /// The last token that an event brought during a pending call of `register()`.
    private var skippedToken: Data?
    /// Whether the last event during a pending call was the end of the registration.
    private var hasSkippedEnd = false
    /// The number of calls of `unregister()`.
    private var unregistrations = 0
    private var lastCall: Task<Void, Never>?

    init(_ application: UIApplication) {
        self.application = application
    }

    func register() {
        listen()
        wantsToken = true
        pending += 1
        let center = application.surroundings.center()
        performInTurn { [self, unregistrations] in
            // If the app has called `unregister()` since this call, do not answer: `unregister()`
            // ends the token.
            do {
                let token = try await center.registerForRemoteNotifications().deviceToken
                pending -= 1
                guard unregistrations == self.unregistrations else { return }
                announce(token)
            } catch {
                pending -= 1
                guard unregistrations == self.unregistrations else { return }
                fail(error)
            }
            handleSkippedEvents()
        }
    }

    /// Handles the events that came while calls were pending, after the answer to the last call.
    ///
    /// A newer event may overtake the answer on the way to the main queue, because the answer
    /// passes through Swift's thread pool. If the answer's token may be outdated, this method
    /// registers again, because the notification centre knows the valid token.
    private func handleSkippedEvents() {
        guard pending == 0 else { return }
        let (skipped, hasEnded) = (skippedToken, hasSkippedEnd)
        (skippedToken, hasSkippedEnd) = (nil, false)
        guard hasEnded else {
            if let skipped, skipped != token { register() }
            return
        }
        // Without a token, the last call has failed, and the delegate has the error.
        guard let token else { return }
        // Do not register again after the end of this token: a broken distributor may end every
        // token.
        if skipped == token { endRegistration() } else { register() }
    }

    func unregister() {
        token = nil
        (skippedToken, hasSkippedEnd) = (nil, false)
        wantsToken = false
        unregistrations += 1
        let center = application.surroundings.center()
        performInTurn {
            do {
                try await center.unregisterForRemoteNotifications()
            } catch {
                UIApplication.logMessage(
                    "The app stays registered for remote notifications: "
                        + error.localizedDescription)
            }
        }
    }

    /// Performs a call after all earlier calls: separate tasks would not keep the order of the
    /// calls.
    private func performInTurn(_ call: @escaping @MainActor () async -> Void) {
        lastCall = Task { [lastCall] in
            await lastCall?.value
            await call()
        }
    }

    private func listen() {
        guard !isListening else { return }
        isListening = true
        application.surroundings.center().onPushEvent { [weak self] event in
            // The main queue keeps the order of the events; tasks would not.
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.handle(event) } }
        }
    }

    private func handle(_ event: PushEvent) {
        switch event {
        case .subscription(let subscription): handle(newToken: subscription?.deviceToken)
        case .message(let payload):
            guard let delegate = application.delegate,
                let userInfo = try? JSONSerialization.jsonObject(with: payload)
                    as? [AnyHashable: Any]
            else { return }
            delegate.application(application, didReceiveRemoteNotification: userInfo) { _ in }
        }
    }

    /// Handles another token of the app; nil is the end of its registration.
    private func handle(newToken: Data?) {
        // After `unregister()`, the app wants no token.
        guard wantsToken else { return }
        // During a call of `register()`, keep the token for later: the call usually returns it.
        guard pending == 0 else {
            hasSkippedEnd = newToken == nil
            if let newToken { skippedToken = newToken } else { token = nil }
            return
        }
        guard newToken != token else { return }
        if let newToken { announce(newToken) } else { endRegistration() }
    }

    private func endRegistration() {
        token = nil
        fail(
            UNServiceError(
                .distributorRefused,
                "The push distributor has ended the registration of this app. Register again for "
                    + "a new token."))
    }

    private func announce(_ token: Data) {
        self.token = token
        application.delegate?.application(
            application, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    private func fail(_ error: any Error) {
        application.delegate?.application(
            application, didFailToRegisterForRemoteNotificationsWithError: error)
    }
}
