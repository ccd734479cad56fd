import UserNotifications

/// An app whose process the tests end.
///
/// - `add SECONDS TITLE` schedules a notification and stays.
/// - `show TITLE` shows a notification at once and stays.
/// - `offer TITLE PICTURE` shows one with an image and the button "Like", and stays.
/// - `wait` only opens the centre and stays.
/// - `ask` requests permission and stays.
///
/// If `stalling` is the last argument, the delegate never finishes a response.
@main
@MainActor
final class HostProbe: NSObject, UNUserNotificationCenterDelegate {
    private var isStalling = false

    static func main() async throws {
        let probe = HostProbe()
        let center = UNUserNotificationCenter.current()
        center.delegate = probe
        var arguments = CommandLine.arguments
        if arguments.last == "stalling" {
            probe.isStalling = true
            arguments.removeLast()
        }
        if arguments.count == 4, arguments[1] == "add", let seconds = Double(arguments[2]) {
            let content = UNMutableNotificationContent()
            content.title = arguments[3]
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
            try await center.add(
                UNNotificationRequest(identifier: "probe", content: content, trigger: trigger))
            report("added")
        } else if arguments.count == 3, arguments[1] == "show" {
            try await show(arguments[2], center)
        } else if arguments.count == 4, arguments[1] == "offer" {
            center.setNotificationCategories([
                UNNotificationCategory(
                    identifier: "offer",
                    actions: [UNNotificationAction(identifier: "like it", title: "Like")],
                    intentIdentifiers: [])
            ])
            try await show(arguments[2], center) {
                $0.categoryIdentifier = "offer"
                $0.attachments = [
                    try UNNotificationAttachment(
                        identifier: "picture", url: URL(filePath: arguments[3]))
                ]
            }
        } else if arguments.last == "ask" {
            try await ask(center)
        } else {
            report("pending \(await center.pendingNotificationRequests().count)")
        }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    private static func show(
        _ title: String, _ center: UNUserNotificationCenter,
        with change: (UNMutableNotificationContent) throws -> Void = { _ in }
    ) async throws {
        let content = UNMutableNotificationContent()
        content.title = title
        try change(content)
        try await center.add(
            UNNotificationRequest(identifier: "probe", content: content, trigger: nil))
        // Poll, because an app without `willPresent` gets no event of a delivery.
        while await center.deliveredNotifications().isEmpty {}
        report("shown")
    }

    private static func ask(_ center: UNUserNotificationCenter) async throws {
        func status() async -> Int {
            await center.notificationSettings().authorizationStatus.rawValue
        }
        let request = UNNotificationRequest(
            identifier: "early", content: UNNotificationContent(), trigger: nil)
        do {
            try await center.add(request)
            report("added without permission")
        } catch {
            report("before \(await status()), add refused \((error as? UNError)?.errorCode ?? 0)")
        }
        report("granted \(try await center.requestAuthorization(options: [.alert, .sound]))")
        report("after \(await status())")
    }

    /// Writes without a buffer: the test reads the line while the app runs.
    private nonisolated static func report(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        Self.report("response \(response.actionIdentifier)")
        guard MainActor.assumeIsolated({ !isStalling }) else { return }
        completionHandler()
        Task {
            await center.flush()
            Self.report("acknowledged")
        }
    }
}
