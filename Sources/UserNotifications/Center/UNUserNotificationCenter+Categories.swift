internal import Dispatch
internal import NotificationModel
internal import Reactor

extension UNUserNotificationCenter {
    /// Replaces the whole set of the app's categories; call this method at each start.
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let values = categories.map(\.value).sorted { $0.identifier < $1.identifier }
        store("Setting the categories") { connected throws(NotificationError) in
            try await connected.service.setCategories(values, of: connected.application)
        }
    }

    /// Gives the handler the app's categories.
    @preconcurrency
    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        get(Self.categories, completion: completionHandler)
    }

    /// The app's categories.
    public func notificationCategories() async -> Set<UNNotificationCategory> {
        await get(Self.categories)
    }

    private static var categories: Read<Set<UNNotificationCategory>> {
        Read(purpose: "Listing the categories", empty: []) {
            connected throws(NotificationError) in
            let values = try await connected.service.categories(of: connected.application)
            return Set(values.map(UNNotificationCategory.init(value:)))
        }
    }
}

extension UNUserNotificationCenter {
    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// On Linux a dock or task bar draws the number if the app has a desktop file.
    /// ``UNNotificationSettings/badgeSetting`` says whether the number is drawn. The handler gets
    /// `UNError.badgeInputInvalid` for a negative number. It gets `UNError.notificationsNotAllowed`
    /// if the user has not allowed badges.
    @preconcurrency
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        call(badge(newBadgeCount)) { _, error in completionHandler?(error) }
    }

    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// - Throws: The error that ``setBadgeCount(_:withCompletionHandler:)`` gives its handler.
    public func setBadgeCount(_ newBadgeCount: Int) async throws {
        try await call(badge(newBadgeCount))
    }

    private func badge(_ count: Int) -> Work<Void> {
        if count >= 0 { knownBadge.withLock { $0 = count } }
        return { connected throws(NotificationError) in
            try await connected.service.setBadge(count, of: connected.application)
        }
    }

    /// The number on the app's icon, for UIKit, whose property cannot be `async`.
    ///
    /// This method blocks until the centre has answered, at most for a second. Without an answer,
    /// the result is the last number that this process has set or read.
    package func currentBadgeCount() -> Int {
        let work: Work<Int> = { connected throws(NotificationError) in
            try await connected.service.badge(of: connected.application)
        }
        let isAnswered = DispatchSemaphore(value: 0)
        perform(stores: false, work) { [knownBadge] result in
            if case .success(let count) = result { knownBadge.withLock { $0 = count } }
            isAnswered.signal()
        }
        delays.schedule(.seconds(1)) { isAnswered.signal() }
        isAnswered.wait()
        return knownBadge.withLock(\.self)
    }
}
