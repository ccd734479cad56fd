import UserNotifications

/// Wraps the notification centre for an app, in a few async methods with their own error type.
final class NotificationManager: Sendable {
    /// Why nothing was scheduled, in words for the user.
    enum NotificationError: LocalizedError {
        case notPermitted
        case repeatsTooOften(TimeInterval)

        var errorDescription: String? {
            switch self {
            case .notPermitted:
                NSLocalizedString("You have not allowed this app to notify you.", comment: "")
            case .repeatsTooOften(let seconds):
                String(
                    format: NSLocalizedString(
                        "Every %.0f seconds is too often: repeat at most every 60 seconds.",
                        comment: ""),
                    seconds)
            }
        }
    }

    static let shared = NotificationManager()

    private let center = UNUserNotificationCenter.current()

    private init() {}

    func permission() async -> UNAuthorizationStatus {
        await center.notificationSettings().authorizationStatus
    }

    /// Asks the user for permission; throws `notPermitted` if the user refuses.
    ///
    /// The centre asks only until the user has decided. Later calls return the user's decision.
    func requestPermission() async throws {
        guard try await center.requestAuthorization(options: [.alert, .sound, .badge]) else {
            throw NotificationError.notPermitted
        }
    }

    /// Notifies after this many seconds, once or repeatedly, and returns the request's identifier.
    func notify(
        after seconds: TimeInterval, repeats: Bool = false, title: String, body: String,
        id: String = UUID().uuidString, userInfo: [AnyHashable: Any] = [:]
    ) async throws -> String {
        if repeats, seconds < 60 { throw NotificationError.repeatsTooOften(seconds) }
        let content = content(title)
        content.body = body
        content.userInfo = userInfo
        try await add(
            id, content,
            UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats))
        return id
    }

    /// Notifies in the minute of this date, and returns the request's identifier.
    func notify(
        at date: Date, title: String, subtitle: String, id: String = UUID().uuidString
    ) async throws -> String {
        let content = content(title)
        content.subtitle = subtitle
        let minute = Calendar(identifier: .gregorian)
            .dateComponents([.year, .month, .day, .hour, .minute], from: date)
        try await add(
            id, content, UNCalendarNotificationTrigger(dateMatching: minute, repeats: false))
        return id
    }

    func scheduled() async -> [UNNotificationRequest] {
        await center.pendingNotificationRequests()
    }

    func remove(_ id: String) {
        center.removePendingNotificationRequests(withIdentifiers: [id])
    }

    private func content(_ title: String) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = title
        content.sound = .default
        content.badge = 1
        return content
    }

    private func add(
        _ id: String, _ content: UNNotificationContent, _ trigger: UNNotificationTrigger
    ) async throws {
        if await permission() != .authorized { try await requestPermission() }
        try await center.add(
            UNNotificationRequest(identifier: id, content: content, trigger: trigger))
    }
}
