/// An event from the notification centre to a connected app.
public enum ServiceEvent: Sendable {
    /// The user answered a notification; acknowledge it when the app is done with it.
    case response(NotificationResponse)
    /// A notification is about to be shown; answer with the token within 3 seconds, or it
    /// goes into the list without a popup.
    case willPresent(PresentationToken, DeliveredNotification)
    /// A pushed notification may be changed; give the result with the token within 30 seconds.
    case extend(ExtensionToken, NotificationRequest, of: ApplicationID)
    /// The time for that is over; what is given at once still counts.
    case extensionWillExpire(ExtensionToken)
    /// The user wants the app's own notification settings, led there by this notification.
    case openSettings(DeliveredNotification)
    /// A popup left the screen without an answer, and its server keeps no list in which it could
    /// still be clicked; told to those sessions only that wait for its identifier.
    case left(NotificationKey)
}

/// A number that names one thing of its kind.
public struct Token<Kind>: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Makes a token of its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// Names one question whether a notification may be shown.
public typealias PresentationToken = Token<PresentationOptions>

/// Names one notification that a service extension works on.
public typealias ExtensionToken = Token<ExtendedContent>

/// Names one connection of one app to the notification centre.
public typealias ServiceSession = Token<ServiceEvent>

/// An event to a watcher: something has changed, without the content of any notification.
public enum ServiceChange: Hashable, Sendable {
    /// These lists of an app are others than before; of any app where it is nil.
    case lists(ApplicationID?, ChangedLists)
    /// The user answered a notification, or dismissed one whose app hears of that.
    case answer(NotificationKey, NotificationResponse.Action)
}

/// The lists of an app.
public struct ChangedLists: OptionSet, Hashable, Sendable {
    /// One bit for each list.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The pending requests.
    public static let pending = ChangedLists(rawValue: 1)
    /// The delivered notifications.
    public static let delivered = ChangedLists(rawValue: 2)
}
