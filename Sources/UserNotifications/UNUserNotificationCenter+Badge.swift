internal import NotificationModel

extension UNUserNotificationCenter {
    /// Sets the number on the app's icon; this version cannot, and says so.
    ///
    /// The handler gets `UNError.badgeInputInvalid` for a negative number, and otherwise
    /// ``UNServiceError`` with the code `notSupported`: no badge is shown.
    @preconcurrency
    public func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let error = Self.badgeError(newBadgeCount)
        handlers.run { completionHandler?(error) }
    }

    /// Sets the number on the app's icon; this version cannot, and says so.
    ///
    /// Throws what ``setBadgeCount(_:withCompletionHandler:)`` gives its handler.
    public func setBadgeCount(_ newBadgeCount: Int) async throws {
        throw Self.badgeError(newBadgeCount)
    }

    private static func badgeError(_ count: Int) -> any Error {
        guard count >= 0 else {
            return UNError(
                .badgeInputInvalid,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The badge count \(count) cannot be set: a badge is a number from 0, which "
                        + "removes it."
                ])
        }
        return UNServiceError(
            .notSupported,
            "The badge count \(count) was not set: this version shows no badges. Put the number "
                + "into the notification's text.")
    }
}
