/// Decides how notifications are shown while the app runs, and hears of every answer.
///
/// Every method is optional. Of the two forms of a method implement one; both are called on the
/// main actor. A program whose main thread sits in another loop hands it over by
/// ``UNUserNotificationCenter/drainMainLoop()``; one that blocks its main thread hears nothing.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Says how a notification is shown; call the handler within three seconds. Later the
    /// notification is in the list already, without a popup and without a sound.
    ///
    /// On Linux this is asked before each popup of a running app. Not implemented: the notification
    /// is shown.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

    /// Says how a notification is shown; return within three seconds. Later the notification is in
    /// the list already, without a popup and without a sound.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// Takes the user's response to a notification.
    ///
    /// Call the handler when done: until then the response is kept, and handed over again at the
    /// next start of the app. A handler that is not called within 30 seconds after this method
    /// returned counts as called.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

    /// Takes the user's response to a notification; it is kept until this returns.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async

    /// Opens the app's own notification settings.
    ///
    /// An app that asked for permission with `.providesAppNotificationSettings` has a button for
    /// them in its popups on Plasma, which is the one desktop that draws one.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// Swift has no optional requirements off Objective-C: what a delegate leaves out is found here.
//
// `nonisolated(unsafe)`: a delegate is not Sendable, and need not be, because it is called on the
// main actor; the defaults only carry the reference there.
extension UNUserNotificationCenterDelegate {
    /// Asks the other form; where neither is implemented the notification is shown, unless the app
    /// says that it is in front.
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

    /// Asks the other form; where neither is implemented the notification is shown, unless the app
    /// says that it is in front.
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
            DelegateBridging.$active.withValue(bridging.extended) {
                DelegateBridging.onMainActor {
                    delegate.userNotificationCenter(center, willPresent: notification) {
                        continuation.resume(returning: $0)
                    }
                }
            }
        }
    }

    /// Asks the other form; the response is lost where neither is implemented.
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

    /// Asks the other form; the response is lost where neither is implemented.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let bridging = DelegateBridging(object: ObjectIdentifier(self), method: .didReceive)
        guard !bridging.isActive else { return }
        nonisolated(unsafe) let delegate = self
        await withCheckedContinuation { continuation in
            DelegateBridging.$active.withValue(bridging.extended) {
                DelegateBridging.onMainActor {
                    delegate.userNotificationCenter(center, didReceive: response) {
                        continuation.resume()
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

/// How a notification is shown while its app is in front.
public struct UNNotificationPresentationOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
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
