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
