/// Decides how notifications are shown while the app runs, and receives every response.
///
/// Every method is optional. If a method has two forms, implement one form. The centre calls every
/// method on the main actor, so a program that blocks its main thread receives nothing. If the main
/// thread runs the loop of another library, such as GLib, call
/// ``UNUserNotificationCenter/drainMainLoop()`` on that thread.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Decides how a notification is shown; call the handler within three seconds.
    ///
    /// If the app does not decide in that time, the notification is listed without a popup or a
    /// sound.
    ///
    /// On Linux a running app is asked before each popup, except while `isApplicationActive` is
    /// false. If the delegate has neither form of this method, the notification is shown while
    /// `isApplicationActive` is nil or false.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

    /// Decides how a notification is shown; return within three seconds.
    ///
    /// If the app does not decide in that time, the notification is listed without a popup or a
    /// sound.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// Receives the user's response to a notification.
    ///
    /// Call the handler when the response is handled. The centre keeps the response until then. If
    /// the app ends earlier, it gets the response again at its next start. If the app does not call
    /// the handler within 30 seconds after this method returned, the response counts as handled.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

    /// Receives the user's response to a notification.
    ///
    /// The centre keeps the response until this method returns.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async

    /// Opens the app's own notification settings.
    ///
    /// If the app asked for permission with `.providesAppNotificationSettings`, Plasma draws a
    /// button for these settings in the app's popups. No other desktop has such a button. The
    /// button starts an app that has quit, as a click on the notification itself does.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// Swift has optional requirements only with Objective-C. These defaults replace them.
//
// `nonisolated(unsafe)`: a delegate need not be Sendable, because it is called on the main actor.
// The defaults only pass the reference to the main actor.
extension UNUserNotificationCenterDelegate {
    /// Calls the `async` form.
    ///
    /// If neither form is implemented, the notification is shown, unless the app reports that it is
    /// in front.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        let bridging = DelegateBridging(object: ObjectIdentifier(self), method: .willPresent)
        guard !bridging.isActive else {
            bridging.reportMissing()
            return completionHandler(center.undecided)
        }
        nonisolated(unsafe) let delegate = self
        Task.immediate {
            await DelegateBridging.$active.withValue(bridging.extended) {
                completionHandler(
                    await delegate.userNotificationCenter(center, willPresent: notification))
            }
        }
    }

    /// Calls the form with a completion handler.
    ///
    /// If neither form is implemented, the notification is shown, unless the app reports that it is
    /// in front.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        let bridging = DelegateBridging(object: ObjectIdentifier(self), method: .willPresent)
        guard !bridging.isActive else {
            bridging.reportMissing()
            return center.undecided
        }
        nonisolated(unsafe) let delegate = self
        return await withCheckedContinuation { continuation in
            let answer = FirstAnswer<UNNotificationPresentationOptions> {
                continuation.resume(returning: $0)
            }
            DelegateBridging.$active.withValue(bridging.extended) {
                DelegateBridging.onMainActor {
                    delegate.userNotificationCenter(center, willPresent: notification) {
                        answer.fulfill($0)
                    }
                }
            }
        }
    }

    /// Calls the `async` form; if neither form is implemented, the response is lost.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let bridging = DelegateBridging(object: ObjectIdentifier(self), method: .didReceive)
        guard !bridging.isActive else { return completionHandler() }
        DelegateBridging.call?.awaitAsynchronousForm()
        nonisolated(unsafe) let delegate = self
        Task.immediate {
            await DelegateBridging.$active.withValue(bridging.extended) {
                await delegate.userNotificationCenter(center, didReceive: response)
                completionHandler()
            }
        }
    }

    /// Calls the form with a completion handler.
    ///
    /// If neither form is implemented, the response is lost.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let bridging = DelegateBridging(object: ObjectIdentifier(self), method: .didReceive)
        guard !bridging.isActive else { return }
        nonisolated(unsafe) let delegate = self
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let done = FirstAnswer<Void> { continuation.resume() }
            DelegateBridging.$active.withValue(bridging.extended) {
                DelegateBridging.onMainActor {
                    delegate.userNotificationCenter(center, didReceive: response) {
                        done.fulfill(())
                    }
                }
            }
        }
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}

/// How a notification is shown while its app runs.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options from Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Sets the badge.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    /// Plays the sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    /// Shows the banner and keeps the notification in the list.
    @available(*, deprecated, message: "Use .list and .banner.")
    public static let alert = UNNotificationPresentationOptions(rawValue: 4)
    /// Keeps the notification in the list.
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    /// Shows the banner.
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
