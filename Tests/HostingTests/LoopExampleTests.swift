import HostingSupport
import TestSupport
import Testing

/// The program `Demo`, and the examples for programs that have a main loop of their own.
///
/// Each test clicks the popup of the program that it runs.
@Suite(.timeLimit(.minutes(5))) struct LoopExampleTests {
    @Test(arguments: ["poll", "frames", "notifiers"])
    func `the response reaches the program on the loop's main thread`(_ loop: String) async throws {
        try await run("MainLoops", [loop, "0.2"]) { program in
            try await program.lines.first("the answer") {
                $0 == "action: com.apple.UNNotificationDefaultActionIdentifier "
                    + "on the main thread: true"
            }
            #expect(try await program.exit() == 0)
            try await program.lines.untilFinished()
            #expect(program.lines.all.last == "The loop has ended.")
        }
    }

    @Test func `the response ends GLib's main loop`() async throws {
        try await run("GLibMainLoop", ["0.2"]) { program in
            try await program.lines.first("the answer") {
                $0 == "action: com.apple.UNNotificationDefaultActionIdentifier"
            }
            #expect(try await program.exit() == 0)
        }
    }

    /// A demo that counted the timeout from its start would end before its notification is due.
    ///
    /// The timeout is long, because the popup and the response take seconds on a busy machine.
    @Test func `the demo waits until its notification is due, and then for the timeout`()
        async throws
    {
        try await run("Demo", ["--after", "12", "--timeout", "11"]) { program in
            try await program.lines.first("the answer") {
                $0 == "action: com.apple.UNNotificationDefaultActionIdentifier"
            }
            #expect(try await program.exit() == 0)
        }
    }

    private func run(
        _ name: String, _ arguments: [String], _ body: (RunningProgram) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            try await HostedService.allow(.embedded, on: bus)
            // Without `stdbuf`, the program would buffer its output because it writes to a pipe.
            let program = try RunningProgram(
                "stdbuf", ["-oL", try HostedService.program(name)] + arguments,
                environment: Hosting.embedded.environment(bus.environment))
            do {
                let calls = try await server.calls.wait(for: "the popup") { !$0.isEmpty }
                try await server.click(calls[0].id, "default")
                try await body(program)
            } catch {
                await program.stop()
                throw HarnessError("\(error)\n\(name) said:\n\(program.said)")
            }
            await program.stop()
            await server.stop()
        }
    }
}
