/// A notification that is to be shown, now or when its trigger fires.
public struct NotificationRequest: Hashable, Sendable {
    /// Unique within the app: a request replaces the pending one of the same identifier.
    public var identifier: String
    /// The content to show.
    public var content: NotificationContent
    /// When; nil for now.
    public var trigger: NotificationTrigger?
    /// The treatment of a missed date.
    public var catchUp = CatchUp.once
    /// How late it may still be shown, in seconds; nil for any time, or `CatchUp.tolerance` where
    /// missed dates are skipped.
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
        // A value that does not fit is longer than any clock counts.
        return Int64(microsecondsOfSeconds: seconds)
    }
}

/// The treatment of a missed date: the machine was off or asleep, or nothing could show it.
public enum CatchUp: String, Hashable, Sendable, CaseIterable {
    /// It is shown late, once; several missed dates of one request merge into one.
    case once
    /// It is not shown; a request that repeats goes on with its next date.
    case skip

    /// The longest that `skip` still takes for punctual, in seconds.
    public static let tolerance = 60.0
}

/// A request and the open files of its attachments.
public struct RequestWithFiles: Sendable {
    /// How many may be added in one call.
    public static let limit = Limits.requestsOfCall.most

    /// The request with content and trigger.
    public var request: NotificationRequest
    /// One for each attachment of the content, in the same order.
    public var files: [OpenFile]

    /// Makes the pair.
    public init(_ request: NotificationRequest, files: [OpenFile] = []) {
        self.request = request
        self.files = files
    }
}
