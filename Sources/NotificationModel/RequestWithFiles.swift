/// A request and the open files of its attachments.
public struct RequestWithFiles: Sendable {
    /// How many may be added in one call.
    public static let limit = Limits.requestsOfCall.most

    /// What to show, and when.
    public var request: NotificationRequest
    /// One for each attachment of the content, in the same order.
    public var files: [OpenFile]

    /// Makes the pair.
    public init(_ request: NotificationRequest, files: [OpenFile] = []) {
        self.request = request
        self.files = files
    }
}
