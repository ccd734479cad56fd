import UserNotifications

/// Chapter 13: an image from a file of the app, shown in the popup.
///
/// The centre keeps its own copy of the file. An app that handles a response can read this copy
/// until it calls the completion handler.
enum Picture {
    static func run(after seconds: TimeInterval) async throws {
        try await NewsChapters.askForPermission()
        let listener = AnswerListener(line: size)
        let content = UNMutableNotificationContent()
        content.title = "Picture of the day"
        content.body = "Pink is the colour of the season."
        if let url = Bundle.module.url(forResource: "image", withExtension: "png") {
            content.attachments = [
                try UNNotificationAttachment(identifier: "imageAttachment", url: url)
            ]
        }
        try await NewsChapters.add("news.picture", content, after: seconds)
        print("Scheduled with \(content.attachments.count) picture")
        print(await listener.next())
    }

    @Sendable
    private static func size(in response: UNNotificationResponse) -> String {
        guard let attachment = response.notification.request.content.attachments.first,
            attachment.url.startAccessingSecurityScopedResource()
        else { return "It came without a picture." }
        defer { attachment.url.stopAccessingSecurityScopedResource() }
        let size = (try? Data(contentsOf: attachment.url))?.count ?? 0
        return "The picture \(attachment.identifier) has \(size) bytes."
    }
}
