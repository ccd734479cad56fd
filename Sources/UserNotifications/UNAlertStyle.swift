/// How alerts of an app are shown.
@nonexhaustive(warn)
public enum UNAlertStyle: Int, Sendable {
    /// Alerts are not shown.
    case none = 0
    /// Alerts leave by themselves.
    case banner = 1
    /// Alerts stay until they are answered.
    case alert = 2
}
