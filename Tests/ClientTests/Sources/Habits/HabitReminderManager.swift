import Foundation
import UserNotifications

#if canImport(UIKit)
import UIKit
#endif

protocol HabitReminderManaging {
    func requestPermissionIfNeeded(
        _ completion: @escaping (HabitReminderManager.Permission) -> Void)
    func setReminders(for habit: Habit, completion: @escaping (Error?) -> Void)
    func removeReminders(for habit: Habit)
    func reminders(for habit: Habit, completion: @escaping ([UNNotificationRequest]) -> Void)
}

final class HabitReminderManager: NSObject, HabitReminderManaging {

    enum Permission: String {
        case unknown, granted, refused, quiet
    }

    enum ReminderError: Error, LocalizedError {
        case noWeekday
        case tooMany(Int)

        var errorDescription: String? {
            switch self {
            case .noWeekday: return "Choose at least one day."
            case .tooMany(let count): return "\(count) reminders are too many."
            }
        }
    }

    private enum Key {
        static let habit = "habit"
        static let category = "habit.category"
        static let done = "habit.done"
        static let skip = "habit.skip"
        static let streak = "habit.streaks"
    }

    /// iOS keeps at most 64 pending requests of an app.
    static let maximumReminders = 64

    private let center: UserNotificationCenter
    private let defaults: UserDefaults
    private let calendar: Calendar

    var onDone: ((String) -> Void)?
    var onOpen: ((String) -> Void)?

    init(
        center: UserNotificationCenter = UNUserNotificationCenter.current(),
        defaults: UserDefaults = .standard,
        calendar: Calendar = .current
    ) {
        self.center = center
        self.defaults = defaults
        self.calendar = calendar
        super.init()
        self.center.delegate = self
        self.center.setNotificationCategories(Self.makeCategories())
    }

    static func makeCategories() -> Set<UNNotificationCategory> {
        let done = UNNotificationAction(identifier: Key.done, title: "Done", options: .foreground)
        let skip = UNNotificationAction(
            identifier: Key.skip, title: "Skip", options: [.destructive])
        return [
            UNNotificationCategory(
                identifier: Key.category, actions: [done, skip], intentIdentifiers: [])
        ]
    }

    // MARK: - Permission

    func requestPermissionIfNeeded(_ completion: @escaping (Permission) -> Void) {
        center.getNotificationSettings { [weak self] settings in
            guard let self = self else { return }
            switch settings.authorizationStatus {
            case .notDetermined:
                self.requestPermission(completion)
            case .authorized:
                completion(.granted)
            case .provisional:
                completion(.quiet)
            case .denied:
                completion(.refused)
            default:
                completion(.unknown)
            }
        }
    }

    private func requestPermission(_ completion: @escaping (Permission) -> Void) {
        center.requestAuthorization(options: [.alert, .sound, .badge]) { granted, error in
            if let error = error {
                NSLog("requestAuthorization failed: %@", error.localizedDescription)
                completion(.unknown)
                return
            }
            completion(granted ? .granted : .refused)
        }
    }

    // MARK: - Reminders

    func setReminders(for habit: Habit, completion: @escaping (Error?) -> Void) {
        guard !habit.weekdays.isEmpty else {
            completion(ReminderError.noWeekday)
            return
        }
        center.getPendingNotificationRequests { [weak self] pending in
            guard let self = self else { return }
            let others = pending.filter { $0.content.userInfo[Key.habit] as? String != habit.id }
            let count = others.count + habit.weekdays.count
            guard count <= Self.maximumReminders else {
                completion(ReminderError.tooMany(count))
                return
            }
            self.removeReminders(for: habit)
            self.add(self.requests(for: habit), completion: completion)
        }
    }

    private func add(
        _ requests: [UNNotificationRequest], completion: @escaping (Error?) -> Void
    ) {
        guard let request = requests.first else {
            completion(nil)
            return
        }
        center.add(request) { [weak self] error in
            if let error = error {
                completion(error)
            } else {
                self?.add(Array(requests.dropFirst()), completion: completion)
            }
        }
    }

    func requests(for habit: Habit) -> [UNNotificationRequest] {
        habit.weekdays.sorted { $0.rawValue < $1.rawValue }.map { weekday in
            let content = UNMutableNotificationContent()
            content.title = habit.name
            content.body = String(format: "%d days in a row so far", streak(of: habit.id))
            content.sound = UNNotificationSound.default
            content.categoryIdentifier = Key.category
            content.threadIdentifier = habit.id
            content.userInfo = [Key.habit: habit.id]
            var components = DateComponents()
            components.weekday = weekday.rawValue
            components.hour = habit.hour
            components.minute = habit.minute
            let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
            return UNNotificationRequest(
                identifier: identifier(of: habit, on: weekday), content: content, trigger: trigger)
        }
    }

    func removeReminders(for habit: Habit) {
        let identifiers = Habit.Weekday.allCases.map { identifier(of: habit, on: $0) }
        center.removePendingNotificationRequests(withIdentifiers: identifiers)
        center.removeDeliveredNotifications(withIdentifiers: identifiers)
    }

    func reminders(
        for habit: Habit, completion: @escaping ([UNNotificationRequest]) -> Void
    ) {
        center.getPendingNotificationRequests { requests in
            completion(
                requests.filter { $0.content.userInfo[Key.habit] as? String == habit.id }
                    .sorted { $0.identifier < $1.identifier })
        }
    }

    func remind(of habit: Habit, in interval: TimeInterval) {
        guard let first = requests(for: habit).first else { return }
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: false)
        let request = UNNotificationRequest(
            identifier: "\(habit.id).now", content: first.content, trigger: trigger)
        center.add(request, withCompletionHandler: nil)
    }

    private func identifier(of habit: Habit, on weekday: Habit.Weekday) -> String {
        "\(habit.id).\(weekday.rawValue)"
    }

    // MARK: - Streaks

    func streak(of habit: String) -> Int {
        let streaks = defaults.dictionary(forKey: Key.streak) as? [String: Int]
        return streaks?[habit] ?? 0
    }

    private func extendStreak(of habit: String) {
        var streaks = defaults.dictionary(forKey: Key.streak) as? [String: Int] ?? [:]
        streaks[habit, default: 0] += 1
        defaults.set(streaks, forKey: Key.streak)
    }

    private func endStreak(of habit: String) {
        var streaks = defaults.dictionary(forKey: Key.streak) as? [String: Int] ?? [:]
        streaks[habit] = nil
        defaults.set(streaks, forKey: Key.streak)
    }
}

// MARK: - UNUserNotificationCenterDelegate

extension HabitReminderManager: UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.banner, .sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        handle(response)
        completionHandler()
    }

    func handle(_ response: UNNotificationResponse) {
        let userInfo = response.notification.request.content.userInfo
        guard let habit = userInfo[Key.habit] as? String else { return }
        switch response.actionIdentifier {
        case Key.done:
            extendStreak(of: habit)
            onDone?(habit)
        case Key.skip:
            endStreak(of: habit)
        case UNNotificationDefaultActionIdentifier:
            onOpen?(habit)
        default:
            break
        }
    }
}
