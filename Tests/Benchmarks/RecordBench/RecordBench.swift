import Foundation
import NotificationModel

/// Measures how long our coders and Foundation's take to write a request as JSON and to read it.
///
///     RecordBench [ROUNDS]
///
/// Our coders and Foundation's take turns with the same request in one run. The figures are
/// processor time of the process. Prints one line for each request, with tabs between the fields:
/// the name, our microseconds, Foundation's microseconds, and the ratio.
@main
struct RecordBench {
    static func main() throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5_000
        for (name, request) in [("a reminder", reminder), ("every field", full)] {
            let encoder = JSONEncoder()
            let decoder = JSONDecoder()
            func ours() throws -> Int {
                let entries = NotificationRequest.record.entries(of: request)
                let bytes = try RecordJSON.bytes(of: entries, "it")
                let back = try NotificationRequest.record.value(
                    of: RecordJSON.entries(of: bytes, "it"), "it")
                return back.identifier.utf8.count
            }
            let coded = CodedRequest(request)
            func theirs() throws -> Int {
                let data = try encoder.encode(coded)
                return try decoder.decode(CodedRequest.self, from: data).identifier.utf8.count
            }
            var costs: [(ours: Double, theirs: Double)] = []
            for _ in 0..<5 {
                costs.append((try measure(rounds, ours), try measure(rounds, theirs)))
            }
            let median = (
                ours: costs.map(\.ours).sorted()[2], theirs: costs.map(\.theirs).sorted()[2]
            )
            print(
                [
                    name, String(format: "%.2f", median.ours),
                    String(format: "%.2f", median.theirs),
                    String(format: "%.3f", median.ours / median.theirs),
                ].joined(separator: "\t"))
        }
    }

    /// A typical request.
    static let reminder = NotificationRequest(
        identifier: "tea", content: NotificationContent(title: "Tea is ready", body: "Enjoy"),
        trigger: .interval(seconds: 180, repeats: false))

    /// A request with a value in every field.
    static let full: NotificationRequest = {
        var content = NotificationContent(title: "Invitation", body: "Weekly staff meeting")
        content.subtitle = "Room 2"
        content.badge = 3
        content.sound = NotificationSound(.named("bell"), isCritical: true, volume: 0.5)
        content.attachments = [
            NotificationAttachment(
                identifier: "picture", path: "/tmp/picture.png", type: "public.png",
                options: ["hidden": .boolean(true)])
        ]
        content.userInfo = [
            "meeting": .dictionary(["id": .integer(12_345), "owner": .string("hanna")]),
            "start": .date(Instant(microseconds: 1_800_000_000_000_000)),
        ]
        content.categoryIdentifier = "MEETING_INVITATION"
        content.threadIdentifier = "staff"
        content.targetContentIdentifier = "calendar"
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.75
        content.localization = ContentLocalization(
            title: LocalizedText(key: "INVITATION", arguments: ["Hanna"]))
        var components = CalendarComponents()
        (components.hour, components.minute, components.weekday) = (9, 30, 2)
        return NotificationRequest(
            identifier: "8A5F2A34-2C0C-4E1B-9C53-D4E1F14F8B6C", content: content,
            trigger: .calendar(components, repeats: true))
    }()

    /// Keeps the compiler from leaving out the measured work.
    nonisolated(unsafe) private static var sink = 0

    /// Returns the microseconds of processor time for each round.
    private static func measure(_ rounds: Int, _ body: () throws -> Int) rethrows -> Double {
        let start = microseconds()
        for _ in 0..<rounds { sink &+= try body() }
        return (microseconds() - start) / Double(rounds)
    }

    private static func microseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
    }
}
