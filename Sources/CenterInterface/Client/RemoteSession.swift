internal import DesktopBus
internal import NotificationModel

/// A session as the client knows it.
struct RemoteSession {
    var identity: ApplicationIdentity
    var sessionOptions: ApplicationIntroduction.SessionOptions
    let listener: @Sendable (ServiceEvent) -> Void
    /// Whether the session's first `Connect` has no answer yet.
    ///
    /// If the daemon ends before it answers, the call is repeated, so `registerAgain` skips the
    /// session.
    var isConnecting = true
    /// The responses that were passed on but not acknowledged.
    ///
    /// The key is the number of a response, the value is the date of its notification. A new daemon
    /// sends these responses again, but the app must not get them twice. The number alone does not
    /// identify a response: the new daemon may have another store with the same number.
    var open: [Int64: Instant] = [:]
    /// The tokens of the pushed notifications that the app's service extension works on.
    var extending: Set<ExtensionToken> = []
}
