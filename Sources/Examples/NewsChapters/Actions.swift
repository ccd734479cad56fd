import UserNotifications

/// Chapter 11: a category with a comment field, a Like button and a Cancel button.
///
/// If the desktop's popups have no text field, a separate window asks for the comment.
enum Actions {
    static func run(after seconds: TimeInterval) async throws {
        try await NewsChapters.askForPermission()
        UNUserNotificationCenter.current().setNotificationCategories([news])
        let listener = AnswerListener(line: words)
        let content = UNMutableNotificationContent()
        content.title = "Who still queues for a telephone?"
        content.body = "The shops are full, the pavements are empty."
        content.categoryIdentifier = NewsCategory.news.rawValue
        try await NewsChapters.add("news.actions", content, after: seconds)
        print("Scheduled: \(content.title)")
        print(await listener.next())
    }

    private static var news: UNNotificationCategory {
        UNNotificationCategory(
            identifier: NewsCategory.news.rawValue,
            actions: [
                UNTextInputNotificationAction(
                    identifier: NewsAction.comment.rawValue, title: "Comment",
                    options: .foreground, textInputButtonTitle: "Send",
                    textInputPlaceholder: "What do you think?"),
                UNNotificationAction(
                    identifier: NewsAction.like.rawValue, title: "Like", options: .foreground),
                UNNotificationAction(
                    identifier: NewsAction.cancel.rawValue, title: "Cancel",
                    options: .destructive),
            ], intentIdentifiers: [], options: .customDismissAction)
    }

    @Sendable
    private static func words(for response: UNNotificationResponse) -> String? {
        let category = response.notification.request.content.categoryIdentifier
        guard category == NewsCategory.news.rawValue else { return nil }
        return switch NewsAction(rawValue: response.actionIdentifier) {
        case .like: "You like it."
        case .cancel: "You pressed Cancel."
        case .comment:
            "You wrote: \((response as? UNTextInputNotificationResponse)?.userText ?? "")"
        // The user pressed no button, but opened or dismissed the notification itself.
        case nil: "No button: \(response.actionIdentifier)"
        }
    }
}

enum NewsCategory: String {
    case news
}

enum NewsAction: String {
    case like
    case cancel
    case comment
}
