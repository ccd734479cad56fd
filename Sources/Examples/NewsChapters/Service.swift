import UserNotifications

/// Chapters 12 and 14: a remote notification that the app changes before it is shown.
///
/// The app adds its own words to the text, and the image from the address in the payload. The
/// example needs no push service, because a command passes the payload to the notification centre:
///
///     tocsin push APP payload.json
///     {"aps": {"alert": {"title": "Latest", "body": "A town is honoured"}, "mutable-content": 1},
///      "image": "https://example.org/town.png"}
///
/// Without `mutable-content`, the payload is shown unchanged.
enum Service {
    static func run() async throws {
        UNUserNotificationCenter.serviceExtension = { NotificationService() }
        try await NewsChapters.askForPermission()
        let listener = AnswerListener()
        print("Waiting: tocsin push \(UNUserNotificationCenter.applicationIdentifier) FILE")
        print(await listener.next())
    }
}

/// The service extension, which changes one notification.
///
/// Unchecked Sendable: the download and the timeout run on different threads, and the lock guards
/// the state that both use.
final class NotificationService: UNNotificationServiceExtension, @unchecked Sendable {
    private let lock = NSLock()
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttempt = UNMutableNotificationContent()

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
            return contentHandler(request.content)
        }
        content.body += " [as seen by the News app]"
        lock.withLock {
            self.contentHandler = contentHandler
            bestAttempt = content
        }
        guard let address = content.userInfo["image"] as? String, let url = URL(string: address)
        else { return finish(with: nil) }
        URLSession.shared.dataTask(with: url) { [self] data, answer, error in
            let status = (answer as? HTTPURLResponse)?.statusCode
            if let data, status == 200 {
                finish(with: Self.attachment(data, named: url.lastPathComponent))
            } else {
                print("No picture: \(error?.localizedDescription ?? "status \(status ?? 0)")")
                finish(with: nil)
            }
        }.resume()
    }

    // If the extension did not call the handler, the user would see the original content.
    override func serviceExtensionTimeWillExpire() {
        finish(with: nil)
    }

    private func finish(with attachment: UNNotificationAttachment?) {
        let handler = lock.withLock {
            defer { contentHandler = nil }
            return contentHandler
        }
        // Only the first caller gets the handler, so only its thread uses the content below.
        guard let handler else { return }
        if let attachment { bestAttempt.attachments = [attachment] }
        handler(bestAttempt)
    }

    /// Writes the data to a file, because only a file can be attached.
    ///
    /// The suffix of the file name gives the attachment's type.
    private static func attachment(_ data: Data, named name: String) -> UNNotificationAttachment? {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString)-\(name)")
        do {
            try data.write(to: file)
            let attachment = try UNNotificationAttachment(identifier: "download", url: file)
            print("The picture has \(data.count) bytes.")
            return attachment
        } catch {
            print("No picture: \(error.localizedDescription)")
            return nil
        }
    }
}
