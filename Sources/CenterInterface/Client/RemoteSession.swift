internal import DesktopBus
internal import NotificationModel

/// A session as this side of the bus knows it.
struct RemoteSession {
    var identity: ApplicationIdentity
    var sessionOptions: ApplicationIntroduction.SessionOptions
    let listener: @Sendable (ServiceEvent) -> Void
    /// Whether its first `Connect` has no answer yet; that call is repeated for a new daemon
    /// anyway.
    var isConnecting = true
    /// Responses that were passed on and are not acknowledged: a new daemon sends them again.
    var open: Set<Int64> = []
    /// Pushed notifications that its service extension works on.
    var extending: Set<ExtensionToken> = []
}
