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

extension UNUserNotificationCenter {
    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// On Linux docks and task bars draw it that know the app by its desktop file;
    /// ``UNNotificationSettings/badgeSetting`` says whether there is one. The handler gets
    /// `UNError.badgeInputInvalid` for a negative number, and `UNError.notificationsNotAllowed`
    /// where the person has not allowed badges.
    @preconcurrency
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        setBadge(newBadgeCount) { [handlers] result in
            handlers.run {
                switch result {
                case .success: completionHandler?(nil)
                case .failure(let error): completionHandler?(error.asUserNotificationsError)
                }
            }
        }
    }

    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// Throws what ``setBadgeCount(_:withCompletionHandler:)`` gives its handler.
    public func setBadgeCount(_ newBadgeCount: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in
            setBadge(newBadgeCount) {
                continuation.resume(with: $0.mapError(\.asUserNotificationsError))
            }
        }
    }

    private func setBadge(
        _ count: Int, completion: @escaping @Sendable (Result<Void, NotificationError>) -> Void
    ) {
        perform(
            stores: true,
            { connected throws(NotificationError) in
                try await connected.service.setBadge(count, of: connected.application)
            }, completion: completion)
    }
}
