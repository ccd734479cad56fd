import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The rules of GNOME 46 and Plasma 6.4 for popups whose sender has left the bus.
///
/// GNOME removes such popups, and Plasma removes their buttons. The daemon therefore posts for the
/// app, and stays on the bus when the app leaves.
@Suite(.timeLimit(.minutes(5))) struct DesktopRuleTests {
    enum Desktop: String, CaseIterable, CustomTestStringConvertible {
        case gnome46
        case plasma64

        var testDescription: String { rawValue }

        var script: ServerScript {
            var script = self == .gnome46 ? ServerScript.gnome46 : .plasma64
            // The tests show the same text repeatedly; see `ScriptedServerTests`.
            script.repeatInterval = nil
            return script
        }
    }

    private static let tea = NotificationCategory(
        identifier: "tea",
        actions: [NotificationAction(identifier: "drink", title: "Drink", options: .foreground)],
        options: .customDismissAction)

    private static func run(
        _ desktop: Desktop, _ body: @Sendable (ServiceHarness) async throws -> Void
    ) async throws {
        try await ServiceHarness.run(.daemon, script: desktop.script) { harness in
            try await harness.service.setCategories([tea], of: harness.app)
            try await harness.center.connect()
            try await body(harness)
        }
    }

    private static func show(_ names: [String], in harness: ServiceHarness) async throws {
        for name in names {
            try await harness.center.add(name) { $0.categoryIdentifier = "tea" }
        }
    }

    @Test(arguments: Desktop.allCases)
    func `a click on a button starts an app that has quit`(_ desktop: Desktop) async throws {
        try await LaunchStage.run(script: desktop.script) { stage in
            let post = try await stage.schedule()
            try await stage.server.click(post.id, post.key("return"))
            try await stage.report("the response") { $0.contains("acknowledged") }
            #expect(
                stage.lines.all == [
                    "start token token-\(post.id) words  for probe", "response open cup 7",
                    "acknowledged",
                ])
            #expect(try await stage.center().service.status().responseCount == 0)
        }
    }

    @Test(arguments: Desktop.allCases)
    func `popups and their buttons stay when their app leaves`(_ desktop: Desktop) async throws {
        try await LaunchStage.run(script: desktop.script) { stage in
            let post = try await stage.schedule()
            #expect(await stage.server.shown[post.id]?.actions == post.actions)
            #expect(stage.server.departures.all.isEmpty)
            #expect(post.actions.map(\.label).contains("Return"))
        }
    }

    @Test(arguments: Desktop.allCases)
    func `a click and the close that follows are one response`(_ desktop: Desktop) async throws {
        try await Self.run(desktop) { harness in
            try await Self.show(["a", "b"], in: harness)
            let (first, second) = (try await harness.post(1), try await harness.post(2))
            try await harness.server.click(first.id, first.actions[0].key)
            #expect(try await harness.center.response(1).action == .custom("drink"))
            try await harness.server.close(second.id, reason: 2)
            #expect(try await harness.center.response(2).action == .dismiss)
            try await harness.center.settled { _, delivered in delivered.isEmpty }
            #expect(harness.center.events.all.count == 2)
        }
    }

    /// The server may remove a dead daemon's popups, but the user did not dismiss them.
    @Test(arguments: Desktop.allCases)
    func `popups that the server removes when the daemon dies are not reported as dismissed`(
        _ desktop: Desktop
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: desktop.script)
            let first = try await HostedService.startDaemon(on: bus)
            let client = try await HostedService.client(on: bus)
            let app = try ApplicationID("org.tocsin.Test")
            try await client.setCategories([Self.tea], of: app)
            for name in ["a", "b"] {
                var content = NotificationContent(title: name)
                content.categoryIdentifier = "tea"
                // GNOME lists the popups of an app that has a desktop file.
                var desktop = DesktopOptions()
                desktop.hints["desktop-entry"] = .string("org.tocsin.Test")
                content.desktop = desktop
                try await client.add(
                    NotificationRequest(identifier: name, content: content), attachments: [],
                    for: app)
            }
            try await client.waitForDelivered(2, of: app)
            first.signal(SIGKILL)
            _ = try await first.exit()
            try await server.departures.first(1)
            #expect(await server.shown.isEmpty == (desktop == .gnome46))
            #expect(await server.shown.values.allSatisfy { $0.actions.isEmpty })
            let second = try await HostedService.startDaemon(on: bus)
            let calls = try await server.calls.wait(for: "the popups again") { $0.count == 4 }
            #expect(Set(calls.suffix(2).map(\.summary)) == ["a", "b"])
            #expect(calls.suffix(2).allSatisfy { $0.hints["x-tocsin-restored"] != nil })
            #expect(try await client.status().responseCount == 0)
            #expect(try await client.delivered(of: app).count == 2)
            await second.stop()
            await server.stop()
        }
    }

    @Test func `the delivered list keeps a notification whose popup GNOME drops for a newer one`()
        async throws
    {
        try await Self.run(.gnome46) { harness in
            try await Self.show(["a", "b", "c", "d"], in: harness)
            let last = try await harness.post(4)
            try await harness.server.click(last.id, last.actions[0].key)
            _ = try await harness.center.response(1)
            try await harness.center.settled { _, delivered in delivered.count == 3 }
            #expect(await harness.server.shown.count == 2)
            #expect(harness.center.events.all.count == 1)
        }
    }
}
