internal import NotificationRuntime
import UserNotifications

/// The centre of this process, with delays and a clock of the test's choice.
enum ProbeCenter {
    static func make(
        delays: DelayedWork = .system,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) -> UNUserNotificationCenter {
        UNUserNotificationCenter(
            source: ServiceSource(ServiceHost(configuration: .current(), now: now)), delays: delays)
    }
}

/// Makes failing calls, one after another, and counts the threads and descriptors that remain.
enum FailureProbe {
    static func run(_ count: Int) {
        Task.detached {
            // By this clock, each call comes an hour after the previous one, so that each call is
            // a new attempt.
            let start = ContinuousClock.now
            let calls = Calls()
            let center = ProbeCenter.make(now: {
                start + .seconds(3_600 * calls.next())
            })
            // The first attempt starts the threads that every attempt needs.
            await fail(center)
            let before = Usage()
            for _ in 0..<count { await fail(center) }
            // A thread or a connection may need a moment to end: look again, without further calls.
            var after = Usage()
            var looks = 0
            while after.threads > before.threads + 2 || after.descriptors > before.descriptors + 1,
                looks < 10_000
            {
                sched_yield()
                after = Usage()
                looks += 1
            }
            ExitProbe.report(
                "threads \(before.threads) \(after.threads) "
                    + "descriptors \(before.descriptors) \(after.descriptors)")
            exit(0)
        }
        RunLoop.main.run()
    }

    private static func fail(_ center: UNUserNotificationCenter) async {
        let content = UNMutableNotificationContent()
        content.title = "lost"
        do {
            try await center.add(
                UNNotificationRequest(identifier: "lost", content: content, trigger: nil))
            ExitProbe.report("added")
        } catch {
            // The call must fail.
        }
    }

    private struct Usage {
        var threads = count("/proc/self/task")
        var descriptors = count("/proc/self/fd")

        private static func count(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
        }
    }

    /// Unchecked: the count is reached through the lock only.
    private final class Calls: @unchecked Sendable {
        private let lock = NSLock()
        private var count = 0

        func next() -> Int {
            lock.withLock {
                count += 1
                return count
            }
        }
    }
}
