/// A notification to show, now or when its trigger fires.
public struct NotificationRequest: Hashable, Sendable {
    /// Unique within the app: a request replaces the pending one with the same identifier.
    public var identifier: String
    /// The content to show.
    public var content: NotificationContent
    /// The condition on which it is shown; nil for now.
    public var trigger: NotificationTrigger?
    /// The treatment of a missed date.
    public var catchUp = CatchUp.once
    /// How late it may still be shown, in seconds; nil for any time.
    ///
    /// If missed dates are skipped, nil means `CatchUp.tolerance`.
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
    public var maximumLateness: Int64? {
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
    /// It is not shown; a repeating request continues with its next date.
    case skip

    /// The lateness up to which `skip` still counts a date as punctual, in seconds.
    public static let tolerance = 60.0
}

/// A request and the open files of its attachments.
public struct RequestWithFiles: Sendable {
    /// The most requests that one call may add.
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
