import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A notification has the id, name and icon of its app's desktop file.
@Suite(.timeLimit(.minutes(5))) struct DesktopFileTests {
    private static let tea = "org.example.Tea"

    @discardableResult
    private func tocsin(_ bus: PrivateBus, _ arguments: String...) async throws -> String {
        let run = try RunningProgram(
            try HostedService.program("tocsin"), arguments, environment: bus.environment)
        #expect(try await run.exit() == 0, "\(run.said)")
        try await run.lines.untilFinished()
        return run.said
    }

    private func popup(_ title: String, on server: ScriptedServer) async throws -> NotifyCall {
        try await server.calls.first(title) { $0.summary == title }
    }

    /// Plasma does not list popups without `desktop-entry`: they disappear after five seconds.
    @Test func `notifications of the tool name the tool's desktop file`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        try await tocsin(bus, "send", "Before")
        #expect(try await popup("Before", on: server).hints["desktop-entry"] == nil)
        try bus.install("org.tocsin.Tocsin", name: "Tocsin", icon: "bell")
        try await polled(
            "the desktop file in a popup",
            because: "GIO notices the file in a thread of its own, and signals nothing"
        ) {
            try await tocsin(bus, "send", "After", "--id", "same")
            return server.calls.all.last?.hints["desktop-entry"] == .string("org.tocsin.Tocsin")
                ? () : nil
        }
        let after = try await popup("After", on: server)
        #expect(after.appName == "Tocsin")
        #expect(server.calls.all.last?.appIcon == "bell")
        await server.stop()
    }

    @Test func `an app that never connected gets its name and icon from its desktop file`()
        async throws
    {
        let bus = try PrivateBus()
        try bus.install(Self.tea, name: "Tea Timer", icon: "tea")
        let server = try await ScriptedServer.start(on: bus)
        try await tocsin(bus, "send", "Ready", "--app", Self.tea)
        let ready = try await popup("Ready", on: server)
        #expect(ready.appName == "Tea Timer")
        #expect(ready.appIcon == "tea")
        #expect(ready.hints["desktop-entry"] == .string("org.example.Tea"))
        let settings = try await tocsin(bus, "settings", "--json")
        #expect(settings.contains(#""name":"Tea Timer""#), "\(settings)")
        await server.stop()
    }

    /// A sandboxed app does not report its desktop file: its `hasDesktopEntry` is false.
    @Test func `an app that does not report its desktop file is shown with the name in that file`()
        async throws
    {
        let bus = try PrivateBus()
        try bus.install(Self.tea, name: "Tea Timer", icon: "tea")
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "app")
        let app = HostedService.client(over: connection)
        let id = try ApplicationID(Self.tea)
        _ = try await app.connect(
            ApplicationIdentity(id: id, name: "Files", icon: "files"), asksBeforePresenting: false
        ) { _ in }
        try await app.add(
            NotificationRequest(identifier: "a", content: NotificationContent(title: "Ready")),
            attachments: [], for: id)
        let ready = try await popup("Ready", on: server)
        #expect(ready.appName == "Tea Timer")
        #expect(ready.appIcon == "tea")
        #expect(ready.hints["desktop-entry"] == .string(Self.tea))
        await connection.close()
        await daemon.stop()
        await server.stop()
    }

    /// With `--wait` the tool knows only the app's id, which must not replace the stored name.
    @Test func `a client that waits for an app's response does not change the app's stored name`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        try await tocsin(bus, "send", "First")
        let connection = try await BusConnection.open(on: bus, name: "app")
        let app = HostedService.client(over: connection)
        let session = try await app.connect(
            ApplicationIdentity(
                id: ApplicationID(Self.tea), name: "Tea Timer", icon: "tea", hasDesktopEntry: true),
            asksBeforePresenting: false
        ) { _ in }
        await app.disconnect(session)
        let send = try RunningProgram(
            try HostedService.program("tocsin"), ["send", "Asked", "--wait", "--app", Self.tea],
            environment: bus.environment)
        let asked = try await popup("Asked", on: server)
        #expect(asked.appName == "Tea Timer")
        try await server.close(asked.id, reason: 2)
        #expect(try await send.exit() == 2, "\(send.said)")
        try await tocsin(bus, "send", "Later", "--app", Self.tea)
        let later = try await popup("Later", on: server)
        #expect(later.appName == "Tea Timer")
        #expect(later.hints["desktop-entry"] == .string("org.example.Tea"))
        await connection.close()
        await server.stop()
    }
}
