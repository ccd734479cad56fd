import UserNotifications

/// An app that schedules a notification and quits, and reports its next start.
///
/// `LaunchProbe [REPORT MARKER [WORD]...]`
///
/// The probe writes its lines to the file REPORT. From its second start on, it also reports each
/// WORD, so that a test sees the arguments with which it was started.
///
/// The variables `PROBE_REPORT` and `PROBE_MARKER` may name the two files instead. If an app has
/// no desktop file, the daemon starts it again only if it was run without arguments.
///
/// The first start finds no MARKER: it schedules one notification, makes MARKER and ends. Every
/// later start waits for a response, reports it, and ends.
@main
@MainActor
final class LaunchProbe: NSObject, UNUserNotificationCenterDelegate {
    private let report: String

    private init(report: String) {
        self.report = report
    }

    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count < 2 {
            guard let report = environment["PROBE_REPORT"], let marker = environment["PROBE_MARKER"]
            else { return }
            arguments = [report, marker] + arguments
        }
        let probe = LaunchProbe(report: arguments[0])
        let center = UNUserNotificationCenter.current()
        guard FileManager.default.fileExists(atPath: arguments[1]) else {
            try await schedule(at: center)
            _ = FileManager.default.createFile(atPath: arguments[1], contents: nil)
            return
        }
        let token = environment["XDG_ACTIVATION_TOKEN"] ?? "-"
        let words = arguments.dropFirst(2).map { "<\($0)>" }.joined()
        let reason = UNUserNotificationCenter.launchedForIdentifier ?? "-"
        probe.say("start token \(token) words \(words) for \(reason)")
        center.delegate = probe
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    private static func schedule(at center: UNUserNotificationCenter) async throws {
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "probe",
                actions: [
                    UNNotificationAction(identifier: "open", title: "Return", options: .foreground),
                    UNNotificationAction(identifier: "archive", title: "Archive"),
                ], intentIdentifiers: [], options: .customDismissAction)
        ])
        let content = UNMutableNotificationContent()
        content.title = "Come back"
        content.categoryIdentifier = "probe"
        content.userInfo = ["cup": 7]
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 0.1, repeats: false)
        try await center.add(
            UNNotificationRequest(identifier: "probe", content: content, trigger: trigger))
    }

    private nonisolated func say(_ line: String) {
        guard let handle = FileHandle(forWritingAtPath: report) else { return }
        try? handle.write(contentsOf: Data((line + "\n").utf8))
        try? handle.close()
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        say("settings for \(notification?.request.identifier ?? "-")")
        exit(0)
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let cup = response.notification.request.content.userInfo["cup"] ?? "-"
        say("response \(response.actionIdentifier) cup \(cup)")
        completionHandler()
        Task {
            await center.flush()
            say("acknowledged")
            exit(0)
        }
    }
}
