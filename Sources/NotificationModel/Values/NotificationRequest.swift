/// A notification to show, now or when its trigger fires.
public struct NotificationRequest: Hashable, Sendable {
    /// The identifier within the app: a request replaces a pending request with the same
    /// identifier.
    public var identifier: String
    /// The content to show.
    public var content: NotificationContent {
        @inlinable get { sharedContent.value }
        @inlinable set { sharedContent = Shared(newValue) }
    }
    /// The content; the copies of the request share it.
    @usableFromInline var sharedContent: Shared<NotificationContent>
    /// The condition that fires the request; nil to show the notification at once.
    public var trigger: NotificationTrigger?
    /// The treatment of a missed date.
    public var catchUp = CatchUp.once
    /// The maximum lateness in seconds; a notification that is later is not shown.
    ///
    /// Nil means `CatchUp.tolerance` if `catchUp` is `skip`, and no maximum if it is `once`.
    public var grace: Double?

    /// Makes a request.
    public init(
        identifier: String, content: NotificationContent, trigger: NotificationTrigger? = nil
    ) {
        self.identifier = identifier
        sharedContent = Shared(content)
        self.trigger = trigger
    }

    /// The maximum lateness in microseconds, by `grace` and `catchUp`; nil for no maximum.
    public var maximumLateness: Int64? {
        guard let seconds = grace ?? (catchUp == .skip ? CatchUp.tolerance : nil) else {
            return nil
        }
        // The initializer clamps a value that does not fit; no clock reaches the clamped value.
        return Int64(microsecondsOfSeconds: seconds)
    }
}

/// The treatment of a missed date.
///
/// A date is missed if the machine is off or asleep, or no server can show the notification.
public enum CatchUp: String, Hashable, Sendable, CaseIterable {
    /// The notification is shown late, once. Several missed dates of one request give one
    /// notification.
    case once
    /// The notification is not shown. A repeating request continues with its next date.
    case skip

    /// The maximum lateness in seconds of a request with `skip` and without `grace`.
    public static let tolerance = 60.0
}

/// A request to add, and the open files of its attachments.
public struct RequestWithFiles: Sendable {
    /// The most requests that one call may add.
    public static let limit = Limits.requestsOfCall.most

    /// The request with content and trigger.
    public var request: NotificationRequest
    /// The files, one for each attachment of the content, in the same order.
    public var files: [OpenFile]
    /// The date at which the request fires first; nil for the first date of its trigger.
    ///
    /// An imported request that was skipped or snoozed before its export continues with this date.
    /// The date is ignored if the request is immediate or has a region. It is also ignored if it is
    /// not later than the first date of the trigger.
    public var nextFire: Instant?

    /// Makes an addition.
    public init(
        _ request: NotificationRequest, files: [OpenFile] = [], nextFire: Instant? = nil
    ) {
        self.request = request
        self.files = files
        self.nextFire = nextFire
    }
}
