import UserNotifications

/// An app for tests of the app's own death: `add SECONDS TITLE` schedules and stays, `wait` only
/// opens the centre and stays. With `stalling` at the end its delegate is never done with a response.
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
        } else {
            report("pending \(await center.pendingNotificationRequests().count)")
        }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// Written without a buffer: the test reads it while the app goes on.
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
