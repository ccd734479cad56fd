import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct KillTests {
    @Test(arguments: Hosting.allCases)
    func `a request fires once although its process was killed before the due time`(
        _ hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            var host = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            let first = try hosting.probe(["add", "6", "Survivor"], on: bus)
            try await first.lines.wait(for: "the add") { $0.contains("added") }
            first.signal(SIGKILL)
            host?.signal(SIGKILL)
            _ = try await first.exit()
            _ = try await host?.exit()
            #expect(server.calls.all.isEmpty, "the process was killed before the request was due")

            host = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            let second = try hosting.probe(["wait"], on: bus)
            // Click only when the app is connected: an earlier click would start a second instance.
            try await second.lines.wait(for: "its connection") {
                $0.contains { $0.hasPrefix("pending") }
            }
            let calls = try await server.calls.wait(for: "the post") { !$0.isEmpty }
            #expect(calls.map(\.summary) == ["Survivor"])
            // The response arrives only after the delivery is stored.
            try await server.click(calls[0].id, "default")
            try await second.lines.wait(for: "the response") {
                $0.contains { $0.hasPrefix("response") }
            }
            await second.stop()
            await host?.stop()

            // A third start finds nothing left to show.
            host = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            let third = try hosting.probe(["wait"], on: bus)
            try await third.lines.wait(for: "the empty list") { $0.contains("pending 0") }
            #expect(server.calls.all.count == 1)
            await third.stop()
            await host?.stop()
            await server.stop()
        }
    }

    /// The centre keeps a response until the app acknowledges it.
    ///
    /// An app that dies in its handler may not have acted on the response.
    @Test(arguments: Hosting.allCases)
    func `an app that is killed in its response handler gets the response again at its next start`(
        _ hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let host = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            let first = try hosting.probe(["add", "0.1", "Survivor", "stalling"], on: bus)
            let post = try await server.calls.first("the post") { _ in true }
            try await server.click(post.id, "default")
            let answer = "response com.apple.UNNotificationDefaultActionIdentifier"
            try await first.lines.wait(for: "the response") { $0.contains(answer) }
            first.signal(SIGKILL)
            _ = try await first.exit()

            let second = try hosting.probe(["wait"], on: bus)
            try await second.lines.wait(for: "the response again") {
                $0.contains(answer) && $0.contains("acknowledged")
            }
            await second.stop()

            // The app acknowledged the response, so the centre has none for a third start.
            let center = try await HostedService.attach(hosting, on: bus)
            #expect(try await center.service.status().responseCount == 0)
            #expect(server.calls.all.count == 1)
            await host?.stop()
            await server.stop()
        }
    }
}
