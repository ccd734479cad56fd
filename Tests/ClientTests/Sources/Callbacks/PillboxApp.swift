import Foundation
import UserNotifications

@main
final class PillboxApp: NotificationManagerDelegate {
    private let manager = NotificationManager(
        defaults: UserDefaults(suiteName: "pillbox") ?? .standard)

    private var observer: NSObjectProtocol?

    static func main() {
        let app = PillboxApp()
        app.manager.delegate = app
        app.observer = NotificationCenter.default.addObserver(
            forName: .notificationPermissionChanged, object: nil, queue: .main
        ) { notification in
            print("permission is \(notification.userInfo?["isAuthorized"] as? Bool ?? false)")
        }
        app.start()
        withExtendedLifetime(app) { RunLoop.main.run() }
    }

    private func start() {
        manager.requestPermission { granted in
            print("granted: \(granted)")
            self.manager.checkPermission { status in
                print("authorized: \(status == .authorized)")
                self.manager.describeSettings { settings in
                    print("alerts: \(settings["alert"] ?? false)")
                    self.scheduleAll()
                }
            }
        }
    }

    private func scheduleAll() {
        manager.schedule(pill: "Broken", at: .every(30)) { result in
            if case .failure = result { print("every 30 seconds is refused") }
        }
        manager.schedule(
            pill: "Image", at: .every(60), image: URL(fileURLWithPath: "/nonexistent.png")
        ) { result in
            guard case .failure(let error) = result else { return }
            if let error = error as? UNError, error.code == .attachmentInvalidURL {
                print("the image is missing: \((error as NSError).code)")
            }
        }
        manager.schedule(pill: "Iron", at: .weekly(weekday: 2, hour: 9, minute: 30))
        manager.schedule(pill: "Zinc", at: .once(Date().addingTimeInterval(86_400)))
        manager.scheduleAtPharmacy(pill: "Salt", latitude: 52.52, longitude: 13.4) { error in
            print("pharmacy: \(error?.localizedDescription ?? "scheduled")")
        }
        manager.schedule(pill: "Aspirin", at: .daily(hour: 8, minute: 0)) { _ in
            self.list()
        }
    }

    private func list() {
        manager.nextDates { dates in
            print("dates: \(dates.count)")
            self.manager.pending { requests in
                let regions = requests.compactMap {
                    ($0.trigger as? UNLocationNotificationTrigger)?.region.identifier
                }
                print("pending: \(requests.count), regions: \(regions)")
                self.manager.cancel(pill: "Iron") {
                    self.manager.pending { requests in
                        print("after cancelling: \(requests.count)")
                        self.manager.remindNow(pill: "Vitamin")
                    }
                }
            }
        }
    }

    // MARK: - NotificationManagerDelegate

    func notificationManager(_ manager: NotificationManager, didTake pill: String) {
        print("took \(pill)")
        manager.clear()
        manager.pending { requests in
            print("left: \(requests.count)")
            exit(0)
        }
    }

    func notificationManager(_ manager: NotificationManager, didSnooze pill: String) {
        print("snoozed \(pill)")
        manager.pending { requests in
            let snoozed = requests.first { $0.content.subtitle == "Snoozed" }
            let trigger = snoozed?.trigger as? UNTimeIntervalNotificationTrigger
            print("again in \(Int(trigger?.timeInterval ?? 0)) s")
            manager.remindNow(pill: pill)
        }
    }

    func notificationManager(
        _ manager: NotificationManager, didWrite note: String, on pill: String
    ) {
        print("note on \(pill): \(note)")
        manager.remindNow(pill: pill)
    }

    func notificationManager(_ manager: NotificationManager, open link: URL) {
        print("open \(link.scheme ?? ""), \(link.lastPathComponent)")
        manager.remindNow(pill: link.lastPathComponent)
    }
}
