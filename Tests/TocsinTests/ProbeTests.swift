import DesktopBus
import Foundation
import Freedesktop
import TestSupport
import Testing

@testable import tocsin

/// `tocsin probe`: its row, and the program against a server that a test plays.
@Suite struct ProbeTests {
    // MARK: The row

    private static func report() -> ProbeReport {
        var report = ProbeReport(
            server: ServerInformation(
                name: "dunst", vendor: "knopwob", version: "1.9.0 (2022-06-27)",
                specification: "1.2", capabilities: ["body", "actions"]))
        report.outcomes = [.name: "yes", .unknownID: "taken, silence"]
        report.closing = "told, reason 3"
        return report
    }

    @Test func theRowHasTheColumnsOfTheArticle() throws {
        let lines = Self.report().text.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("| server | app’s name | app’s icon | picture |"))
        #expect(lines[2].hasPrefix("| dunst 1.9.0 | yes | not measured | not measured |"))
        #expect(
            lines[2].hasSuffix("| taken, silence | not measured | not measured | not measured |"))
        #expect(lines[3...] == ["closed by the app: told, reason 3", "capabilities: actions body"])
        let columns = lines[..<3].map { $0.split(separator: "|").count }
        #expect(Set(columns) == [ProbeCell.allCases.count + 1])
        let article = try String(
            contentsOfFile: KeptText.root
                + "/Sources/UserNotifications/UserNotifications.docc/SupportedDesktops.md",
            encoding: .utf8)
        let headings = article.split(separator: "\n").filter { $0.hasPrefix("| server |") }
            .flatMap { $0.split(separator: "|").dropFirst() }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(headings == ProbeCell.allCases.map(\.title))
    }

    @Test func theObjectNamesEachCell() {
        let text = Self.report().object.text
        #expect(
            text.hasPrefix(
                #"{"server":"dunst","vendor":"knopwob","version":"1.9.0 (2022-06-27)","#
                    + #""specification":"1.2","capabilities":["actions","body"],"#
                    + #""closing":"told, reason 3","cells":{"name":"yes","icon":"not measured","#))
    }

    @Test func whatAPersonTypesIsRead() {
        #expect(["y", " Yes ", "n", "NO"].map(ProbeRun.yesOrNo) == ["yes", "yes", "no", "no"])
        #expect(["", "maybe", "yn"].allSatisfy { ProbeRun.yesOrNo($0) == nil })
        #expect(
            ["0", "3", "5", "m", "L"].map(ProbeRun.count)
                == ["no", "3", "5", "in a menu", "a list"])
        #expect(["6", "-1", "x", ""].allSatisfy { ProbeRun.count($0) == nil })
    }

    // MARK: The program

    private static func run(
        script: ServerScript = ServerScript(),
        _ body: (PrivateBus, ScriptedServer) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: script)
            try await body(bus, server)
            await server.stop()
        }
    }

    private static func probe(
        _ arguments: [String], on bus: PrivateBus
    ) throws -> RunningProgram {
        try RunningProgram(
            ProgramTests.products + "/tocsin", ["probe"] + arguments,
            environment: bus.environment)
    }

    /// Lets the popup that is to leave by itself do so.
    private static func expire(_ server: ScriptedServer) async throws {
        let call = try await server.calls.first("the last popup") { $0.timeout == 2_000 }
        try await server.close(call.id, reason: 1)
    }

    @Test func whatNeedsNoHandIsAnsweredAndNothingIsLeft() async throws {
        var script = ServerScript()
        script.closesUnknown = true
        try await Self.run(script: script) { bus, server in
            let program = try Self.probe(["--auto", "--json"], on: bus)
            try await Self.expire(server)
            #expect(try await program.exit() == 0, "\(program.said)")
            try await program.lines.untilFinished()
            let line = try #require(program.lines.all.first)
            for part in [
                #""server":"Scripted""#, #""closing":"told, reason 3""#, #""expiry":"yes""#,
                #""replace":"yes""#, #""doNotDisturb":"not told""#, #""silenceSeen":"is not told""#,
                #""unknownID":"new id, told closed""#, #""name":"not measured""#,
            ] {
                #expect(line.contains(part), "\(part)\n\(line)")
            }
            #expect(await server.shown.isEmpty)
        }
    }

    @Test func doNotDisturbIsReportedAsItIs() async throws {
        var script = ServerScript.plasma64
        script.isInhibited = true
        try await Self.run(script: script) { bus, server in
            let program = try Self.probe(["--auto", "--json"], on: bus)
            try await Self.expire(server)
            #expect(try await program.exit() == 0, "\(program.said)")
            try await program.lines.untilFinished()
            #expect(program.lines.all.first?.contains(#""doNotDisturb":"on""#) == true)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func anInterruptionTakesThePopupAway(signal: Int32) async throws {
        try await Self.run { bus, server in
            let program = try Self.probe(["--auto"], on: bus)
            // It waits for the end of this one.
            try await server.calls.first("the last popup") { $0.timeout == 2_000 }
            program.signal(signal)
            #expect(try await program.exit() == 130, "\(program.said)")
            #expect(program.said.contains("taken away"))
            #expect(await server.shown.isEmpty)
        }
    }

    @Test func aServerThatLeavesEndsIt() async throws {
        try await Self.run { bus, server in
            let program = try Self.probe(["--auto"], on: bus)
            try await server.calls.first("the last popup") { $0.timeout == 2_000 }
            await server.stop()
            #expect(try await program.exit() == 69, "\(program.said)")
            #expect(program.said.contains("left the bus"))
        }
    }

    @Test func aServerThatRefusesIsQuoted() async throws {
        var script = ServerScript()
        script.failures = .all("org.freedesktop.Notifications.MaxNotificationsExceeded")
        try await Self.run(script: script) { bus, _ in
            let program = try Self.probe(["--auto"], on: bus)
            #expect(try await program.exit() == 1, "\(program.said)")
            #expect(program.said.contains("Exceeded maximum number of notifications"))
        }
    }

    @Test func withoutAServerOrATerminalItSaysWhatToDo() async throws {
        let bus = try PrivateBus()
        let lonely = try Self.probe(["--auto"], on: bus)
        #expect(try await lonely.exit() == 69)
        #expect(lonely.said.contains("install one such as dunst"))
        let blind = try Self.probe([], on: bus)
        #expect(try await blind.exit() == 64)
        #expect(blind.said.contains("--auto"))
        let hasty = try Self.probe(["--limit", "0"], on: bus)
        #expect(try await hasty.exit() == 64)
        #expect(hasty.said.contains("1 to 3600"))
    }

    @Test func aPersonAtATerminalIsAskedOneThingAfterAnother() async throws {
        try await Self.run { bus, server in
            let program = try TerminalProgram(
                ProgramTests.products + "/tocsin", ["probe", "--json"],
                environment: bus.environment, in: bus.directory)
            for (question, answer) in [
                ("app’s name", "maybe"), ("app’s name", "y"), ("app’s icon", "y"),
                ("picture", "y"), ("app’s icon", "n"), ("text as written", "s"),
                ("buttons of 5", "m"),
            ] {
                try await Self.wait(for: question, answering: answer, at: program)
            }
            try await Self.act(on: "Press the button", server) {
                try await server.click($0.id, "action.Like")
            }
            try await Self.act(on: "Click the text", server) {
                try await server.close($0.id, reason: 2)
            }
            try await Self.act(on: "Close it", server) {
                try await server.close($0.id, reason: 2)
            }
            try await Self.expire(server)
            #expect(try await program.exit() == 0, "\(program.said)")
            let line = try #require(program.lines.all.first { $0.hasPrefix("{") })
            #expect(
                line.contains(
                    #""cells":{"name":"yes","icon":"without a picture","image":"yes","#
                        + #""markup":"not measured","buttons":"in a menu","button":"yes","#
                        + #""body":"closes","dismissal":"yes","reply":"by a dialog","#
                        + #""expiry":"yes","windowRunning":"not measured""#), "\(line)")
            #expect(line.contains(#""windowCold":"not measured","replace":"yes""#), "\(line)")
            #expect(await server.shown.isEmpty)
        }
    }

    /// Each question is on a line of its own, as often as it is asked.
    private static func wait(
        for question: String, answering answer: String, at program: TerminalProgram
    ) async throws {
        try await program.lines.wait(for: question) { lines in
            lines.last { $0.contains("[") }?.contains(question + ":") == true
                && lines.last?.contains("[") == true
        }
        // The terminal's echo is more than was there; the same question may be the next at once.
        let count = program.lines.all.count
        try program.type(answer)
        try await program.lines.wait(for: "the echo of \(answer)") { $0.count > count }
    }

    private static func act(
        on title: String, _ server: ScriptedServer,
        _ deed: (NotifyCall) async throws -> Void
    ) async throws {
        try await deed(try await server.calls.first(title) { $0.summary == title })
    }
}
