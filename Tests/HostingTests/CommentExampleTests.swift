import DesktopBus
import HostingSupport
import TestSupport
import Testing

/// The comment field of the example `NewsChapters`, on a server that draws text fields in popups.
@Suite(.timeLimit(.minutes(5))) struct CommentExampleTests {
    @Test(arguments: Hosting.allCases)
    func `a comment typed into the popup reaches the program`(_ hosting: Hosting) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: .plasma64)
            let host = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            // Without `stdbuf`, the program would buffer its output because it writes to a pipe.
            let program = try RunningProgram(
                "stdbuf", ["-oL", try HostedService.program("NewsChapters"), "actions", "0.2"],
                environment: hosting.environment(bus.environment))
            let post = try await server.calls.first("the popup") { _ in true }
            #expect(post.actions.first?.key == "inline-reply")
            #expect(post.hints["x-kde-reply-placeholder-text"] == .string("What do you think?"))
            #expect(post.hints["x-kde-reply-submit-button-text"] == .string("Send"))
            try await server.reply(post.id, "Not me, said the cat.")
            try await program.lines.first("the comment") {
                $0 == "You wrote: Not me, said the cat."
            }
            #expect(try await program.exit() == 0)
            await host?.stop()
            await server.stop()
        }
    }
}
