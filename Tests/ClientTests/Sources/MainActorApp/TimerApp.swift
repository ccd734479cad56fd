import Foundation
import UserNotifications

// Everything here is on the main actor unless it says otherwise.
final class TimerStore: NSObject, UNUserNotificationCenterDelegate {
    private let center = UNUserNotificationCenter.current()
    private var answers: [String] = []
    private var waiting: CheckedContinuation<String, Never>?

    func start() async throws {
        center.delegate = self
        let granted = try await center.requestAuthorization(options: [.alert])
        print("granted: \(granted)")
        let settings = await center.notificationSettings()
        print("alerts: \(settings.alertSetting == .enabled)")
    }

    func add(minutes: Int) async throws {
        let content = UNMutableNotificationContent()
        content.title = "\(minutes) minutes are over"
        content.categoryIdentifier = "timer"
        let seconds = minutes == 0 ? 0.1 : Double(minutes * 60)
        try await center.add(
            UNNotificationRequest(
                identifier: "timer-\(minutes)", content: content,
                trigger: UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)))
    }

    func pending() async -> [String] {
        await center.pendingNotificationRequests().map(\.content.title)
    }

    func nextAnswer() async -> String {
        await withCheckedContinuation { waiting = $0 }
    }

    func stop() {
        center.removeAllPendingNotificationRequests()
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        answers.append("shown")
        return [.banner]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        answers.append(response.actionIdentifier)
        waiting?.resume(returning: answers.joined(separator: ", "))
        waiting = nil
    }
}

@main
struct TimerApp {
    static func main() async throws {
        let store = TimerStore()
        try await store.start()
        try await store.add(minutes: 10)
        print(await store.pending().joined())
        try await store.add(minutes: 0)
        print(await store.nextAnswer() == "shown, \(UNNotificationDefaultActionIdentifier)")
        store.stop()
        print("left: \(await store.pending().count)")
    }
}
