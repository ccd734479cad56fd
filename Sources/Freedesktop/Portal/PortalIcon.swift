/// The one image of a notification in the portal.
enum PortalIcon: Hashable, Sendable {
    /// An icon of the theme.
    case themed(String)
    /// The file at this path.
    case file(String)
    /// A PNG file's bytes.
    case png([UInt8])
}
