import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// After a server's restart, the centre shows the notifications again that the server lost.
@Suite(.timeLimit(.minutes(5))) struct RestoreTests {
    private static func isRestored(_ call: NotifyCall) -> Bool {
        call.hints["x-tocsin-restored"] == .bool(true)
    }

    @Test(arguments: Hosting.allCases, [ServerScript.gnome46, .plasma64])
    func `after a server's restart, the list is shown again, and a click reaches the app`(
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
    func `after the restart of a server without a notification list, no popup is shown again`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add("a")
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.server.restart()
            // The engine shows this request after any restored popup.
            try await harness.center.add("b")
            try await harness.center.settled { _, delivered in delivered.count == 2 }
            try await harness.center.add("c")
            try await harness.center.settled { _, delivered in delivered.count == 3 }
            #expect(harness.server.calls.all.map(\.summary) == ["a", "b", "c"])
        }
    }

    /// Plasma removes the buttons of a popup when the popup's sender leaves the bus.
    @Test(arguments: Hosting.allCases)
    func `after a restart of the engine, a popup gets its lost buttons back`(
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
            // Plasma refuses the same text within a second, and accepts it afterwards.
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

    /// Only a popup's sender gets clicks from dunst, and replies from Plasma before 6.4.
    ///
    /// The next daemon becomes the sender when it posts the popup again.
    @Test(arguments: [ServerScript.dunst, .plasma63])
    func `a response on a popup of the previous daemon reaches the app`(
        _ script: ServerScript
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus, script: script)
            try await leaveTwoPopups(on: server, bus)
            let daemon = try await HostedService.startDaemon(on: bus)
            let service = try await HostedService.client(on: bus)
            let events = Recording<ServiceEvent>()
            _ = try await service.connect(
                ApplicationIdentity(id: .tocsin, name: "App"), asksBeforePresenting: false
            ) { events.append($0) }
            let isInline = script.capabilities.contains("inline-reply")
            try await server.calls.wait(for: "the posts again") { calls in
                calls.count { $0.id != 0 && $0.replacesID == $0.id } == (isInline ? 1 : 2)
            }
            #expect(await server.shown.count == 2)
            #expect(!server.calls.all.contains(where: Self.isRestored))
            let shown = await server.shown.values
            let (asked, told) = (
                shown.first { $0.summary == "reply" }, shown.first { $0.summary == "plain" }
            )
            if isInline {
                try await server.reply(asked?.id ?? 0, "Anna")
            } else {
                try await server.click(told?.id ?? 0, "action.ok")
            }
            let event = try await events.first("the response") {
                if case .response = $0 { true } else { false }
            }
            guard case .response(let response) = event else { throw HarnessError("\(event)") }
            #expect(
                response.action == (isInline ? .reply("r", text: "Anna") : .custom("ok")))
            if isInline {
                try await server.click(told?.id ?? 0, "action.ok")
                try await events.wait(for: "the click") { $0.count == 2 }
            }
            await daemon.stop()
            await server.stop()
        }
    }

    /// swaync signals replies to everybody, so the next daemon need not post the popup again.
    ///
    /// The next daemon must translate the server's action `inline-reply` to the app's action.
    @Test func `a reply on a popup of the previous daemon has the identifier of the app's action`()
        async throws
    {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            var script = ServerScript()
            script.capabilities.append("inline-reply")
            let server = try await ScriptedServer.start(on: bus, script: script)
            try await leaveTwoPopups(on: server, bus)
            let daemon = try await HostedService.startDaemon(on: bus)
            let service = try await HostedService.client(on: bus)
            let events = Recording<ServiceEvent>()
            _ = try await service.connect(
                ApplicationIdentity(id: .tocsin, name: "App"), asksBeforePresenting: false
            ) { events.append($0) }
            let asked = await server.shown.values.first { $0.summary == "reply" }
            try await server.reply(asked?.id ?? 0, "Anna")
            guard case .response(let response) = try await events.first(1)[0] else {
                throw HarnessError("\(events.all)")
            }
            #expect(response.action == .reply("r", text: "Anna"))
            #expect(server.calls.all.count == 2)
            await daemon.stop()
            await server.stop()
        }
    }

    /// Leaves two popups of a killed daemon: one with a button, and one with a text field.
    private func leaveTwoPopups(on server: ScriptedServer, _ bus: PrivateBus) async throws {
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "former")
        let service = HostedService.client(over: connection)
        let field = NotificationAction.TextInput(buttonTitle: "Send", placeholder: "")
        let actions = [NotificationAction(identifier: "r", title: "Reply", textInput: field)]
        let plain = [NotificationAction(identifier: "ok", title: "OK")]
        try await service.setCategories(
            [
                NotificationCategory(identifier: "reply", actions: actions),
                NotificationCategory(identifier: "plain", actions: plain),
            ], of: .tocsin)
        for category in ["plain", "reply"] {
            var content = NotificationContent(title: category, body: "")
            content.categoryIdentifier = category
            content.sound = NotificationSound(.standard)
            try await service.add(
                NotificationRequest(identifier: category, content: content), attachments: [],
                for: .tocsin)
            try await server.calls.first(category) { $0.summary == category && $0.id != 0 }
        }
        try await service.waitForDelivered(2, of: .tocsin)
        await connection.close()
        daemon.signal(SIGKILL)
        _ = try await daemon.exit()
    }
}
