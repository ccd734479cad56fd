internal import NotificationRuntime
import UserNotifications

/// The centre of this process with another sense of time.
enum ProbeCenter {
    static func make(
        delays: DelayedWork = .system,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) -> UNUserNotificationCenter {
        UNUserNotificationCenter(
            source: ServiceSource(ServiceHost(configuration: .current(), now: now)), delays: delays)
    }
}

/// Calls that fail, one after another, and the threads and descriptors that they leave.
enum FailureProbe {
    static func run(_ count: Int) {
        Task.detached {
            // Each call comes long after the one before, so each is a new try.
            let start = ContinuousClock.now
            let calls = Calls()
            let center = ProbeCenter.make(now: {
                start + .seconds(3_600 * calls.next())
            })
            // The first try starts what one try needs.
            await fail(center)
            let before = Usage()
            for _ in 0..<count { await fail(center) }
            // A thread that is asked to end may need a moment, but no further try.
            var after = Usage()
            var looks = 0
            while after.threads > before.threads + 2, looks < 10_000 {
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
            // As it must.
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
