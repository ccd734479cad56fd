import UserNotifications

/// Follows an article about daily notifications.
///
/// Every day the program notifies ten times, at 12:34 and once a minute after that, until the user
/// stops the notifications of that day. Each notification has three kinds of buttons.
///
///     DailyMinutes [START [COUNT [STEP]]]     12:34 10 60
///
/// START is a time of day, or `soon` for three seconds from now. COUNT is the number of
/// notifications a day. STEP is the number of seconds between two notifications. "Got it" brings
/// the app to the front, stops the notifications of today, and ends the program. A click on a
/// notification does the same. "Unlock" needs an unlocked session. "Skip" is destructive, and
/// concerns only one notification.
@main
struct DailyMinutes {
    /// The number of days that are scheduled ahead.
    ///
    /// Each start of the app adds the missing days.
    private static let days = 7
    /// The user-defaults key of a date; the user wants no notification before this date.
    private static let silence = "silentUntil"

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard Self.series(arguments) != nil else {
            print("usage: DailyMinutes [HH:MM|soon [COUNT [STEP]]]")
            exit(64)
        }
        let center = UNUserNotificationCenter.current()
        let delegate = AnswerDelegate()
        center.delegate = delegate
        center.setNotificationCategories([AnswerDelegate.category])
        do {
            guard try await center.requestAuthorization(options: [.alert, .badge, .sound]) else {
                print("Notifications are not allowed.")
                exit(77)
            }
            // Read the times again, because the user's decision may have taken a while.
            if let series = Self.series(arguments) { try await schedule(series) }
        } catch {
            print("Not scheduled: \(error.localizedDescription)")
            exit(1)
        }
        for await action in delegate.answers.stream {
            print("Answered: \(action)")
            if action == "got-it" || action == UNNotificationDefaultActionIdentifier { break }
        }
        await silenceToday()
        withExtendedLifetime(delegate) {}
    }

    private static func series(_ arguments: [String]) -> DailySeries? {
        let numbers = arguments.dropFirst().map { Int($0) ?? 0 }
        guard let start = start(arguments.first ?? "12:34"), numbers.count <= 2,
            numbers.allSatisfy({ $0 > 0 })
        else { return nil }
        return DailySeries(
            start: start, count: numbers.first ?? 10, step: numbers.dropFirst().first ?? 60)
    }

    private static func start(_ text: String) -> DateComponents? {
        if text == "soon" {
            return Calendar.current.dateComponents(
                [.hour, .minute, .second], from: Date(timeIntervalSinceNow: 3))
        }
        let clock = text.split(separator: ":").compactMap { Int($0) }
        guard clock.count == 2, 0..<24 ~= clock[0], 0..<60 ~= clock[1] else { return nil }
        return DateComponents(hour: clock[0], minute: clock[1])
    }

    private static func schedule(_ series: DailySeries) async throws {
        let silentUntil = UserDefaults.standard.object(forKey: silence) as? Date
        let entries = series.entries(
            after: Date(), days: days, silentUntil: silentUntil ?? .distantPast)
        for entry in entries {
            let content = UNMutableNotificationContent()
            content.title = "Minute by minute"
            content.body = "One of \(series.count) today."
            content.sound = .default
            content.categoryIdentifier = AnswerDelegate.category.identifier
            try await UNUserNotificationCenter.current().add(
                UNNotificationRequest(
                    identifier: entry.identifier, content: content,
                    trigger: UNCalendarNotificationTrigger(
                        dateMatching: entry.components, repeats: false)))
        }
        print("Scheduled: \(entries.count) in \(days) days.")
    }

    /// Removes today's remaining requests, and prevents later starts from adding them again.
    private static func silenceToday() async {
        UserDefaults.standard.set(DailySeries.tomorrow(after: Date()), forKey: silence)
        UserDefaults.standard.synchronize()
        let center = UNUserNotificationCenter.current()
        let pending = await center.pendingNotificationRequests().map { request in
            let trigger = request.trigger as? UNCalendarNotificationTrigger
            return (identifier: request.identifier, fires: trigger?.nextTriggerDate())
        }
        let today = DailySeries.ofToday(pending, now: Date())
        center.removePendingNotificationRequests(withIdentifiers: today)
        center.removeAllDeliveredNotifications()
        print("Removed requests of today: \(today.count).")
        let rest = await center.pendingNotificationRequests().map(\.identifier)
        print("Still pending: \(rest.count), next \(rest.first ?? "none")")
        await center.flush()
    }
}

/// Defines the buttons, and passes on the user's action.
final class AnswerDelegate: NSObject, UNUserNotificationCenterDelegate {
    static let category = UNNotificationCategory(
        identifier: "daily",
        actions: [
            UNNotificationAction(identifier: "got-it", title: "Got it", options: .foreground),
            UNNotificationAction(
                identifier: "unlock", title: "Unlock", options: .authenticationRequired),
            UNNotificationAction(identifier: "skip", title: "Skip", options: .destructive),
        ], intentIdentifiers: [], options: .customDismissAction)

    let answers = AsyncStream.makeStream(of: String.self)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .list, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
        if response.notification.request.content.categoryIdentifier == Self.category.identifier {
            answers.continuation.yield(response.actionIdentifier)
        }
    }
}
