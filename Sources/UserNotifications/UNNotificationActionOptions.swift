/// What pressing a button does.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Needs an unlocked session.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// Destroys something.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// Brings the app to the front.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}
