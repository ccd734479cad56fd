internal import Dispatch
internal import NotificationModel
internal import Reactor

/// Runs the app's service extension, one object for each pushed notification.
///
/// Extensions run on separate threads, as on Apple's platforms, because a download may block. While
/// `didReceive` still runs, `serviceExtensionTimeWillExpire` may run on another thread.
final class ExtensionCaller: Sendable {
    /// One notification that an extension works on.
    private struct Work {
        /// Nil until the object is made.
        var object: UNNotificationServiceExtension?
        /// Whether the time is over; it may be over before the object is made.
        var isLate = false
    }

    /// Gives the service the changed content, or nil to show the original content.
    typealias Finish =
        @Sendable (ExtensionToken, ApplicationID, UNNotificationContent?) -> Void

    private struct State {
        var make: (@Sendable () -> UNNotificationServiceExtension)?
        var work: [ExtensionToken: Work] = [:]
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(
        label: "UserNotifications.extension", attributes: .concurrent)

    var make: (@Sendable () -> UNNotificationServiceExtension)? {
        get { state.withLock { $0.make } }
        set { state.withLock { $0.make = newValue } }
    }

    func beginExtension(
        _ token: ExtensionToken, _ request: NotificationRequest, of app: ApplicationID,
        finish: @escaping Finish
    ) {
        guard let make else { return finish(token, app, nil) }
        state.withLock { $0.work[token] = Work() }
        queue.async { [self] in
            let object = make()
            state.withLock { $0.work[token]?.object = object }
            object.didReceive(UNNotificationRequest(request)) { [self] content in
                // Only the first content counts.
                guard state.withLock({ $0.work.removeValue(forKey: token) }) != nil else { return }
                finish(token, app, content)
            }
            // A call during `didReceive` may come before the extension has kept the handler, so an
            // extension without a result gets another one.
            let isLate = state.withLock { $0.work[token]?.isLate == true }
            if isLate { object.serviceExtensionTimeWillExpire() }
        }
    }

    /// Tells an extension that its time is over; the extension may still deliver its best attempt.
    func expire(_ token: ExtensionToken) {
        queue.async { [self] in
            let object = state.withLock { state in
                state.work[token]?.isLate = true
                return state.work[token]?.object
            }
            object?.serviceExtensionTimeWillExpire()
        }
        // Ten seconds later the service has shown the original, so a result would be of no use.
        queue.asyncAfter(deadline: .now() + 10) { [self] in
            state.withLock { $0.work[token] = nil }
        }
    }
}
