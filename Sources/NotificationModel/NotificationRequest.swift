/// A notification that is to be shown, now or when its trigger fires.
public struct NotificationRequest: Hashable, Sendable {
    /// Unique within the app: a request replaces the pending one of the same identifier.
    public var identifier: String
    /// What to show.
    public var content: NotificationContent
    /// When; nil for now.
    public var trigger: NotificationTrigger?
    /// What becomes of a date that was missed.
    public var catchUp = CatchUp.once
    /// How late it may still be shown, in seconds; nil for any time, or `CatchUp.tolerance` where
    /// what was missed is skipped.
    public var grace: Double?

    /// Makes a request.
    public init(
        identifier: String, content: NotificationContent, trigger: NotificationTrigger? = nil
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }

    /// How late it may be shown, in microseconds; nil for any time.
    public var patience: Int64? {
        guard let seconds = grace ?? (catchUp == .skip ? CatchUp.tolerance : nil) else {
            return nil
        }
        // What does not fit is longer than any clock counts.
        return Int64(microsecondsOfSeconds: seconds)
    }
}
