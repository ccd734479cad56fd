import UserNotifications

/// Chapter 8: finds requests and notifications, updates them, and removes them.
///
/// A new request replaces the pending request with the same identifier. If a delivered notification
/// has the same identifier, the new notification replaces it.
enum Manage {
    static func run() async throws {
        try await NewsChapters.askForPermission()
        let center = UNUserNotificationCenter.current()

        try await add("news.later", "First edition", after: 3600)
        try await add("news.later", "Second edition", after: 3600)
        try await add("news.never", "Yesterday's paper", after: 3600)
        print("Waiting: \(await waiting())")
        center.removePendingNotificationRequests(withIdentifiers: ["news.never"])
        print("Waiting: \(await waiting())")
        center.removeAllPendingNotificationRequests()
        print("Waiting: \(await waiting())")

        try await add("news.now", "Extra", after: nil)
        print("Shown: \(try await shown { $0 == ["Extra"] })")
        try await add("news.now", "Extra, corrected", after: nil)
        print("Shown: \(try await shown { $0 == ["Extra, corrected"] })")
        center.removeDeliveredNotifications(withIdentifiers: ["news.now"])
        print("Shown: \(try await shown(when: \.isEmpty))")
    }

    private static func add(
        _ identifier: String, _ title: String, after seconds: TimeInterval?
    ) async throws {
        let content = UNMutableNotificationContent()
        content.title = title
        try await NewsChapters.add(identifier, content, after: seconds)
    }

    private static func waiting() async -> String {
        let requests = await UNUserNotificationCenter.current().pendingNotificationRequests()
        return requests.map(\.content.title).sorted().joined(separator: ", ")
    }

    // Poll, because a popup appears a moment after its request was stored.
    private static func shown(when condition: ([String]) -> Bool) async throws -> String {
        while true {
            let titles = await UNUserNotificationCenter.current().deliveredNotifications()
                .map(\.request.content.title)
            if condition(titles) { return titles.joined(separator: ", ") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
