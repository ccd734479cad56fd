import UserNotifications

/// Chapter 13: a picture from a file of the app, shown in the popup.
///
/// The centre keeps a copy of its own. Whoever is answered reads that copy, which is there as long
/// as the response.
enum Picture {
    static func run(after seconds: TimeInterval) async throws {
        try await NewsChapters.askForPermission()
        let delegate = PictureDelegate()
        let center = UNUserNotificationCenter.current()
        center.delegate = delegate
        let content = UNMutableNotificationContent()
        content.title = "Picture of the day"
        content.body = "Pink is the colour of the season."
        if let url = Bundle.module.url(forResource: "image", withExtension: "png") {
            content.attachments = [
                try UNNotificationAttachment(identifier: "imageAttachment", url: url)
            ]
        }
        try await center.add(
            UNNotificationRequest(
                identifier: "news.picture", content: content,
                trigger: UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)))
        print("Scheduled with \(content.attachments.count) picture")
        print(await delegate.picture())
    }
}

/// Reads the attachment of the notification that was answered.
final class PictureDelegate: NSObject, UNUserNotificationCenterDelegate {
    private let pictures = AsyncStream.makeStream(of: String.self)

    func picture() async -> String {
        for await picture in pictures.stream { return picture }
        return ""
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        var line = "It came without a picture."
        if let attachment = response.notification.request.content.attachments.first,
            attachment.url.startAccessingSecurityScopedResource()
        {
            let size = (try? Data(contentsOf: attachment.url))?.count ?? 0
            line = "The picture \(attachment.identifier) has \(size) bytes."
            attachment.url.stopAccessingSecurityScopedResource()
        }
        completionHandler()
        pictures.continuation.yield(line)
    }
}
