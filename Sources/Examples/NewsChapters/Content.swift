import UserNotifications

/// Chapter 4: a second title under the first, and a number on the app's icon.
enum Content {
    static func run(after seconds: TimeInterval) async throws {
        try await NewsChapters.askForPermission()
        let content = UNMutableNotificationContent()
        content.title = "Morning paper"
        content.subtitle = "Science"
        content.body = "The far side of the moon has a weather station."
        content.badge = 2
        let listener = AnswerListener()
        try await NewsChapters.add("news.content", content, after: seconds)
        print("Scheduled: \(content.title), \(content.subtitle), badge 2")
        print(await listener.next())
    }
}
