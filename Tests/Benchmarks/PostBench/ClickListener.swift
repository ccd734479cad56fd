import UserNotifications

/// Records the time at which the delegate's method was called for each click.
final class ClickListener: NSObject, UNUserNotificationCenterDelegate {
    struct Click: Sendable {
        let time: Int
        let title: String
    }

    let clicks = AsyncStream.makeStream(of: Click.self)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let time = PostBench.nanoseconds(CLOCK_MONOTONIC)
        let title = response.notification.request.content.title
        completionHandler()
        clicks.continuation.yield(Click(time: time, title: title))
    }
}
