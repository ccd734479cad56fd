/// Whether an app may schedule and receive notifications.
@nonexhaustive(warn)
public enum UNAuthorizationStatus: Int, Sendable {
    /// The person has not been asked yet.
    case notDetermined = 0
    /// The app may not.
    case denied = 1
    /// The app may.
    case authorized = 2
    /// The app may, quietly and until further notice.
    case provisional = 3
    /// The app may for a limited time.
    case ephemeral = 4
}
