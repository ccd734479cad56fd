import Glibc
import UserNotifications

/// An app for tests of a program's end, and of leaks after calls that fail.
///
/// - `last`: adds a request that is due at once, as its last line.
/// - `later`: adds a request for tomorrow, as its last line.
/// - `stay`: adds a request for tomorrow, and returns from `main` after SIGTERM.
/// - `pool`: does the same as `last` in a task, and ends the program on a thread of Swift's pool.
/// - `spin`: keeps every thread of Swift's pool busy, adds a request for tomorrow, and ends.
/// - `ask`: asks for permission, and ends while the user thinks about it.
/// - `fork`: adds a request for tomorrow, forks, and reports how the child ended.
/// - `handle`: its delegate handles one response and ends the program at once.
/// - `forget`: its delegate forgets the handler; reports when the centre is idle.
/// - `blocked`: sets a delegate and never serves the main queue.
/// - `fail COUNT`: makes calls that fail, and reports its numbers of threads and descriptors.
@main
struct ExitProbe {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // A probe that hangs must not hang the tests.
        alarm(120)
        switch arguments.first {
        case "last": add("last line")
        case "later": add("later", in: 86_400)
        case "stay": endAfterSignal()
        case "pool": endInPool()
        case "spin": endBesideBusyThreads()
        case "ask": UNUserNotificationCenter.current().requestAuthorization { _, _ in }
        case "fork": endInChild()
        case "handle": DelegateProbe.run(.ends)
        case "forget": DelegateProbe.run(.forgets)
        case "blocked": DelegateProbe.block()
        case "fail": FailureProbe.run(arguments.dropFirst().first.flatMap { Int($0) } ?? 100)
        default: exit(64)
        }
    }

    static func add(_ title: String, in seconds: TimeInterval? = nil) {
        let content = UNMutableNotificationContent()
        content.title = title
        let trigger = seconds.map {
            UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: false)
        }
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: title, content: content, trigger: trigger))
    }

    /// Writes without a buffer: the test reads the line while the program runs.
    static func report(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private static func endAfterSignal() {
        // Block the signal before the library starts its threads; otherwise a thread would get it.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        add("later", in: 86_400)
        // The centre answers calls in order, so it has stored the request when this answer comes.
        UNUserNotificationCenter.current().getPendingNotificationRequests {
            report("pending \($0.count)")
        }
        var signal: CInt = 0
        sigwait(&signals, &signal)
    }

    private static func endInPool() {
        Task.detached {
            add("last line")
            exit(0)
        }
        while true { pause() }
    }

    private static func endBesideBusyThreads() {
        let count = ProcessInfo.processInfo.activeProcessorCount
        let isSpinning = DispatchSemaphore(value: 0)
        for _ in 0..<count {
            Task.detached {
                isSpinning.signal()
                while true { sched_yield() }
            }
        }
        // The pool has as many threads as there are processors.
        for _ in 0..<count { isSpinning.wait() }
        add("spin", in: 86_400)
        report("ends")
        exit(0)
    }

    /// Swift hides fork(2), which C libraries that an app uses may call.
    private static func endInChild() {
        add("later", in: 86_400)
        guard let symbol = dlsym(nil, "fork") else { return }
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 { exit(7) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        report("child \((status >> 8) & 0xff)")
    }
}
