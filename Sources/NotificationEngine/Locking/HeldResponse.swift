import NotificationModel

/// A response that is stored, and goes to its app when the session is unlocked.
struct HeldResponse: Hashable, Sendable {
    /// The response.
    var id: Int64
    /// What was answered.
    var key: NotificationKey
}
