/// The state of one notification setting.
@nonexhaustive(warn)
public enum UNNotificationSetting: Int, Sendable {
    /// The desktop or the app does not have it.
    case notSupported = 0
    /// It is off.
    case disabled = 1
    /// It is on.
    case enabled = 2
}
