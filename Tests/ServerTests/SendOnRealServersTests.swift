import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// `tocsin send` on real servers.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct SendOnRealServersTests {
    private func tocsin(
        _ session: RealServer, _ arguments: String...
    ) throws -> RunningProgram {
        try RunningProgram(
            try HostedService.program("tocsin"), arguments, environment: session.environment)
    }

    private func withDaemon(
        _ server: DesktopServer, preparing prepare: (PrivateBus) throws -> Void = { _ in },
        _ body: (RealServer) async throws -> Void
    ) async throws {
        try await RealServer.with(server, preparing: prepare) { session in
            let daemon = try await HostedService.startDaemon(
                on: session.bus, adding: session.environment)
            do {
                try await body(session)
            } catch {
                await daemon.stop()
                throw error
            }
            await daemon.stop()
        }
    }

    /// The request carries its button, so any daemon that gets the click knows the button.
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a click on dunst answers a waiting send after a restart of the daemon`() async throws {
        try await answerAcrossRestart(on: ServerCatalog.dunst, postedAgain: true)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `a click on Xfce answers a waiting send after a restart of the daemon`() async throws {
        try await answerAcrossRestart(on: ServerCatalog.xfce, postedAgain: false)
    }

    private func answerAcrossRestart(
        on server: DesktopServer, postedAgain: Bool
    ) async throws {
        try await RealServer.with(server) { session in
            let former = try await HostedService.startDaemon(
                on: session.bus, adding: session.environment)
            let send = try tocsin(
                session, "send", "Asked", "--wait", "-A", "no=No", "-A", "yes=Yes", "-t", "0")
            try await session.waitUntilShown("Asked")
            let service = try await HostedService.client(on: session.bus)
            try await service.waitForDelivered(of: .tocsin)
            let recorder = try await BusRecorder(session.bus)
            former.signal(SIGKILL)
            _ = try await former.exit()
            let daemon = try await HostedService.startDaemon(
                on: session.bus, adding: session.environment)
            if postedAgain { try await recorder.waitForAnswer(to: "Notify") }
            await recorder.stop()
            try await session.waitUntilShown("Asked")
            try await session.choose("Yes", of: "Asked")
            #expect(try await send.exit() == 0, "\(send.said)")
            try await send.lines.untilFinished()
            #expect(send.lines.all == ["yes"])
            await daemon.stop()
        }
    }

    /// The daemon sends `desktop-entry` for such an app, too: without it Plasma lists no popup.
    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"))
    func `an app that never connected has the name of its desktop file on Plasma`() async throws {
        try await withDaemon(
            ServerCatalog.plasma,
            preparing: { try $0.install("org.example.Tea", name: "Tea Timer", icon: "bell") }
        ) { session in
            let send = try tocsin(session, "send", "Ready", "--app", "org.example.Tea", "-t", "0")
            #expect(try await send.exit() == 0, "\(send.said)")
            try await session.waitUntilShown("Ready")
            let widgets = try await session.tree.widgets()
            #expect(widgets.contains { $0.text == "Tea Timer" }, "\(widgets)")
        }
    }

    /// Plasma before 6.4 signals that the popup has left, and lists it without buttons.
    ///
    /// Later versions signal nothing, so an awaited popup stays on the screen.
    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"))
    func `a waiting send on Plasma ends when its popup leaves, or the popup stays`() async throws {
        let version = InstalledPackage.version(of: "plasma-workspace") ?? [5]
        try await withDaemon(ServerCatalog.plasma) { session in
            let send = try tocsin(session, "send", "Asked", "--wait", "--action", "yes=Yes")
            try await session.waitUntilShown("Asked")
            if version.lexicographicallyPrecedes([6, 4]) {
                try await session.waitUntilGone("Asked")
                #expect(try await send.exit() == 3, "\(send.said)")
            } else {
                // A popup that nobody awaits leaves the screen, and the awaited popup stays.
                let other = try tocsin(session, "send", "Left")
                #expect(try await other.exit() == 0, "\(other.said)")
                try await session.waitUntilShown("Left")
                try await session.waitUntilGone("Left")
                try await session.choose("Yes", of: "Asked")
                #expect(try await send.exit() == 0, "\(send.said)")
                try await send.lines.untilFinished()
                #expect(send.said.contains("yes"))
            }
        }
    }

    @Test(.enabled(if: ServerCatalog.gnome.isMeasured, "\(ServerCatalog.gnome.unmeasuredReason)"))
    func `a click on GNOME Shell answers a waiting send that posts without a daemon`()
        async throws
    {
        try await answerDirectPost(on: ServerCatalog.gnome)
    }

    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"))
    func `a click on Plasma answers a waiting send that posts without a daemon`()
        async throws
    {
        try await answerDirectPost(on: ServerCatalog.plasma)
    }

    /// Copies the tool to a folder that has no daemon; the bus starts no daemon either.
    private func answerDirectPost(on server: DesktopServer) async throws {
        try await RealServer.with(server) { session in
            let alone = session.bus.directory + "/tocsin"
            try await RunningProgram.run(
                "install", ["-m", "755", try HostedService.program("tocsin"), alone])
            let send = try RunningProgram(
                alone, ["send", "Straight", "--wait", "--action", "yes=Yes"],
                environment: session.environment)
            try await session.waitUntilShown("Straight")
            try await session.choose("Yes", of: "Straight")
            #expect(try await send.exit() == 0, "\(send.said)")
            try await send.lines.untilFinished()
            #expect(send.lines.all == ["yes"], "\(send.said)")
            #expect(send.said.contains("goes straight to the notification server"))
        }
    }

    /// swaync ignores a default action without a label, and a click on the popup dismisses it.
    @Test(
        .enabled(if: ServerCatalog.swaync.isMeasured, "\(ServerCatalog.swaync.unmeasuredReason)"))
    func `a click on a popup with actions answers a waiting send on swaync`() async throws {
        try await withDaemon(ServerCatalog.swaync) { session in
            let send = try tocsin(session, "send", "Asked", "--wait", "--action", "yes=Yes")
            try await session.waitUntilShown("Asked")
            try await session.chooseDefault(labelled: "Open", of: "Asked")
            #expect(try await send.exit() == 0, "\(send.said)")
            try await send.lines.untilFinished()
            #expect(send.said.contains("default"))
        }
    }
}
