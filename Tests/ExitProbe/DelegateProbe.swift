import UserNotifications

/// A delegate that ends the program, or never calls its handler.
@MainActor
final class DelegateProbe: NSObject, UNUserNotificationCenterDelegate {
    enum Conduct {
        case ends
        case forgets
    }

    private let conduct: Conduct

    private init(_ conduct: Conduct) {
        self.conduct = conduct
    }

    nonisolated static func run(_ conduct: Conduct) {
        Task { @MainActor in
            let probe = DelegateProbe(conduct)
            // For a delegate that forgets the handler, each delay of the centre ends at once.
            let center =
                conduct == .ends
                ? UNUserNotificationCenter.current()
                : ProbeCenter.make(delays: DelayedWork { _, work in work() })
            center.delegate = probe
            let content = UNMutableNotificationContent()
            content.title = "click here"
            do {
                try await center.add(
                    UNNotificationRequest(identifier: "click", content: content, trigger: nil))
            } catch {
                ExitProbe.report("not added: \(error)")
            }
            await center.untilIdle()
            ExitProbe.report("idle")
            withExtendedLifetime(probe) { exit(0) }
        }
        RunLoop.main.run()
    }

    /// Blocks the main thread until the centre has checked whether the main queue is blocked.
    ///
    /// The centre schedules this check for five seconds later; the probe runs it at once.
    nonisolated static func block() {
        let isOver = DispatchSemaphore(value: 0)
        let center = ProbeCenter.make(
            delays: DelayedWork { duration, work in
                guard duration == .seconds(5) else { return }
                work()
                isOver.signal()
            })
        MainActor.assumeIsolated {
            let probe = DelegateProbe(.forgets)
            center.delegate = probe
            withExtendedLifetime(probe) { isOver.wait() }
        }
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        ExitProbe.report("response \(response.notification.request.identifier)")
        guard MainActor.assumeIsolated({ conduct == .ends }) else { return }
        completionHandler()
        exit(0)
    }
}
