import Foundation
import UserNotifications

struct Meeting: Codable, Hashable, Identifiable {
    let id: UUID
    var title: String
    var room: String
    var start: Date
    var attendees: [String]
}

final class NotificationService: NSObject, ObservableObjectLike {

    static let shared = NotificationService()

    enum Category {
        static let invitation = "MEETING_INVITATION"
        static let reminder = "MEETING_REMINDER"
    }

    private let center: UNUserNotificationCenter
    private let calendar: Calendar
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    /// Every answer, as a stream that the app reads in its own task.
    let responses: AsyncStream<Reply>
    private let continuation: AsyncStream<Reply>.Continuation

    enum Reply: Equatable {
        case accepted(UUID)
        case declined(UUID, reason: String?)
        case opened(UUID)
        case dismissed(UUID)
    }

    init(
        center: UNUserNotificationCenter = .current(),
        calendar: Calendar = .autoupdatingCurrent
    ) {
        self.center = center
        self.calendar = calendar
        (responses, continuation) = AsyncStream.makeStream(of: Reply.self)
        super.init()
        center.delegate = self
    }

    // MARK: Authorization

    var authorizationStatus: UNAuthorizationStatus {
        get async { await center.notificationSettings().authorizationStatus }
    }

    @discardableResult
    func requestAuthorization() async throws -> Bool {
        let settings = await center.notificationSettings()
        switch settings.authorizationStatus {
        case .notDetermined:
            return try await center.requestAuthorization(options: [
                .alert, .sound, .badge, .providesAppNotificationSettings,
            ])
        case .denied:
            throw NotificationError.notAuthorized
        case .authorized, .provisional, .ephemeral:
            return true
        @unknown default:
            return false
        }
    }

    // MARK: Categories

    func registerCategories() async {
        let accept = UNNotificationAction(
            identifier: "ACCEPT", title: "Accept", options: UNNotificationActionOptions(rawValue: 0)
        )
        let decline = UNTextInputNotificationAction(
            identifier: "DECLINE", title: "Decline", options: [.destructive],
            textInputButtonTitle: "Send", textInputPlaceholder: "Reason")
        let invitation = UNNotificationCategory(
            identifier: Category.invitation, actions: [accept, decline], intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "%u invitations", categorySummaryFormat: nil,
            options: .customDismissAction)
        let reminder = UNNotificationCategory(
            identifier: Category.reminder, actions: [], intentIdentifiers: [], options: [])
        var categories = await center.notificationCategories()
        categories.formUnion([invitation, reminder])
        center.setNotificationCategories(categories)
    }

    // MARK: Scheduling

    func invite(to meeting: Meeting) async throws {
        let content = try content(for: meeting, category: Category.invitation)
        content.body = "\(meeting.attendees.joined(separator: ", ")) in \(meeting.room)"
        try await add(identifier: "invitation-\(meeting.id)", content: content, trigger: nil)
    }

    func remind(of meeting: Meeting, minutesBefore minutes: Int) async throws {
        guard let date = calendar.date(byAdding: .minute, value: -minutes, to: meeting.start),
            date > Date()
        else { throw NotificationError.dateInPast }
        let content = try content(for: meeting, category: Category.reminder)
        content.body = "In \(minutes) minutes, \(meeting.room)"
        if #available(iOS 15, macOS 12, *) {
            content.interruptionLevel = minutes < 5 ? .timeSensitive : .active
        }
        let components = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: date)
        try await add(
            identifier: "reminder-\(meeting.id)-\(minutes)", content: content,
            trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: false))
    }

    func remindWeekly(of meeting: Meeting) async throws {
        var components = calendar.dateComponents([.weekday, .hour, .minute], from: meeting.start)
        components.timeZone = TimeZone(identifier: "Europe/Berlin")
        try await add(
            identifier: "weekly-\(meeting.id)",
            content: try content(for: meeting, category: Category.reminder),
            trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: true))
    }

    func snooze(_ meeting: Meeting, for interval: TimeInterval) async throws {
        try await add(
            identifier: "snooze-\(meeting.id)",
            content: try content(for: meeting, category: Category.reminder),
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: false))
    }

    private func content(
        for meeting: Meeting, category: String
    ) throws -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = meeting.title
        content.sound = .default
        content.categoryIdentifier = category
        content.threadIdentifier = meeting.room
        content.targetContentIdentifier = "meeting"
        content.userInfo = ["meeting": try encoder.encode(meeting)]
        return content
    }

    private func add(
        identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
    ) async throws {
        let request = UNNotificationRequest(
            identifier: identifier, content: content, trigger: trigger)
        do {
            try await center.add(request)
        } catch UNError.notificationsNotAllowed {
            throw NotificationError.notAuthorized
        } catch let error as UNError where error.code == .notificationInvalidNoDate {
            throw NotificationError.dateInPast
        } catch {
            throw NotificationError.scheduling(error.localizedDescription)
        }
    }

    // MARK: Reading

    func pendingMeetings() async -> [Meeting] {
        await center.pendingNotificationRequests().compactMap { meeting(of: $0) }
    }

    func pendingIdentifiers() async -> Set<String> {
        Set(await center.pendingNotificationRequests().map(\.identifier))
    }

    func deliveredCount() async -> Int {
        await center.deliveredNotifications().count
    }

    func cancel(_ meeting: Meeting) async {
        let identifiers = await pendingIdentifiers().filter {
            $0.hasSuffix("\(meeting.id)") || $0.contains("\(meeting.id)-")
        }
        center.removePendingNotificationRequests(withIdentifiers: Array(identifiers))
        center.removeDeliveredNotifications(withIdentifiers: Array(identifiers))
    }

    func meeting(of request: UNNotificationRequest) -> Meeting? {
        guard let data = request.content.userInfo["meeting"] as? Data else { return nil }
        return try? decoder.decode(Meeting.self, from: data)
    }

    func setBadge(_ count: Int) async {
        guard #available(iOS 16, macOS 13, *) else { return }
        do {
            try await center.setBadgeCount(count)
        } catch {
            print("badge: \((error as NSError).domain)")
        }
    }
}

// MARK: - UNUserNotificationCenterDelegate

extension NotificationService: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        guard #available(iOS 14, macOS 11, *) else { return [.alert, .sound] }
        return [.banner, .list, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        guard let meeting = meeting(of: response.notification.request) else { return }
        switch response.actionIdentifier {
        case "ACCEPT":
            continuation.yield(.accepted(meeting.id))
        case "DECLINE":
            let text = (response as? UNTextInputNotificationResponse)?.userText
            continuation.yield(.declined(meeting.id, reason: text))
        case UNNotificationDefaultActionIdentifier:
            continuation.yield(.opened(meeting.id))
        case UNNotificationDismissActionIdentifier:
            continuation.yield(.dismissed(meeting.id))
        default:
            print("unknown action \(response.actionIdentifier)")
        }
    }
}

// Linux has no Combine, so this protocol stands in for the app's `ObservableObject`.
protocol ObservableObjectLike: AnyObject {}
