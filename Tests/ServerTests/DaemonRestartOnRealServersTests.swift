import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A click on a popup of a daemon that was killed, on real servers.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DaemonRestartOnRealServersTests {
    /// dunst tells of a click the connection that posted the popup, which is gone.
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a click on a popup from before a restart of the daemon comes back from dunst`()
        async throws
    {
        try await RealServer.with(ServerCatalog.dunst) { session in
            let former = try await HostedService.startDaemon(
                on: session.bus, adding: session.environment)
            let app: ApplicationID = .tocsin
            let service = try await HostedService.client(on: session.bus)
            let actions = [NotificationAction(identifier: "like", title: "Like")]
            try await service.setCategories(
                [NotificationCategory(identifier: "tea", actions: actions)], of: app)
            var content = NotificationContent(title: "Kept", body: "The daemon is killed.")
            content.categoryIdentifier = "tea"
            content.desktop = DesktopOptions()
            content.desktop?.expireTimeout = 0
            try await service.add(
                NotificationRequest(identifier: "tea", content: content), attachments: [], for: app)
            try await session.waitUntilShown("Kept")
            try await eventually("it is delivered") {
                try await service.delivered(of: app).isEmpty ? nil : ()
            }
            former.signal(SIGKILL)
            _ = try await former.exit()

            let recorder = try await BusRecorder(session.bus)
            let daemon = try await HostedService.startDaemon(
                on: session.bus, adding: session.environment)
            try await recorder.waitForLine(containing: "member=Notify")
            await recorder.stop()
            let next = try await HostedService.client(on: session.bus)
            let events = Recording<ServiceEvent>()
            _ = try await next.connect(
                ApplicationIdentity(id: app, name: "App"), asksBeforePresenting: false
            ) { events.append($0) }
            try await session.choose("Like", of: "Kept")
            let event = try await events.first(1)[0]
            guard case .response(let response) = event else { throw HarnessError("\(event)") }
            #expect(response.action == .custom("like"))
            await daemon.stop()
        }
    }
}
