import UserNotifications

/// A service extension as a program; its argument says how it behaves.
@main
struct ExtensionProbe {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "crash": kill(getpid(), SIGKILL)
        case "garbage": print("no answer"); exit(0)
        case "raw":
            // A program in another language may print any garbage.
            FileHandle.standardOutput.write(Data("{\"content\": {\"title\": 5}}".utf8))
            exit(0)
        default: UNNotificationServiceExtension.runService { ProbeExtension() }
        }
    }
}

final class ProbeExtension: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var content = UNMutableNotificationContent()

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        print("what an extension prints is no answer")
        self.contentHandler = contentHandler
        content =
            request.content.mutableCopy() as? UNMutableNotificationContent
            ?? UNMutableNotificationContent()
        content.title += " changed"
        content.subtitle = CommandLine.arguments.dropFirst(2).joined(separator: "|")
        content.userInfo["seen"] = request.content.userInfo["secret"]
        content.userInfo["window"] = ProcessInfo.processInfo.environment["DISPLAY"] ?? "none"
        content.userInfo["app"] = ProcessInfo.processInfo.environment["TOCSIN_APP_ID"]
        switch CommandLine.arguments.dropFirst().first {
        case "hang":
            // Closing the pipe tells the test that the extension has begun.
            let pipe = FileHandle(forWritingAtPath: CommandLine.arguments[2])
            try? pipe?.close()
            return
        case "picture": attachImage()
        case "stolen":
            let file = URL(fileURLWithPath: "/etc/hostname")
            let options = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
            content.attachments =
                (try? UNNotificationAttachment(identifier: "", url: file, options: options))
                .map { [$0] } ?? []
        default: break
        }
        contentHandler(content)
    }

    override func serviceExtensionTimeWillExpire() {
        content.body = "best attempt"
        contentHandler?(content)
    }

    /// Attaches an image as an app attaches a download: a file with an extension, in the temporary
    /// directory.
    private func attachImage() {
        let image = (content.userInfo["picture"] as? String) ?? ""
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("picture.png")
        guard let bytes = Data(base64Encoded: image), (try? bytes.write(to: url)) != nil,
            let attachment = try? UNNotificationAttachment(identifier: "picture", url: url)
        else { return }
        content.attachments = [attachment]
    }
}
