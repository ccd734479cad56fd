internal import NotificationModel

extension UNUserNotificationCenter {
    /// Gives the app's notifications that were not answered, dismissed or removed, newest first.
    @preconcurrency
    public func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        get(Self.delivered) { completionHandler($0.map { UNNotification($0) }) }
    }

    /// The app's notifications that were not answered, dismissed or removed, newest first.
    public func deliveredNotifications() async -> [UNNotification] {
        await get(Self.delivered).map { UNNotification($0) }
    }

    private static var delivered: Read<[DeliveredNotification]> {
        Read("Listing the delivered notifications", otherwise: []) {
            connected throws(NotificationError) in
            try await connected.service.delivered(of: connected.application)
        }
    }

    /// Removes delivered notifications and takes their popups away; unknown identifiers are ignored.
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        removeDelivered(.identifiers(identifiers))
    }

    /// Removes every delivered notification of the app and takes the popups away.
    public func removeAllDeliveredNotifications() {
        removeDelivered(.all)
    }

    private func removeDelivered(_ selection: NotificationSelection) {
        store("Removing delivered notifications") { connected throws(NotificationError) in
            try await connected.service.removeDelivered(selection, of: connected.application)
        }
    }
}
