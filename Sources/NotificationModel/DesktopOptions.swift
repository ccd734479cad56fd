/// What a caller that knows the freedesktop interface asks of it directly.
///
/// Source: Desktop Notifications Specification 1.2, "Hints" and "Notify".
public struct DesktopOptions: Hashable, Sendable {
    /// A hint of a basic type.
    public enum Hint: Hashable, Sendable {
        /// Type `b`.
        case boolean(Bool)
        /// Type `y`.
        case byte(UInt8)
        /// Type `i`.
        case integer(Int32)
        /// Type `d`.
        case double(Double)
        /// Type `s`.
        case string(String)
    }

    /// The icon, a theme name or path, in place of the app's.
    public var icon: String?
    /// Milliseconds until the popup leaves: -1 as the server likes, 0 never, nil as we decide.
    public var expireTimeout: Int32?
    /// The freedesktop category, `email.arrived`.
    public var category: String?
    /// The urgency 0, 1 or 2 in place of the one that the interruption level gives.
    public var urgency: UInt8?
    /// Whether the server should not keep it after the popup.
    public var isTransient = false
    /// Whether the request is refused where nothing can show it now, rather than kept until then.
    public var requiresServer = false
    /// Whether a click on the notification itself does something; nil where that is not known.
    ///
    /// Where it does nothing, no server is to draw a button for it.
    public var offersClick: Bool?
    /// Further hints by name; a name that we set ourselves is replaced.
    public var hints: [String: Hint] = [:]

    /// Makes options that ask for nothing.
    public init() {}
}
