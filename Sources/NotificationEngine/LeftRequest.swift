public import NotificationModel

/// A request that was left for the notification centre while none could be reached.
public struct LeftRequest: Sendable {
    /// Names it once and for all: what was taken under a mark is not taken again.
    public var mark: String
    /// When it was left; its dates count from there.
    public var date: Instant
    /// The request and the files of its attachments.
    public var item: RequestWithFiles

    /// Makes one.
    public init(mark: String, date: Instant, item: RequestWithFiles) {
        self.mark = mark
        self.date = date
        self.item = item
    }
}
