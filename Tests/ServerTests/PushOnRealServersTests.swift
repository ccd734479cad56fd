import DesktopBus
import Foundation
import HostingSupport
import TestSupport
import Testing
import WebPush
import WebPushSender

/// A message from an independent sender to a real popup, and a real click that starts the app.
@Suite(.serialized, .timeLimit(.minutes(6)))
struct PushOnRealServersTests {
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a click on the popup of a pywebpush message starts the app on dunst`() async throws {
        try await pushAndClick(on: ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `a click on the popup of a pywebpush message starts the app on Xfce`() async throws {
        try await pushAndClick(on: ServerCatalog.xfce)
    }

    @Test(.enabled(if: ServerCatalog.gnome.isMeasured, "\(ServerCatalog.gnome.unmeasuredReason)"))
    func `a click on the popup of a pywebpush message starts the app on GNOME Shell`()
        async throws
    {
        try await pushAndClick(on: ServerCatalog.gnome)
    }

    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"))
    func `a click on the popup of a pywebpush message starts the app on Plasma`() async throws {
        try await pushAndClick(on: ServerCatalog.plasma)
    }

    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a click on the popup of a message through our distributor starts the app`()
        async throws
    {
        try await pushThroughNtfy(.double, on: ServerCatalog.dunst)
    }

    @Test(
        .enabled(if: NtfyServer.isInstalled, "ntfy is not installed: Debian has it from 13 on"),
        .enabled(if: ServerCatalog.gnome.isMeasured, "\(ServerCatalog.gnome.unmeasuredReason)"))
    func `a click on the popup of a message through the real ntfy starts the app on GNOME Shell`()
        async throws
    {
        try await pushThroughNtfy(.real, on: ServerCatalog.gnome)
    }

    private func pushThroughNtfy(
        _ kind: NtfyServer.Kind, on server: DesktopServer
    ) async throws {
        try await RealServer.with(server) { session in
            // The messages are not signed: ntfy requires no key.
            let sender = Sender(key: nil, subject: "")
            let ntfy = try await NtfyServer(
                kind, host: NtfyServer.freeHost(), in: session.bus.directory)
            let distributor = try await DistributorProgram.start(
                on: session.bus, server: ntfy.address)
            do {
                try await pushAndClick("ntfy-\(kind)", on: session) { payload, subscription in
                    let message = PushMessage(Array(payload.utf8))
                    #expect(await sender.send(message, to: subscription) == .accepted)
                }
            } catch {
                await distributor.stop()
                await ntfy.stop()
                throw error
            }
            await distributor.stop()
            await ntfy.stop()
        }
    }

    private func pushAndClick(on server: DesktopServer) async throws {
        try await RealServer.with(server) { session in
            let sender = try await Self.sender(on: session.bus)
            let distributor = try await ScriptedDistributor.start(on: session.bus)
            let service = try await PushService.start(for: distributor)
            await distributor.place(at: service.address)
            do {
                try await pushAndClick("push-\(server.name)", on: session) {
                    try await sender.send($0, to: $1.json)
                }
            } catch {
                await service.stop()
                throw error
            }
            await service.stop()
            await distributor.stop()
        }
    }

    /// Registers an app, ends it, pushes, clicks, and expects that the click starts the app.
    private func pushAndClick(
        _ screenshot: String, on session: RealServer,
        send: (String, PushSubscription) async throws -> Void
    ) async throws {
        let app = try await PushedApp.start(on: session.bus, environment: session.environment)
        do {
            let (subscription, _) = try await app.register()
            try await app.endApp()
            try await send(
                #"{"aps":{"alert":{"title":"Goal","body":"2:0"}},"match":7}"#, subscription)
            try await session.waitUntilShown("Goal")
            try await app.untilDelivered()
            try await session.screenshot(screenshot)
            try await session.chooseDefault(labelled: "Open", of: "Goal")
            try await app.expectStart(match: "7")
        } catch {
            await app.stop()
            throw error
        }
        await app.stop()
    }

    private static func sender(on bus: PrivateBus) async throws -> PushSender {
        do {
            return try await PushSender.install(into: bus.directory + "/venv")
        } catch {
            try Test.cancel("pywebpush cannot be installed here: \(error)")
        }
    }
}
