internal import NotificationModel

/// The one picture of a notification of the portal.
enum PortalIcon: Hashable, Sendable {
    /// An icon of the theme.
    case themed(String)
    /// The file at this path.
    case file(String)
    /// What was decoded before.
    case pixels(Picture)
}
