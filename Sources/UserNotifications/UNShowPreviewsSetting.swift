/// When a notification's text is shown.
@nonexhaustive(warn)
public enum UNShowPreviewsSetting: Int, Sendable {
    /// Even while the screen is locked.
    case always = 0
    /// Only while the session is unlocked, as the desktop's screen saver or logind says.
    case whenAuthenticated = 1
    /// Never.
    case never = 2
}
