import Foundation
import TestSupport
import Testing

@testable import tocsin

/// `tocsin run`: a command in its place, and a notification of its end.
@Suite struct RunCommandTests {
    private static var noBus: [String: String] {
        [
            "HOME": "/nonexistent", "PATH": "/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
        ]
    }

    @Test(
        arguments: [
            (["sh", "-c", "exit 7"], 7), (["true"], 0), (["sh", "-c", "kill -TERM $$"], 143),
            (["/nonexistent/x"], 127), (["/"], 126),
        ] as [([String], Int32)])
    func theStatusIsThatOfTheCommandWithoutABusToo(
        command: [String], status: Int32
    ) async throws {
        let run = try await ProgramTests.run(
            "tocsin", ["run", "--"] + command, environment: Self.noBus)
        #expect(run.status == status)
        #expect(run.errors.hasPrefix("tocsin: "))
    }

    @Test func whatNobodyIsNotifiedOfNeedsNoBus() async throws {
        for options in [["--on-fail"], ["--over", "1h"]] {
            let run = try await ProgramTests.run(
                "tocsin", ["run"] + options + ["--", "true"], environment: Self.noBus)
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
        }
    }

    @Test func inputOutputAndErrorsPassThrough() async throws {
        let shell = try RunningProgram(
            "sh",
            [
                "-c",
                "echo in | \(ProgramTests.products)/tocsin run --on-fail -- "
                    + "sh -c 'read a; echo out $a; echo err >&2'",
            ], environment: Self.noBus)
        #expect(try await shell.exit() == 0)
        try await shell.lines.untilFinished()
        #expect(shell.lines.all == ["out in"])
        #expect(shell.said == "out in\nerr\n")
    }

    @Test func aLogHasWhatWasSaidAndMoreThanAPipeHolds() async throws {
        try await InstallationTests.withFolder { directory in
            let log = "\(directory)/log"
            let run = try await ProgramTests.run(
                "tocsin",
                [
                    "run", "--on-fail", "--log", log, "--", "sh", "-c",
                    "echo err >&2; seq 1 30000",
                ], environment: Self.noBus)
            #expect(run.status == 0)
            #expect(run.errors == "err\n")
            let lines = (1...30_000).map(String.init)
            #expect(run.output == lines.joined(separator: "\n"))
            let text = try String(contentsOfFile: log, encoding: .utf8)
            #expect(Set(text.split(separator: "\n")) == Set((lines + ["err"]).map { $0[...] }))
        }
    }

    @Test func aLogThatCannotBeWrittenRunsNothing() async throws {
        let run = try await ProgramTests.run(
            "tocsin", ["run", "--log", "/nonexistent/log", "--", "echo", "ran"],
            environment: Self.noBus)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("The command was not run"))
    }

    @Test func aSignalIsHandedOn() async throws {
        let running = try RunningProgram(
            "\(ProgramTests.products)/tocsin",
            [
                "run", "--", "sh", "-c",
                "trap 'echo got; exit 9' USR1; echo up; while :; do read x; done",
            ],
            environment: Self.noBus)
        try await running.lines.first("the command") { $0 == "up" }
        running.signal(SIGUSR1)
        #expect(try await running.exit() == 9)
        try await running.lines.untilFinished()
        #expect(running.lines.all == ["up", "got"])
    }

    @Test func itsEndIsNotifiedOfWithAButtonThatOpensTheLog() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let log = "\(bus.directory)/it's a log"
        let run = try await ProgramTests.run(
            "tocsin", ["run", "--log", log, "--", "sh", "-c", "exit 3"],
            environment: bus.environment)
        #expect(run.status == 3, "\(run.errors)")
        let shown = try await server.calls.first("the popup") { _ in true }
        #expect(shown.summary == "sh -c exit 3 failed")
        #expect(shown.body.hasPrefix("after 0 s, exit code 3"))
        #expect(shown.actions.map(\.label).first == "Open log")
        let list = try await ProgramTests.run(
            "tocsin", ["list", "--delivered", "--json", "--commands"],
            environment: bus.environment)
        #expect(list.output.contains(#""click":"exec xdg-open '"#))
        #expect(list.output.contains(#"it'\\''s a log'"#))
        await server.stop()
    }

    @Test(
        arguments: [
            (0, 61, "make is done", "after 1 min 1 s, exit code 0"),
            (2, 0.2, "make failed", "after 0 s, exit code 2"),
            (137, 3_600, "make failed", "after 1 h, ended by signal 9"),
        ] as [(Int32, Double, String, String)])
    func anOutcomeIsSaidInOneSentence(
        status: Int32, seconds: Double, title: String, text: String
    ) {
        let outcome = RunOutcome(command: ["make"], status: status, seconds: seconds)
        #expect(outcome.title == title)
        #expect(outcome.text == text)
    }

    @Test func aLongCommandIsCut() {
        let outcome = RunOutcome(
            command: ["echo", String(repeating: "x", count: 100), "\u{1B}"], status: 0, seconds: 0)
        #expect(outcome.title.count == 60 + "… is done".count)
        #expect(!outcome.title.contains("\u{1B}"))
    }
}
