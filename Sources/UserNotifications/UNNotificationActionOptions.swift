/// What pressing a button does.
public struct UNNotificationActionOptions: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Makes options of Apple's bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Needs an unlocked session: an answer that comes while it is locked waits for the unlocking.
    ///
    /// Linux has no question for the password of its own here; who unlocks the session does it at its
    /// lock screen, and then the app gets the answer.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
    /// Destroys something.
    public static let destructive = UNNotificationActionOptions(rawValue: 2)
    /// Brings the app to the front.
    public static let foreground = UNNotificationActionOptions(rawValue: 4)
}
