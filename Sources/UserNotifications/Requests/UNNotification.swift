internal import NotificationModel

/// A delivered notification.
open class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The time of the delivery.
    open var date: Date { storedDate }
    /// The request that fired.
    open var request: UNNotificationRequest { storedRequest }

    private let storedDate: Date
    private let storedRequest: UNNotificationRequest

    init(date: Date, request: UNNotificationRequest) {
        storedDate = date
        storedRequest = request
    }

    /// Returns this notification, because it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the object is a notification with equal values.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotification else { return false }
        return other.date == date && other.request == request
    }

    /// A hash of the date and the request.
    open override var hash: Int { date.hashValue ^ request.hash }

    /// The class, the address and the values.
    open override var description: String { describe([("date", date), ("request", request)]) }

    /// A notification can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a notification from an archive: the keys are `date` and `request`.
    ///
    /// If the archive has no date, the date is `.distantPast`. Tests of apps often make a
    /// notification with a coder that has only the request.
    public required init?(coder: NSCoder) {
        guard let request = coder.object(UNNotificationRequest.self, "request") else { return nil }
        storedDate = coder.date("date") ?? .distantPast
        storedRequest = request
    }

    /// Writes the notification into an archive.
    open func encode(with coder: NSCoder) {
        coder.encode(date as NSDate, forKey: "date")
        coder.encode(request, forKey: "request")
    }
}
