import CenterInterface
import Clibglib
import Glibc
import NotificationModel
import ScriptedService
import Synchronization
import UserNotifications

/// A program whose main thread waits in `g_main_loop_run` or in `poll`, as in a real app.
///
/// It prints one line from its delegate and ends with 0; `MainLoopTests` runs it.
@main
struct MainLoopProbe {
    static let isDone = Atomic(false)

    static func main() {
        // A probe whose delegate is never called must not hang the tests.
        alarm(60)
        let service = ScriptedService()
        let center = UNUserNotificationCenter(
            source: ServiceSource(
                application: { ApplicationIdentity(id: .tocsin, name: "probe") },
                service: { service }))
        let delegate = Delegate()
        center.delegate = delegate
        Task {
            try await service.inputs(of: Members.connect) {
                $0.last?.sessionOptions.asksBeforePresenting == true
            }
            await service.send(.response(Self.response))
        }
        if CommandLine.arguments.dropFirst().first == "glib" { runGLib() } else { runPoll() }
        withExtendedLifetime((center, delegate)) {}
    }

    static func runPoll() {
        var descriptor = pollfd(
            fd: UNUserNotificationCenter.mainLoopDescriptor, events: Int16(POLLIN), revents: 0)
        while !isDone.load(ordering: .acquiring), poll(&descriptor, 1, -1) > 0 {
            UNUserNotificationCenter.drainMainLoop()
        }
    }

    static func runGLib() {
        let loop = g_main_loop_new(nil, 0)
        let callback: GUnixFDSourceFunc = { _, _, loop in
            UNUserNotificationCenter.drainMainLoop()
            if MainLoopProbe.isDone.load(ordering: .acquiring) {
                g_main_loop_quit(loop.map(OpaquePointer.init))
            }
            return 1
        }
        g_unix_fd_add(
            UNUserNotificationCenter.mainLoopDescriptor, G_IO_IN, callback,
            loop.map(UnsafeMutableRawPointer.init))
        g_main_loop_run(loop)
        g_main_loop_unref(loop)
    }

    static let response = NotificationResponse(
        id: 1,
        notification: DeliveredNotification(
            app: .tocsin,
            request: NotificationRequest(identifier: "one", content: .init(title: "One")),
            date: Instant(microseconds: 0)),
        action: .custom("like"))
}

@MainActor
private final class Delegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        print("action: \(response.actionIdentifier) on the main thread: \(Self.isMain)")
        fflush(nil)
        MainLoopProbe.isDone.store(true, ordering: .releasing)
    }

    private static var isMain: Bool { Thread.isMainThread }
}
