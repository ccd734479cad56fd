/// What a person decides about an app without having been asked by it.
public enum PermissionDecision: String, Hashable, Sendable, CaseIterable {
    /// The app may notify.
    case allow
    /// The app may not notify.
    case deny
    /// The app is to ask again.
    case reset
}
