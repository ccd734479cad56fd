internal import NotificationModel

extension UNUserNotificationCenter {
    /// Replaces the whole set of the app's categories; call it at each start.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let values = categories.map(\.value).sorted { $0.identifier < $1.identifier }
        store("Setting the categories") { connected throws(NotificationError) in
            try await connected.service.setCategories(values, of: connected.application)
        }
    }

    /// Gives the app's categories.
    @preconcurrency
    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        get(Self.categories) {
            completionHandler(Set($0.map(UNNotificationCategory.init(value:))))
        }
    }

    /// The app's categories.
    public func notificationCategories() async -> Set<UNNotificationCategory> {
        Set(await get(Self.categories).map(UNNotificationCategory.init(value:)))
    }

    private static var categories: Read<[NotificationCategory]> {
        Read("Listing the categories", otherwise: []) { connected throws(NotificationError) in
            try await connected.service.categories(of: connected.application)
        }
    }
}
