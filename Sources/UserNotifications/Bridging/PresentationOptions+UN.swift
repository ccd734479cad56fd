internal import NotificationModel

extension PresentationOptions {
    /// The model's options, Apple's old name for two of them resolved.
    init(_ options: UNNotificationPresentationOptions) {
        self.init(rawValue: options.rawValue)
        if remove(.alert) != nil { formUnion([.list, .banner]) }
    }
}

extension UNNotificationPresentationOptions {
    /// What an app gets that does not decide: the notification is shown.
    static let all: UNNotificationPresentationOptions = [.badge, .sound, .list, .banner]
}
