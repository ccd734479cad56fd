/// An event from the notification centre to a connected app.
public enum ServiceEvent: Hashable, Sendable {
    /// The user responded to a notification; acknowledge the response when the app has processed
    /// it.
    case response(NotificationResponse)
    /// The app decides how this notification is shown, and answers with the token within 3 seconds.
    ///
    /// Without an answer, the notification goes into the list and gets no popup.
    case willPresent(PresentationToken, DeliveredNotification)
    /// The app's service extension may change a pushed notification; the app returns the result
    /// with the token within 30 seconds.
    case extend(ExtensionToken, NotificationRequest, of: ApplicationID)
    /// The time for the change is over; a result within the next 2 seconds is still used.
    case extensionWillExpire(ExtensionToken)
    /// The user opened the app's own notification settings from this notification.
    case openSettings(DeliveredNotification)
    /// The user cannot respond to a notification any more.
    ///
    /// The event has one of these reasons:
    /// - The server closed the popup. A popup that moves into the server's list is not closed.
    /// - The server ended, and it keeps no list.
    /// - The notification could not be shown.
    /// - A call removed the notification or its pending request.
    ///
    /// Only sessions that wait for the notification's identifier get this event.
    case popupLeft(NotificationKey)
    /// A remote notification with `content-available` has arrived; the bytes are its payload as
    /// JSON.
    case pushReceived([UInt8], of: ApplicationID)
    /// The app's registration for remote notifications has changed; the bytes are the new
    /// subscription as JSON.
    ///
    /// The subscription is nil if the distributor has ended the registration.
    case subscriptionChanged([UInt8]?, of: ApplicationID)
}

/// A number that names one thing; `Kind` keeps tokens of different things apart.
public struct Token<Kind>: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Makes a token of its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Names one question to an app about how to show a notification.
public typealias PresentationToken = Token<PresentationOptions>

/// Names one notification that a service extension works on.
public typealias ExtensionToken = Token<ExtendedContent>

/// Names one connection of one app to the notification centre.
public typealias ServiceSession = Token<ServiceEvent>

/// An event for a watcher: something changed, without the content of any notification.
public enum ServiceChange: Hashable, Sendable {
    /// These lists of an app changed; nil stands for any app.
    case lists(ApplicationID?, ChangedLists)
    /// The user responded to a notification, or dismissed a notification whose app gets dismissals.
    case answer(NotificationKey, NotificationResponse.Action)
}

/// The lists of an app.
public struct ChangedLists: OptionSet, Hashable, Sendable {
    /// One bit for each list.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The pending requests.
    public static let pending = ChangedLists(rawValue: 1)
    /// The delivered notifications.
    public static let delivered = ChangedLists(rawValue: 2)
}
