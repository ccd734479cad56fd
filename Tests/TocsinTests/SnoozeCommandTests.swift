import NotificationModel
import NotificationSchedule
import Reactor
import Testing

@testable import tocsin

/// `snooze` on the command line.
@Suite struct SnoozeCommandTests {
    private static let environment = ToolEnvironment(
        variables: [:], directory: "/tmp", now: Instant(microseconds: 1_795_258_800_000_000),
        zone: .fixed(3_600, abbreviation: "CET"), reactor: Reactor(hosted: "unused"))

    private static func snooze(_ arguments: [String]) throws -> SnoozeCommand {
        guard case .command(let command) = try Invocation.parse(["snooze"] + arguments),
            let snooze = command as? SnoozeCommand
        else { throw ToolError(.failure, "not a snooze command") }
        return snooze
    }

    @Test(
        arguments: [
            (["10m"], nil, 600), (["tea", "10m"], "tea", 600), (["2", "1h30m"], "2", 5_400),
            (["last", "90s"], "last", 90), (["10", "minutes"], nil, 600),
            (["tea", "10", "minutes"], "tea", 600), (["10m", "10m"], "10m", 600),
        ] as [([String], String?, Double)])
    func theWordsAreALengthOfTimeOrAnIdentifierAndOne(
        arguments: [String], identifier: String?, seconds: Double
    ) throws {
        let request = try Self.snooze(arguments).request()
        #expect(request.identifier == identifier)
        #expect(request.span.seconds == seconds)
    }

    @Test(
        arguments: [
            (["tea"], "tea"), (["tea", "soon"], "soon"), (["10 parsecs"], "parsecs"),
            (["tea", "10", "parsecs"], "parsecs"),
        ])
    func whatIsNoLengthOfTimeIsRefusedWithACaret(arguments: [String], text: String) throws {
        let error = try #require(throws: ToolError.self) {
            try Self.snooze(arguments).request()
        }
        #expect(error.status == .data)
        #expect(error.text.contains(text), "\(error.text)")
        #expect(error.detail.contains("^"))
    }

    @Test func withoutALengthOfTimeItHasStatus64() throws {
        let error = try #require(throws: ToolError.self) { try Invocation.parse(["snooze"]) }
        #expect(error.status == .usage)
        #expect(error.message.contains("The length of time is missing"), "\(error.message)")
    }

    @Test func itTellsTheDate() throws {
        let date = Instant(microseconds: 1_795_258_800_000_000 + 600_000_000)
        let text = try Self.snooze(["10m"]).text("tea", date, in: Self.environment)
        #expect(text == "tea: Sat 2026-11-21 12:10:00 CET (in 10 min)")
        let object = try Self.snooze(["10m", "--json"]).text("tea", date, in: Self.environment)
        #expect(object == #"{"id":"tea","nextFire":"2026-11-21T12:10:00+01:00"}"#)
    }

    @Test func aNumberIsThatOfTheListOfWhatWaits() throws {
        func request(_ identifier: String) -> NotificationRequest {
            NotificationRequest(identifier: identifier, content: .init(title: "T"))
        }
        let waiting = [request("a"), request("b")]
        let all = [request("shown")] + waiting
        #expect(try IdentifierText.resolve("1", among: all, numbered: waiting) == "a")
        #expect(try IdentifierText.resolve("sh", among: all, numbered: waiting) == "shown")
        #expect(throws: ToolError.self) {
            try IdentifierText.resolve("3", among: all, numbered: waiting)
        }
    }
}
