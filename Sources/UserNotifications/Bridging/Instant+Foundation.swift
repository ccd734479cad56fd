internal import NotificationModel

extension Date {
    init(_ instant: Instant) {
        self.init(timeIntervalSince1970: instant.secondsSince1970)
    }
}
