enum PortalIcon: Hashable, Sendable {
    /// An icon of the theme.
    case themed(String)
    /// The file at this path.
    case file(String)
    /// A PNG file's bytes.
    case png([UInt8])
}
