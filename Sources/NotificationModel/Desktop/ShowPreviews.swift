/// When the texts of an app's notifications are shown; raw values are Apple's.
public enum ShowPreviews: Int, Hashable, Sendable, CaseIterable {
    /// Always.
    case always = 0
    /// While the session is not locked.
    case whenAuthenticated = 1
    /// Never.
    case never = 2
}
