import Foundation
import UserNotifications

/// Schedules notifications on its own actor, not on the main actor.
actor Gardener {
    private let center = UNUserNotificationCenter.current()

    func authorize() async throws -> UNAuthorizationStatus {
        _ = try await center.requestAuthorization(options: [.alert, .sound])
        return await center.notificationSettings().authorizationStatus
    }

    func water(_ plants: [String]) async throws -> [UNNotificationRequest] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, plant) in plants.enumerated() {
                group.addTask {
                    let content = UNMutableNotificationContent()
                    content.title = "Water the \(plant)"
                    content.userInfo = ["plant": plant, "order": index]
                    let trigger = UNTimeIntervalNotificationTrigger(
                        timeInterval: Double(index + 1) * 3_600, repeats: true)
                    let request = UNNotificationRequest(
                        identifier: plant, content: content, trigger: trigger)
                    try await UNUserNotificationCenter.current().add(request)
                }
            }
            try await group.waitForAll()
        }
        return await center.pendingNotificationRequests()
    }

    func clear() {
        center.removeAllPendingNotificationRequests()
    }
}

/// The state that the screen shows.
@MainActor
final class GardenModel {
    private(set) var watered: [String] = []
    private var waiting: CheckedContinuation<Void, Never>?

    func record(_ plant: String, _ action: String) {
        watered.append(plant)
        print("\(action) \(plant)")
        waiting?.resume()
        waiting = nil
    }

    func nextAnswer() async {
        await withCheckedContinuation { waiting = $0 }
    }
}

/// The usual shape in Swift 6: the delegate is nonisolated and hops to the model's actor.
final class NotificationHandler: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private let model: GardenModel

    init(model: GardenModel) {
        self.model = model
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        [.banner, .list]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let plant = response.notification.request.content.userInfo["plant"] as? String ?? "?"
        await model.record(plant, response.actionIdentifier)
    }
}

/// A class on the main actor may be the delegate, too.
@MainActor
final class WindowController: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
    var shown: [String] = []

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        shown.append(response.actionIdentifier)
        completionHandler()
    }
}

@main
struct GardenApp {
    @MainActor
    static func main() async throws {
        let model = GardenModel()
        let handler = NotificationHandler(model: model)
        let center = UNUserNotificationCenter.current()
        center.delegate = handler
        let gardener = Gardener()
        let status = try await gardener.authorize()
        switch status {
        case .authorized: print("authorized")
        case .notDetermined, .denied, .provisional, .ephemeral: print("not authorized")
        @unknown default: print("something new")
        }
        let requests = try await gardener.water(["roses", "ivy", "moss"])
        print(requests.map(\.identifier).joined(separator: ", "))

        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "plant",
                actions: [UNNotificationAction(identifier: "water", title: "Water")],
                intentIdentifiers: [])
        ])
        let content = UNMutableNotificationContent()
        content.title = "The ivy is dry"
        content.categoryIdentifier = "plant"
        content.userInfo = ["plant": "ivy"]
        try await center.add(
            UNNotificationRequest(identifier: "dry", content: content, trigger: nil))
        await model.nextAnswer()

        await gardener.clear()
        print("left: \(await center.pendingNotificationRequests().count)")
        print("controller: \(WindowController().shown.count)")
        withExtendedLifetime(handler) {}
    }
}
