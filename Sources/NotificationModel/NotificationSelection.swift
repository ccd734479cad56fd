/// Which notifications of an app a removal means.
public enum NotificationSelection: Hashable, Sendable {
    /// Those of these identifiers; unknown ones are ignored.
    case identifiers([String])
    /// All.
    case all
}
