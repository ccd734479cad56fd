/// What a watcher hears: that something has changed, without the content of any notification.
public enum ServiceChange: Hashable, Sendable {
    /// These lists of an app are others than before; of any app where it is nil.
    case lists(ApplicationID?, ChangedLists)
    /// A person answered a notification, or dismissed one whose app hears of that.
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

    /// What waits.
    public static let pending = ChangedLists(rawValue: 1)
    /// What was delivered.
    public static let delivered = ChangedLists(rawValue: 2)
}
