import DesktopBus
import Foundation
import NotificationModel
import TestSupport
import Testing

/// `tocsin push` as a real program, with the arguments of `xcrun simctl push`.
@Suite(.timeLimit(.minutes(5))) struct PushCommandTests {
    private static func push(
        _ arguments: [String], _ bus: PrivateBus
    ) async throws -> ProgramTests.Run {
        try await ProgramTests.run("tocsin", ["push"] + arguments, environment: bus.environment)
    }

    private static func file(_ text: String, in bus: PrivateBus) throws -> String {
        let path = "\(bus.directory)/payload-\(UUID().uuidString).json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `a second payload with the same collapse identifier replaces the shown payload`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let first = try Self.file(#"{"aps":{"alert":{"title":"Goal","body":"1:0"}}}"#, in: bus)
        let run = try await Self.push(
            ["org.example.Sports", first, "--collapse-id", "score", "--json"], bus)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == #"{"id":"score"}"#)
        let shown = try await server.calls.first(1)[0]
        #expect(shown.summary == "Goal" && shown.body == "1:0" && shown.appName == "Sports")
        let second = try Self.file(
            #"{"Simulator Target Bundle":"org.example.Sports","aps":{"alert":"2:0"}}"#, in: bus)
        #expect(try await Self.push([second, "--collapse-id", "score"], bus).status == 0)
        #expect(try await server.calls.first(2)[1].replacesID == shown.id)
        // The payload comes from standard input; the argument overrides its app.
        let shell = try RunningProgram(
            "sh",
            ["-c", "'\(ProgramTests.products)/tocsin' push org.example.Other - < '\(second)'"],
            environment: bus.environment)
        #expect(try await shell.exit() == 0, "\(shell.said)")
        #expect(try await server.calls.first(3)[2].appName == "Other")
        await server.stop()
    }

    /// If the commands stayed, a click on the push would run the command of the replaced request.
    @Test func `a push deletes the commands of the notification that it replaces`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        for name in ["score", "other"] {
            let added = try await ProgramTests.run(
                "tocsin", ["in", "10h", "Tea", "--id", name, "--on-click", "touch /tmp/\(name)"],
                environment: bus.environment)
            #expect(added.status == 0, "\(added.errors)")
        }
        let state = try #require(bus.environment["XDG_STATE_HOME"])
        func commands() throws -> String {
            try String(contentsOfFile: state + "/tocsin/commands.jsonl", encoding: .utf8)
        }
        #expect(try commands().contains("/tmp/score"))
        // A push that shows nothing replaces nothing.
        let silent = try Self.file(#"{"aps":{"content-available":1}}"#, in: bus)
        let taken = try await Self.push(
            ["org.tocsin.Tocsin", silent, "--collapse-id", "score"], bus)
        #expect(taken.status == 0, "\(taken.errors)")
        #expect(try commands().contains("/tmp/score"))
        let payload = try Self.file(#"{"aps":{"alert":"2:0"}}"#, in: bus)
        let pushed = try await Self.push(
            ["org.tocsin.Tocsin", payload, "--collapse-id", "score"], bus)
        #expect(pushed.status == 0, "\(pushed.errors)")
        #expect(try !commands().contains("/tmp/score"))
        #expect(try commands().contains("/tmp/other"))
        let own = try Self.file(
            #"{"aps":{"alert":"3:0"},"apns-headers":{"apns-collapse-id":"other"}}"#, in: bus)
        #expect(try await Self.push(["org.tocsin.Tocsin", own], bus).status == 0)
        #expect(try !commands().contains("/tmp/other"))
        await server.stop()
    }

    @Test func `an unusable payload is reported with its exit status`() async throws {
        let bus = try PrivateBus()
        let cases: [(String, Int32, String)] = [
            (#"{"alert":"x"}"#, 65, "no dictionary 'aps'"),
            ("{\"aps\":{},\n\"x\"}", 65, "line 2, column 4"),
            (#"{"aps":{"alert":"\#(String(repeating: "x", count: 4_096))"}}"#, 65, "4096"),
            (#"{"aps":{"badge":"1"}}"#, 65, "'aps.badge' is '1'; it must be a whole number"),
        ]
        for (text, status, reason) in cases {
            let run = try await Self.push(["org.a.B", try Self.file(text, in: bus)], bus)
            #expect(run.status == status)
            #expect(run.errors.contains(reason), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        #expect(try await Self.push([], bus).status == 64)
        #expect(try await Self.push(["a", "b", "c"], bus).status == 64)
        let missing = try await Self.push(["org.a.B", "/nonexistent.json"], bus)
        #expect(missing.status == 65 && missing.errors.contains("No such file"))
        let good = try Self.file(#"{"aps":{"alert":"x"}}"#, in: bus)
        let nameless = try await Self.push([good], bus)
        #expect(nameless.status == 65 && nameless.errors.contains("names no app"))
        let long = String(repeating: "x", count: 65)
        #expect(try await Self.push(["org.a.B", good, "--collapse-id", long], bus).status == 65)
        let other = try await Self.push(["org.a.B", good, "--priority", "7"], bus)
        #expect(other.status == 65 && other.errors.contains("10 or 5 to show the notification"))
        // A date before 1970 or in milliseconds must not mean that the push never expires.
        for option in ["--expiration=-99999999999999", "--expiration=1798761600000"] {
            let run = try await Self.push(["org.a.B", good, option], bus)
            #expect(run.status == 65 && run.errors.contains("'--expiration'"), "\(run.errors)")
        }
    }

    @Test func `a silent payload is accepted and shows nothing`() async throws {
        let bus = try PrivateBus()
        let path = try Self.file(#"{"aps":{"content-available":1}}"#, in: bus)
        let run = try await Self.push(["org.a.B", path], bus)
        #expect(run.status == 0)
        #expect(run.errors.contains("nothing to show"))
        #expect(try await Self.push(["org.a.B", path, "--json"], bus).output == #"{"id":null}"#)
    }
}
