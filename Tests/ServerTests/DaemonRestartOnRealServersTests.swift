import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Clicks and replies on real servers, on the popup of a daemon that was killed.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct DaemonRestartOnRealServersTests {
    /// dunst signals a click to the connection that posted the popup.
    ///
    /// That connection has closed, so the new daemon posts the popup again.
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a click on a killed daemon's popup reaches the next daemon on dunst`()
        async throws
    {
        try await click(ServerCatalog.dunst)
    }

    /// GNOME Shell before 46 sends a click to the poster's connection.
    ///
    /// Later versions close the popup when that connection closes.
    @Test(.enabled(if: ServerCatalog.gnome.isMeasured, "\(ServerCatalog.gnome.unmeasuredReason)"))
    func `a click on a killed daemon's popup reaches the next daemon on GNOME Shell`()
        async throws
    {
        try await click(ServerCatalog.gnome)
    }

    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"))
    func `a click on a killed daemon's popup reaches the next daemon on Plasma`()
        async throws
    {
        // Plasma before 6.4 keeps the popup and its buttons, so the next daemon does not post it
        // again.
        try await click(
            ServerCatalog.plasma, postedAgain: Self.isAtLeast([6, 4], "plasma-workspace"))
    }

    /// Plasma before 6.4 sends a reply to the poster's connection, which is gone.
    ///
    /// Plasma 5 sends the reply to the first poster's connection, even if another connection has
    /// replaced the popup.
    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"))
    func `a reply typed into a killed daemon's popup reaches the next daemon on Plasma`()
        async throws
    {
        let reply = NotificationAction(
            identifier: "reply", title: "Reply",
            textInput: NotificationAction.TextInput(buttonTitle: "Send", placeholder: "Message"))
        try await restart(ServerCatalog.plasma, under: reply, postedAgain: true) { session in
            try await session.type(intoPopup: "On my way!")
            try await session.pointer.press("Return")
            return .reply("reply", text: "On my way!")
        }
    }

    private static func isAtLeast(_ version: [Int], _ package: String) -> Bool {
        let installed = InstalledPackage.version(of: package) ?? []
        return !installed.lexicographicallyPrecedes(version)
    }

    private func click(_ server: DesktopServer, postedAgain: Bool = true) async throws {
        let like = NotificationAction(identifier: "like", title: "Like")
        try await restart(server, under: like, postedAgain: postedAgain) { session in
            try await session.choose("Like", of: "Kept")
            return .custom("like")
        }
    }

    /// Posts a popup with this action, restarts its daemon, and expects the response to `act`.
    private func restart(
        _ server: DesktopServer, under action: NotificationAction, postedAgain: Bool,
        _ act: (RealServer) async throws -> NotificationResponse.Action
    ) async throws {
        try await RealServer.with(server) { session in
            let former = try await HostedService.startDaemon(
                on: session.bus, adding: session.environment)
            let app: ApplicationID = .tocsin
            let service = try await HostedService.client(on: session.bus)
            try await service.setCategories(
                [NotificationCategory(identifier: "tea", actions: [action])], of: app)
            var content = NotificationContent(title: "Kept", body: "The daemon is killed.")
            content.categoryIdentifier = "tea"
            content.desktop = DesktopOptions()
            content.desktop?.expireTimeout = 0
            try await service.add(
                NotificationRequest(identifier: "tea", content: content), attachments: [], for: app)
            try await session.waitUntilShown("Kept")
            try await service.waitForDelivered(of: app)
            let recorder = try await BusRecorder(session.bus)
            former.signal(SIGKILL)
            _ = try await former.exit()

            let daemon = try await HostedService.startDaemon(
                on: session.bus, adding: session.environment)
            // Plasma refuses the same popup within a second, and accepts it a moment later.
            if postedAgain { try await recorder.waitForAnswer(to: "Notify") }
            await recorder.stop()
            let next = try await HostedService.client(on: session.bus)
            let events = Recording<ServiceEvent>()
            _ = try await next.connect(
                ApplicationIdentity(id: app, name: "App"), asksBeforePresenting: false
            ) { events.append($0) }
            try await session.waitUntilShown("Kept")
            let expected = try await act(session)
            let event = try await events.first(1)[0]
            guard case .response(let response) = event else { throw HarnessError("\(event)") }
            #expect(response.action == expected)
            await daemon.stop()
        }
    }
}
