internal import DesktopBus
internal import NotificationModel

/// A session as the client knows it.
struct RemoteSession {
    var identity: ApplicationIdentity
    var sessionOptions: ApplicationIntroduction.SessionOptions
    let listener: @Sendable (ServiceEvent) -> Void
    /// Whether the session's first `Connect` has no answer yet.
    ///
    /// If the daemon is replaced meanwhile, that call is repeated, so `introduceAll` skips the
    /// session.
    var isConnecting = true
    /// The responses that were passed on but not acknowledged.
    ///
    /// A new daemon sends them again, but the app must not get them twice.
    var open: Set<Int64> = []
    /// The tokens of the pushed notifications that the app's service extension works on.
    var extending: Set<ExtensionToken> = []
}
