import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// What a server lost comes back on it, through every layer.
@Suite struct RestoreTests {
    private static func isRestored(_ call: NotifyCall) -> Bool {
        call.hints["x-tocsin-restored"] == .bool(true)
    }

    @Test(arguments: Hosting.allCases, [ServerScript.gnome46, .plasma64])
    func afterAServersRestartItsListIsThereAgainAndAnswers(
        _ hosting: Hosting, _ script: ServerScript
    ) async throws {
        try await ServiceHarness.run(hosting, script: script) { harness in
            try await harness.center.connect()
            for name in ["a", "b"] {
                try await harness.center.add(name)
                try await harness.center.settled { _, delivered in
                    delivered.first?.request.identifier == name
                }
            }
            let before = try await harness.service.delivered(of: harness.app)
            try await harness.server.restart()
            let again = try await harness.post(4)
            #expect(again.summary == "b" && Self.isRestored(again))
            let calls = harness.server.calls.all
            #expect(calls.map(\.summary) == ["a", "b", "a", "b"])
            #expect(calls.map(Self.isRestored) == [false, false, true, true])
            #expect(calls.map(\.replacesID) == [0, 0, 0, 0])
            #expect(again.hints["urgency"] == .byte(0))
            #expect(again.hints["suppress-sound"] == .bool(true))
            #expect(try await harness.service.delivered(of: harness.app) == before)
            try await harness.server.click(again.id, "default")
            let response = try await harness.center.response(1)
            #expect(response.notification == before[0])
            try await harness.center.settled { _, delivered in
                delivered.map(\.request.identifier) == ["a"]
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func onAServerWithoutAListNothingComesBack(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("a")
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.server.restart()
            // Shown after whatever came back would have been.
            try await harness.center.add("b")
            try await harness.center.settled { _, delivered in delivered.count == 2 }
            try await harness.center.add("c")
            try await harness.center.settled { _, delivered in delivered.count == 3 }
            #expect(harness.server.calls.all.map(\.summary) == ["a", "b", "c"])
        }
    }

    /// Plasma takes the buttons of a sender that leaves, so that nobody could answer any more.
    @Test(arguments: Hosting.allCases)
    func afterARestartOfTheEngineAPopupWithoutButtonsGetsThemBack(
        _ hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: .plasma64)
            var host = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            let first = try hosting.probe(["show", "Kept"], on: bus)
            try await first.lines.wait(for: "the delivery") { $0.contains("shown") }
            let post = try await server.calls.first("the post") { _ in true }
            first.signal(SIGKILL)
            host?.signal(SIGKILL)
            _ = try await first.exit()
            _ = try await host?.exit()
            try await server.departures.wait(for: "the sender's end") { $0.contains(post.sender) }
            #expect(await server.shown[post.id]?.actions == [])

            host = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            let second = try hosting.probe(["wait"], on: bus)
            try await second.lines.wait(for: "its connection") {
                $0.contains { $0.hasPrefix("pending") }
            }
            // Plasma refuses what is the same within a second, and takes it then.
            let again = try await server.calls.first("the post again") {
                Self.isRestored($0) && $0.id != 0
            }
            #expect(again.replacesID == post.id && again.id == post.id)
            #expect(server.calls.all.dropFirst().allSatisfy { Self.isRestored($0) })
            try await server.click(again.id, "default")
            try await second.lines.wait(for: "the response") {
                $0.contains("response com.apple.UNNotificationDefaultActionIdentifier")
            }
            await second.stop()
            await host?.stop()
            await server.stop()
        }
    }
}
