import Foundation
import UserNotifications

/// Posts or schedules many notifications through the public API, as an app would.
///
///     PostBench post COUNT concurrent|sequential
///     PostBench due COUNT SECONDS
///
/// Prints the time of the first post (CLOCK_REALTIME, nanoseconds), then waits for the end of its
/// standard input: an app that hosts the engine itself must live until all have been shown.
@main
struct PostBench {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3, let count = Int(arguments[1]), count > 0 else {
            complain("usage: PostBench post COUNT concurrent|sequential | due COUNT SECONDS")
            exit(64)
        }
        do {
            let center = UNUserNotificationCenter.current()
            // Nobody is there to answer a question.
            _ = try await center.requestAuthorization(options: [.alert, .provisional])
            print(nanoseconds())
            fflush(nil)
            switch (arguments[0], arguments[2]) {
            case ("post", "concurrent"): try await postConcurrently(count)
            case ("post", _): try await postOneByOne(count)
            default: try await schedule(count, over: Double(arguments[2]) ?? 10)
            }
            print("added \(nanoseconds())")
            fflush(nil)
        } catch {
            complain("PostBench: \(error.localizedDescription)")
            exit(1)
        }
        while readLine() != nil {}
    }

    private static func postConcurrently(_ count: Int) async throws {
        let center = UNUserNotificationCenter.current()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                group.addTask {
                    try await center.add(request(index, title: "tocsin \(index)", trigger: nil))
                }
            }
            try await group.waitForAll()
        }
    }

    private static func postOneByOne(_ count: Int) async throws {
        let center = UNUserNotificationCenter.current()
        for index in 0..<count {
            try await center.add(request(index, title: "tocsin \(index)", trigger: nil))
        }
    }

    /// Each title is the time at which its notification is due: the server compares.
    private static func schedule(_ count: Int, over seconds: Double) async throws {
        let center = UNUserNotificationCenter.current()
        for index in 0..<count {
            // From three seconds on, so that all are scheduled before the first is due.
            let interval = 3 + seconds * Double(index) / Double(count)
            let due = nanoseconds() + Int(interval * 1e9)
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: false)
            try await center.add(request(index, title: "\(due)", trigger: trigger))
        }
    }

    private static func request(
        _ index: Int, title: String, trigger: UNNotificationTrigger?
    ) -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = title
        content.body = "body"
        return UNNotificationRequest(
            identifier: "bench-\(index)", content: content, trigger: trigger)
    }

    private static func nanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
