//
//  NotificationManager.swift
//  Pillbox
//

import CoreLocation
import Foundation
import UserNotifications

#if canImport(UIKit)
import UIKit
#endif

protocol NotificationManagerDelegate: AnyObject {
    func notificationManager(_ manager: NotificationManager, didTake pill: String)
    func notificationManager(_ manager: NotificationManager, didSnooze pill: String)
    func notificationManager(_ manager: NotificationManager, didWrite note: String, on pill: String)
    func notificationManager(_ manager: NotificationManager, open link: URL)
}

extension Notification.Name {
    static let notificationPermissionChanged = Notification.Name("notificationPermissionChanged")
}

class NotificationManager: NSObject {

    // MARK: - Types

    struct Constants {
        static let categoryIdentifier = "PILL_REMINDER"
        static let askedKey = "hasAskedForNotifications"
        static let snoozeInterval: TimeInterval = 10 * 60
    }

    enum Action: String, CaseIterable {
        case take = "TAKE_ACTION"
        case snooze = "SNOOZE_ACTION"
        case note = "NOTE_ACTION"

        var title: String {
            switch self {
            case .take: return NSLocalizedString("Taken", comment: "")
            case .snooze: return NSLocalizedString("Snooze", comment: "")
            case .note: return NSLocalizedString("Note", comment: "")
            }
        }
    }

    enum Repeat {
        case daily(hour: Int, minute: Int)
        case weekly(weekday: Int, hour: Int, minute: Int)
        case every(TimeInterval)
        case once(Date)
    }

    // MARK: - Properties

    static let shared = NotificationManager()

    weak var delegate: NotificationManagerDelegate?

    private let center = UNUserNotificationCenter.current()
    private let defaults: UserDefaults
    private let locationManager = CLLocationManager()
    private(set) var isAuthorized = false {
        didSet {
            if oldValue != isAuthorized {
                NotificationCenter.default.post(
                    name: .notificationPermissionChanged, object: self,
                    userInfo: ["isAuthorized": isAuthorized])
            }
        }
    }

    // MARK: - Life cycle

    init(defaults: UserDefaults = .standard) {
        self.defaults = defaults
        super.init()
        center.delegate = self
        locationManager.delegate = self
        registerCategories()
    }

    // MARK: - Permission

    func requestPermission(completion: @escaping (Bool) -> Void) {
        var options: UNAuthorizationOptions = [.alert, .badge, .sound]
        if #available(iOS 12.0, macOS 10.14, *) {
            options.insert(.providesAppNotificationSettings)
        }
        center.requestAuthorization(options: options) { [weak self] granted, error in
            if let error = error as NSError? {
                print("Error requesting permission: \(error.domain) \(error.code)")
            }
            DispatchQueue.main.async {
                self?.defaults.set(true, forKey: Constants.askedKey)
                self?.isAuthorized = granted
                completion(granted)
            }
        }
    }

    func checkPermission(completion: @escaping (UNAuthorizationStatus) -> Void) {
        center.getNotificationSettings { settings in
            DispatchQueue.main.async {
                switch settings.authorizationStatus {
                case .notDetermined:
                    self.isAuthorized = false
                case .denied:
                    self.isAuthorized = false
                case .authorized, .provisional:
                    self.isAuthorized = true
                case .ephemeral:
                    self.isAuthorized = true
                @unknown default:
                    self.isAuthorized = false
                }
                completion(settings.authorizationStatus)
            }
        }
    }

    func describeSettings(completion: @escaping ([String: Bool]) -> Void) {
        center.getNotificationSettings { settings in
            var result: [String: Bool] = [
                "alert": settings.alertSetting == .enabled,
                "sound": settings.soundSetting == .enabled,
                "badge": settings.badgeSetting == .enabled,
                "lockScreen": settings.lockScreenSetting == .enabled,
                "center": settings.notificationCenterSetting == .enabled,
                "carPlay": settings.carPlaySetting == .enabled,
                "banner": settings.alertStyle != .none,
            ]
            if #available(iOS 15.0, macOS 12.0, *) {
                result["timeSensitive"] = settings.timeSensitiveSetting == .enabled
                result["summary"] = settings.scheduledDeliverySetting == .enabled
            }
            completion(result)
        }
    }

    // MARK: - Categories

    private func registerCategories() {
        let take = UNNotificationAction(
            identifier: Action.take.rawValue, title: Action.take.title, options: [])
        let snooze: UNNotificationAction
        if #available(iOS 15.0, macOS 12.0, *) {
            snooze = UNNotificationAction(
                identifier: Action.snooze.rawValue, title: Action.snooze.title, options: [],
                icon: UNNotificationActionIcon(systemImageName: "clock"))
        } else {
            snooze = UNNotificationAction(
                identifier: Action.snooze.rawValue, title: Action.snooze.title, options: [])
        }
        let note = UNTextInputNotificationAction(
            identifier: Action.note.rawValue, title: Action.note.title,
            options: .authenticationRequired, textInputButtonTitle: "Save",
            textInputPlaceholder: "How do you feel?")
        let category = UNNotificationCategory(
            identifier: Constants.categoryIdentifier, actions: [take, snooze, note],
            intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "Time for a pill",
            options: [.customDismissAction, .hiddenPreviewsShowTitle])
        center.setNotificationCategories([category])
    }

    // MARK: - Scheduling

    func schedule(
        pill: String, at repetition: Repeat, image: URL? = nil,
        completion: ((Result<String, Error>) -> Void)? = nil
    ) {
        let content = makeContent(pill: pill)
        if let image = image {
            do {
                let attachment = try UNNotificationAttachment(
                    identifier: "image", url: image,
                    options: [UNNotificationAttachmentOptionsThumbnailHiddenKey: false])
                content.attachments = [attachment]
            } catch {
                completion?(.failure(error))
                return
            }
        }
        let identifier = "\(pill)-\(UUID().uuidString)"
        let request = UNNotificationRequest(
            identifier: identifier, content: content, trigger: trigger(for: repetition))
        center.add(request) { error in
            DispatchQueue.main.async {
                if let error = error {
                    completion?(.failure(error))
                } else {
                    completion?(.success(identifier))
                }
            }
        }
    }

    func scheduleAtPharmacy(
        pill: String, latitude: Double, longitude: Double,
        completion: @escaping (Error?) -> Void
    ) {
        let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        let region = CLCircularRegion(center: coordinate, radius: 150, identifier: "pharmacy")
        region.notifyOnEntry = true
        region.notifyOnExit = false
        let trigger = UNLocationNotificationTrigger(region: region, repeats: false)
        let request = UNNotificationRequest(
            identifier: "pharmacy-\(pill)", content: makeContent(pill: pill), trigger: trigger)
        center.add(request, withCompletionHandler: completion)
    }

    func remindNow(pill: String) {
        let content = makeContent(pill: pill)
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 1
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 0.1, repeats: false)
        center.add(UNNotificationRequest(identifier: "now", content: content, trigger: trigger))
    }

    private func makeContent(pill: String) -> UNMutableNotificationContent {
        let content = UNMutableNotificationContent()
        content.title = NSString.localizedUserNotificationString(
            forKey: "Time for %@", arguments: [pill])
        content.subtitle = "Pillbox"
        content.body = "Tap to see the details."
        content.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: "pill.wav"))
        content.badge = NSNumber(value: defaults.integer(forKey: "badge") + 1)
        content.categoryIdentifier = Constants.categoryIdentifier
        content.threadIdentifier = pill
        content.userInfo = [
            "pill": pill, "link": "pillbox://pill/\(pill)", "dose": 2.5, "strong": true,
            "days": [1, 2, 3], "since": Date(timeIntervalSince1970: 0),
        ]
        return content
    }

    private func trigger(for repetition: Repeat) -> UNNotificationTrigger {
        switch repetition {
        case .daily(let hour, let minute):
            var components = DateComponents()
            components.hour = hour
            components.minute = minute
            return UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        case .weekly(let weekday, let hour, let minute):
            let components = DateComponents(hour: hour, minute: minute, weekday: weekday)
            return UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
        case .every(let interval):
            return UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: true)
        case .once(let date):
            let components = Calendar.current.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: date)
            return UNCalendarNotificationTrigger(dateMatching: components, repeats: false)
        }
    }

    // MARK: - Listing and removing

    func nextDates(completion: @escaping ([String: Date]) -> Void) {
        center.getPendingNotificationRequests { requests in
            var dates: [String: Date] = [:]
            for request in requests {
                if let trigger = request.trigger as? UNCalendarNotificationTrigger,
                    let date = trigger.nextTriggerDate()
                {
                    dates[request.identifier] = date
                } else if let trigger = request.trigger as? UNTimeIntervalNotificationTrigger {
                    dates[request.identifier] = trigger.nextTriggerDate()
                }
            }
            DispatchQueue.main.async { completion(dates) }
        }
    }

    func pending(completion: @escaping ([UNNotificationRequest]) -> Void) {
        center.getPendingNotificationRequests { requests in
            DispatchQueue.main.async { completion(requests) }
        }
    }

    func cancel(pill: String, completion: (() -> Void)? = nil) {
        center.getPendingNotificationRequests { [weak self] requests in
            let identifiers =
                requests
                .filter { $0.content.userInfo["pill"] as? String == pill }
                .map { $0.identifier }
            self?.center.removePendingNotificationRequests(withIdentifiers: identifiers)
            DispatchQueue.main.async { completion?() }
        }
    }

    func clear() {
        center.removeAllDeliveredNotifications()
        center.removeAllPendingNotificationRequests()
        resetBadge()
    }

    private func resetBadge() {
        defaults.set(0, forKey: "badge")
        if #available(iOS 16.0, macOS 13.0, *) {
            center.setBadgeCount(0) { error in
                if let error = error { print("Badge: \(error.localizedDescription)") }
            }
        } else {
            #if canImport(UIKit)
            UIApplication.shared.applicationIconBadgeNumber = 0
            #endif
        }
    }
}
