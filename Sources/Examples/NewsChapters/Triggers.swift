import CoreLocation
import UserNotifications

/// Chapter 5: triggers for an interval, for a date, for every Monday, and for a place.
///
/// The example adds a request for each trigger, prints the triggers, and removes the requests. A
/// request for a place fires only if the desktop has the location service GeoClue.
enum Triggers {
    static func run() async throws {
        try await NewsChapters.askForPermission()
        let center = UNUserNotificationCenter.current()
        for (name, trigger) in triggers {
            let content = UNMutableNotificationContent()
            content.title = "News, \(name)"
            try await center.add(
                UNNotificationRequest(identifier: name, content: content, trigger: trigger))
        }
        for request in await center.pendingNotificationRequests() {
            print("\(request.identifier): \(describe(request.trigger))")
        }
        center.removePendingNotificationRequests(withIdentifiers: triggers.map(\.name))
        print("Left: \(await center.pendingNotificationRequests().count)")
    }

    private static var triggers: [(name: String, trigger: UNNotificationTrigger)] {
        let singlesDay = DateComponents(year: 2037, month: 11, day: 11)
        // `weekday` counts from Sunday, which is 1.
        let mondayMorning = DateComponents(hour: 8, minute: 30, weekday: 2)
        let harbour = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 52.10, longitude: 51.11), radius: 200,
            identifier: "harbour")
        harbour.notifyOnEntry = true
        harbour.notifyOnExit = false
        return [
            ("soon", UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)),
            ("date", UNCalendarNotificationTrigger(dateMatching: singlesDay, repeats: false)),
            ("weekly", UNCalendarNotificationTrigger(dateMatching: mondayMorning, repeats: true)),
            ("place", UNLocationNotificationTrigger(region: harbour, repeats: true)),
        ]
    }

    private static func describe(_ trigger: UNNotificationTrigger?) -> String {
        switch trigger {
        case let trigger as UNTimeIntervalNotificationTrigger:
            "after \(Int(trigger.timeInterval)) seconds"
        case let trigger as UNCalendarNotificationTrigger:
            "\(trigger.repeats ? "every week, next" : "once,") \(day(trigger.nextTriggerDate()))"
        case let trigger as UNLocationNotificationTrigger:
            "at \(trigger.region.identifier), \(trigger.repeats ? "each time" : "once")"
        default: "at once"
        }
    }

    private static func day(_ date: Date?) -> String {
        guard let date else { return "never" }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE yyyy-MM-dd HH:mm"
        return formatter.string(from: date)
    }
}
