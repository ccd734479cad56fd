import UserNotifications

/// Shows how a program receives responses if its main thread does not run Swift's own loop.
///
///     MainLoops poll|frames|notifiers [SECONDS]     notifies after so many seconds, 3 if not given
///
/// The delegate runs on the main actor. If the main thread never leaves its own loop, that loop
/// must run the main actor's work. `poll` waits for descriptors, and `frames` draws as SDL programs
/// do. `notifiers` has an event dispatcher with socket notifiers, as in Qt. The example
/// GLibMainLoop has GLib's loop. `main` must not be async, because Swift would then run its own
/// loop on the main thread.
@main
struct MainLoops {
    @MainActor
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let seconds = arguments.dropFirst().first.flatMap(Double.init) ?? 3
        let loops = ["poll": PollLoop.run, "frames": FrameLoop.run, "notifiers": NotifierLoop.run]
        guard let name = arguments.first, let run = loops[name] else {
            print("usage: MainLoops poll|frames|notifiers [SECONDS]")
            exit(64)
        }
        let app = App()
        app.start(name, after: seconds)
        run(app)
        print("The loop has ended.")
    }
}

/// Asks for permission, schedules one notification, and sets `isDone` after the response.
@MainActor
final class App: NSObject, UNUserNotificationCenterDelegate {
    private(set) var isDone = false
    /// A callback for loops that do not check `isDone`.
    var whenDone: () -> Void = {}

    func start(_ loop: String, after seconds: TimeInterval) {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        Task {
            do {
                guard try await center.requestAuthorization(options: [.alert]) else {
                    print("The user does not allow notifications.")
                    exit(77)
                }
                let content = UNMutableNotificationContent()
                content.title = "A loop of \(loop)"
                content.body = "Click here: the answer comes on the main thread."
                try await center.add(
                    UNNotificationRequest(
                        identifier: "loop.\(loop)", content: content,
                        trigger: UNTimeIntervalNotificationTrigger(
                            timeInterval: seconds, repeats: false)))
                print("Scheduled; the loop runs.")
            } catch {
                print("Not scheduled: \(error.localizedDescription)")
                exit(1)
            }
        }
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        print("action: \(response.actionIdentifier) on the main thread: \(Thread.isMainThread)")
        completionHandler()
        Task { @MainActor in
            // Without `flush`, the response might come again at the next start.
            await center.flush()
            isDone = true
            whenDone()
        }
    }
}
