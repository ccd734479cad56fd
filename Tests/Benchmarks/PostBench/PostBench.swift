import Foundation
import UserNotifications

/// Posts or schedules many notifications through the public API, as an app would.
///
///     PostBench post COUNT concurrent|sequential
///     PostBench due COUNT SECONDS
///     PostBench add COUNT IN_FLIGHT
///     PostBench click COUNT
///
/// Prints the time of the first post (CLOCK_REALTIME, nanoseconds), then waits until its standard
/// input ends. An app that hosts the engine must live until it has shown all notifications.
@main
struct PostBench {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let count = Int(arguments[1]), count > 0 else {
            complain(
                "usage: PostBench post COUNT concurrent|sequential | due COUNT SECONDS"
                    + " | add COUNT IN_FLIGHT | click COUNT")
            exit(64)
        }
        let detail = arguments.count > 2 ? arguments[2] : ""
        do {
            let center = UNUserNotificationCenter.current()
            // Provisional permission needs no answer: nobody could click a prompt here.
            _ = try await center.requestAuthorization(options: [.alert, .provisional])
            printLine("\(nanoseconds())")
            switch (arguments[0], detail) {
            case ("post", "concurrent"): try await postConcurrently(count)
            case ("post", _): try await postOneByOne(count)
            case ("add", _): try await add(count, inFlight: Int(detail) ?? 1)
            case ("click", _): try await awaitClicks(count)
            default: try await schedule(count, over: Double(detail) ?? 10)
            }
            printLine("added \(nanoseconds())")
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

    /// Each title is the due time of its request; the benchmark compares it with the arrival.
    private static func schedule(_ count: Int, over seconds: Double) async throws {
        let center = UNUserNotificationCenter.current()
        for index in 0..<count {
            // The first request is due after three seconds, when all are scheduled.
            let interval = 3 + seconds * Double(index) / Double(count)
            let due = nanoseconds() + Int(interval * 1e9)
            let trigger = UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: false)
            try await center.add(request(index, title: "\(due)", trigger: trigger))
        }
    }

    /// Schedules for ten years from now; prints the nanoseconds of each call and of all together.
    private static func add(_ count: Int, inFlight: Int) async throws {
        let center = UNUserNotificationCenter.current()
        let start = nanoseconds(CLOCK_MONOTONIC)
        let durations = try await withThrowingTaskGroup(of: [Int].self) { group in
            for first in 0..<inFlight {
                group.addTask {
                    var durations: [Int] = []
                    for index in stride(from: first, to: count, by: inFlight) {
                        let trigger = UNTimeIntervalNotificationTrigger(
                            timeInterval: 315_360_000, repeats: false)
                        let request = request(index, title: "add \(index)", trigger: trigger)
                        let begun = nanoseconds(CLOCK_MONOTONIC)
                        try await center.add(request)
                        durations.append(nanoseconds(CLOCK_MONOTONIC) - begun)
                    }
                    return durations
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let total = nanoseconds(CLOCK_MONOTONIC) - start
        printLine(durations.map(String.init).joined(separator: "\n"))
        printLine("all \(total)")
    }

    /// Posts each notification after the click on the previous one.
    ///
    /// Prints the time of each delegate call (CLOCK_MONOTONIC, nanoseconds) with the title.
    private static func awaitClicks(_ count: Int) async throws {
        let center = UNUserNotificationCenter.current()
        let listener = ClickListener()
        center.delegate = listener
        var clicks = listener.clicks.stream.makeAsyncIterator()
        for index in 0..<count {
            try await center.add(request(index, title: "tocsin \(index)", trigger: nil))
            if let click = await clicks.next() { printLine("\(click.time) \(click.title)") }
        }
        withExtendedLifetime(listener) {}
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

    static func nanoseconds(_ clock: clockid_t = CLOCK_REALTIME) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func printLine(_ line: String) {
        print(line)
        fflush(nil)
    }

    private static func complain(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
