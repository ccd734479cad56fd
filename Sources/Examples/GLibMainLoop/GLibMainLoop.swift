import Clibglib
import UserNotifications

/// An app whose main thread runs GLib's loop, like every GTK program.
///
///     GLibMainLoop [SECONDS]        notifies after so many seconds, 3 if not given
///
/// A GLib source watches the descriptor of Swift's main queue. When the descriptor is readable, the
/// callback of the source runs the work of the queue.
@main
struct GLibMainLoop {
    @MainActor
    static func main() {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 3
        let loop = g_main_loop_new(nil, 0)
        g_unix_fd_add(
            UNUserNotificationCenter.mainLoopDescriptor, G_IO_IN,
            { _, _, _ in
                UNUserNotificationCenter.drainMainLoop()
                return 1
            }, nil)

        let delegate = Delegate()
        delegate.whenAnswered = { g_main_loop_quit(loop) }
        let center = UNUserNotificationCenter.current()
        center.delegate = delegate
        center.requestAuthorization(options: [.alert, .sound]) { isGranted, error in
            guard isGranted else { fail(error) }
            let content = UNMutableNotificationContent()
            content.title = "GLib's loop"
            content.body = "Click here: the answer comes on GLib's main thread."
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
            let request = UNNotificationRequest(
                identifier: "org.tocsin.example.glib", content: content, trigger: trigger)
            center.add(request) { error in
                if let error { fail(error) }
                print("Scheduled; GLib's loop runs.")
                fflush(nil)
            }
        }
        g_main_loop_run(loop)
        g_main_loop_unref(loop)
        withExtendedLifetime(delegate) {}
    }

    private static func fail(_ error: (any Error)?) -> Never {
        print(error?.localizedDescription ?? "The user does not allow notifications.")
        exit(1)
    }
}

/// Prints the response and ends the loop, both on the thread that runs the loop.
@MainActor
final class Delegate: NSObject, UNUserNotificationCenterDelegate {
    var whenAnswered: () -> Void = {}

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        print("action: \(response.actionIdentifier)")
        fflush(nil)
        completionHandler()
        Task { @MainActor in
            // Without `flush`, the response might come again at the next start.
            await center.flush()
            whenAnswered()
        }
    }
}
