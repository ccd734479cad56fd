/// What a connected app hears from the notification centre.
public enum ServiceEvent: Sendable {
    /// A person answered a notification; acknowledge it when the app is done with it.
    case response(NotificationResponse)
    /// A notification is about to be shown; answer with the token within 3 seconds, or it
    /// goes into the list without a popup.
    case willPresent(PresentationToken, DeliveredNotification)
    /// A pushed notification may be changed; give the result with the token within 30 seconds.
    case extend(ExtensionToken, NotificationRequest, of: ApplicationID)
    /// The time for that is over; what is given at once still counts.
    case extensionWillExpire(ExtensionToken)
    /// A person wants the app's own notification settings, led there by this notification.
    case openSettings(DeliveredNotification)
    /// A popup left the screen without an answer, and its server keeps no list in which it could
    /// still be clicked; told to those sessions only that wait for its identifier.
    case left(NotificationKey)
}

/// Names one question whether a notification may be shown.
public struct PresentationToken: RawRepresentable, Hashable, Sendable {
    /// The number of the question.
    public let rawValue: UInt64

    /// Makes a token of its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
