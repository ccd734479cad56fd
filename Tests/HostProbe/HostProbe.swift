import UserNotifications

/// An app for tests of the app's own death: `add SECONDS TITLE` schedules and stays, `wait` only
/// opens the centre and stays.
@main
final class HostProbe: NSObject, UNUserNotificationCenterDelegate {
    static func main() async throws {
        let probe = HostProbe()
        let center = UNUserNotificationCenter.current()
        center.delegate = probe
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "add", let seconds = Double(arguments[2]) {
            let content = UNMutableNotificationContent()
            content.title = arguments[3]
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
            try await center.add(
                UNNotificationRequest(identifier: "probe", content: content, trigger: trigger))
            report("added")
        } else {
            report("pending \(await center.pendingNotificationRequests().count)")
        }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Written without a buffer: the test reads it while the app goes on.
    private static func report(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        Self.report("response \(response.actionIdentifier)")
    }
}
