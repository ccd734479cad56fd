import UserNotifications

/// Chapter 9: what happens to notifications while the app is in front.
///
/// The app sets `isApplicationActive`, because a Linux desktop does not report which app is in
/// front. While the property is true, Apple's rule holds: the app's delegate decides. The delegate
/// refuses the first notification, lists the second and shows the third.
enum Foreground {
    static func run(after seconds: TimeInterval) async throws {
        try await NewsChapters.askForPermission()
        let center = UNUserNotificationCenter.current()
        let delegate = ForegroundDelegate()
        center.delegate = delegate
        center.isApplicationActive = true
        for (index, title) in ["Horoscope", "Weather", "Headline"].enumerated() {
            let content = UNMutableNotificationContent()
            content.title = title
            content.sound = .default
            // One second between two notifications keeps them in order.
            try await NewsChapters.add(title, content, after: seconds + Double(index))
        }
        print("The app is in front.")
        await delegate.isAnswered()
        let titles = await center.deliveredNotifications().map(\.request.content.title)
        print("In the list: \(titles.sorted().joined(separator: ", "))")
        center.removeAllDeliveredNotifications()
    }
}

/// Decides by the title, and waits for the response to the notification that is shown.
final class ForegroundDelegate: NSObject, UNUserNotificationCenterDelegate {
    private let answers = AsyncStream.makeStream(of: Void.self)

    func isAnswered() async {
        for await _ in answers.stream { return }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        let title = notification.request.content.title
        switch title {
        case "Horoscope":
            print("\(title): not shown")
            return []
        case "Weather":
            print("\(title): in the list only")
            return .list
        default:
            print("\(title): shown without a sound")
            return [.banner, .list]
        }
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
        print("Opened: \(response.notification.request.content.title)")
        answers.continuation.yield()
    }
}
