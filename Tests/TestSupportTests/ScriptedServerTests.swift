import DesktopBus
import TestSupport
import Testing

/// The scripted server must behave like real servers, and like broken servers if a test says so.
@Suite(.timeLimit(.minutes(1)))
struct ScriptedServerTests {
    let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
    }

    static let actions = [(key: "like", label: "Like"), (key: "default", label: "")]

    @Test func `a call is recorded with the exact types of its hints`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        let id = try await client.notify(
            "Tea", body: "Ready", actions: Self.actions, hints: [("urgency", .byte(2))])
        let call = try #require(try await server.calls.first(1).first)
        #expect(id == 1)
        #expect(call.id == 1)
        #expect(call.summary == "Tea")
        #expect(call.actions.map(\.key) == ["like", "default"])
        #expect(call.hints["urgency"] == .byte(2))
        #expect(try await client.capabilities().contains("actions"))
    }

    @Test func `a click invokes the action and closes the popup`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        let id = try await client.notify("Tea", actions: Self.actions)
        try await server.click(id, "like")
        let signals = try await client.signals.first(2)
        #expect(signals == [.action(id: id, key: "like"), .closed(id: id, reason: 2)])
        await #expect(throws: HarnessError.self) { try await server.click(id, "like") }
    }

    @Test func `a server can signal a click before it answers the post`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        await server.change { $0.replies = .held }
        async let id = client.notify("Tea", actions: Self.actions)
        let call = try #require(try await server.calls.first(1).first)
        try await server.click(call.id, "like")
        try await client.signals.first(2)
        await server.release()
        #expect(try await id == call.id)
    }

    @Test func `a server refuses the scripted calls with the scripted error`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        await server.change { $0.failures = .next(1, "org.example.Busy") }
        let error = await #expect(throws: BusError.self) { try await client.notify("One") }
        #expect(error?.remoteName == "org.example.Busy")
        #expect(try await client.notify("Two") == 1)
        await server.change { $0.failures = .every(2, "org.example.Busy") }
        #expect(try await client.notify("Three") == 2)
        await #expect(throws: BusError.self) { try await client.notify("Four") }
        await server.change { $0.failures = .none }
        await server.change { $0.limit = 2 }
        let limit = await #expect(throws: BusError.self) { try await client.notify("Five") }
        #expect(limit?.remoteName == "org.freedesktop.Notifications.MaxNotificationsExceeded")
        #expect(server.calls.all.map(\.summary) == ["One", "Two", "Three", "Four", "Five"])
    }

    @Test func `a restarted server forgets its popups and counts ids from 1`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        #expect(try await client.notify("One") == 1)
        #expect(try await client.notify("Two") == 2)
        try await server.restart()
        #expect(try await client.notify("Three") == 1)
        #expect(await server.shown.values.map(\.summary) == ["Three"])
    }

    @Test func `a server that leaves the bus during a call never answers the call`() async throws {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        await server.change { $0.replies = .never }
        let waiting = Task { try await client.notify("Tea") }
        try await server.calls.first(1)
        await server.stop()
        await #expect(throws: BusError.self) { try await waiting.value }
    }

    @Test func `gnome46 drops an app's popups when the client that posted first leaves`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus, script: .gnome46)
        let (first, second) = (try await PlainClient(on: bus), try await PlainClient(on: bus))
        let entry: [(String, BusValue)] = [("desktop-entry", .string("org.example.App"))]
        let one = try await first.notify("One", hints: entry)
        let two = try await second.notify("Two", hints: entry)
        let plain = try await first.notify("Plain")
        await first.disconnect()
        let signals = try await second.signals.first(2)
        #expect(signals == [.closed(id: one, reason: 2), .closed(id: two, reason: 2)])
        #expect(await server.shown.keys.sorted() == [plain])
    }

    @Test func `plasma64 removes the actions of popups whose client leaves`() async throws {
        let server = try await ScriptedServer.start(on: bus, script: .plasma64)
        let client = try await PlainClient(on: bus)
        let id = try await client.notify("Tea", actions: Self.actions)
        await client.disconnect()
        try await server.departures.first(1)
        await #expect(throws: HarnessError.self) { try await server.click(id, "like") }
        #expect(await server.shown.keys.sorted() == [id])
    }

    @Test func `plasma64 refuses the same content twice in a row`() async throws {
        var script = ServerScript.plasma64
        // Plasma's interval is one second. A busy machine may need longer between two calls.
        script.repeatInterval = .seconds(3_600)
        let server = try await ScriptedServer.start(on: bus, script: script)
        let client = try await PlainClient(on: bus)
        _ = try await client.notify("Tea")
        let error = await #expect(throws: BusError.self) { try await client.notify("Tea") }
        #expect(
            error?.remoteName
                == "org.freedesktop.Notifications.Error.ExcessNotificationGeneration")
        #expect(try await client.notify("Coffee") == 2)
        #expect(server.calls.all.map(\.id) == [1, 0, 2])
    }

    @Test func `in gnome46 the relay signals to the caller, and the shell signals to everybody`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus, script: .gnome46)
        let (client, other) = (try await PlainClient(on: bus), try await PlainClient(on: bus))
        let recorder = try await BusRecorder(bus)
        let id = try await client.notify("Tea", actions: Self.actions)
        try await server.click(id, "like")
        try await client.signals.first(3)
        #expect(
            client.signals.all == [
                .token(id: id, token: "token-1"), .action(id: id, key: "like"),
                .closed(id: id, reason: 2),
            ])
        // The relay, which owns the name, signals only to the caller. `PlainClient` ignores the
        // shell, which does not own the name.
        _ = try await other.capabilities()
        #expect(other.signals.all.isEmpty)
        for member in ["ActivationToken", "ActionInvoked", "NotificationClosed"] {
            try await recorder.waitForBroadcast(of: member)
        }
        await recorder.stop()
    }

    @Test func `gnome46 keeps three popups of an app`() async throws {
        let server = try await ScriptedServer.start(on: bus, script: .gnome46)
        let client = try await PlainClient(on: bus)
        for title in ["One", "Two", "Three", "Four"] { _ = try await client.notify(title) }
        #expect(await server.shown.keys.sorted() == [2, 3, 4])
        #expect(try await client.signals.first(1) == [.closed(id: 1, reason: 1)])
    }

    @Test func `plasma64 closes a clicked popup, and signals the end of an unknown popup`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus, script: .plasma64)
        let client = try await PlainClient(on: bus)
        let id = try await client.notify("Tea", actions: Self.actions)
        try await server.click(id, "like")
        try await client.close(77)
        #expect(
            try await client.signals.first(4) == [
                .token(id: id, token: "token-1"), .action(id: id, key: "like"),
                .closed(id: id, reason: 3), .closed(id: 77, reason: 3),
            ])
    }

    @Test func `a client gets both copies of a repeated signal, and no signal of an impostor`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        let id = try await client.notify("Tea", actions: Self.actions)
        let recorder = try await BusRecorder(bus)
        try await server.emitFromImpostor("ActionInvoked", [.uint32(id), .string("forged")])
        try await recorder.waitForLine(containing: "forged")
        await server.change { $0.signalCopies = 2 }
        try await server.close(id, reason: 1)
        let signals = try await client.signals.first(2)
        #expect(signals == [.closed(id: id, reason: 1), .closed(id: id, reason: 1)])
        await recorder.stop()
    }

    @Test func `a broken server gives each popup the same id, or a text instead of an id`()
        async throws
    {
        let server = try await ScriptedServer.start(on: bus)
        let client = try await PlainClient(on: bus)
        await server.change { $0.fixedID = 0 }
        #expect(try await client.notify("One") == 0)
        #expect(try await client.notify("Two") == 0)
        await server.change {
            $0.fixedID = nil
            $0.answersText = true
        }
        try await server.restart()
        await #expect(throws: HarnessError.self) { try await client.notify("Three") }
    }
}
