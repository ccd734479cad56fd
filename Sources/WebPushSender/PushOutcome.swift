/// The result of sending a message to one subscription.
public enum PushOutcome: Hashable, Sendable {
    /// The push service has the message, and delivers it within its time to live.
    case accepted
    /// The subscription has ended (HTTP 404 or 410), so delete it.
    case gone
    /// The payload is too large for Web Push, or for this push service (HTTP 413).
    case tooLarge
    /// The push service refused the message, and will refuse it again.
    ///
    /// HTTP 401 and 403 mean that the subscription belongs to another server key.
    case refused(status: Int, reason: String)
    /// The push service asks for a longer pause than the sender waits.
    case postponed(Duration)
    /// The last attempt got no answer or a temporary error, or the task was cancelled.
    case failed(String)
    /// The subscription or the message cannot be used; the text says why.
    case unusable(String)
}
