import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The whole way on real servers: a scheduled request, its popup with a picture, a real click, and
/// the response, in both hosting modes.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CenterOnRealServersTests {
    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        arguments: Hosting.allCases)
    func aScheduledRequestAndItsClicksOnDunst(_ hosting: Hosting) async throws {
        try await clickThrough(ServerCatalog.dunst, hosting)
    }

    @Test(
        .enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"),
        arguments: Hosting.allCases)
    func aScheduledRequestAndItsClicksOnXfce(_ hosting: Hosting) async throws {
        try await clickThrough(ServerCatalog.xfce, hosting)
    }

    private func clickThrough(_ server: DesktopServer, _ hosting: Hosting) async throws {
        try await RealServer.with(server) { session in
            let center = try await HostedService.start(hosting, on: session.bus)
            do {
                try await clickThrough(session, center)
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
        }
    }

    private func clickThrough(_ session: RealServer, _ center: HostedService) async throws {
        try await center.connect()
        try await center.service.setCategories([Self.category], of: center.app)

        // An action, with the picture on the screen.
        try await show("action", "Tea is ready", center, session)
        let picture = try await session.screenshot(
            "center-\(session.server.name)-\(center.hosting)")
        if session.server.draws.contains(.image) {
            #expect(try await TestImage.pixels(in: picture) > 100)
        }
        try await session.choose("Drink", of: "Tea is ready")
        let pressed = try await center.response(1)
        #expect(pressed.action == .custom("drink"))
        #expect(pressed.notification.request.content.userInfo == ["cup": .integer(1)])

        // The notification itself.
        try await show("default", "Coffee is ready", center, session)
        try await session.chooseDefault(labelled: "Open", of: "Coffee is ready")
        #expect(try await center.response(2).action == .standard)

        // A dismissal, which this category asks to hear of.
        try await show("dismissal", "Water is ready", center, session)
        try await session.dismiss("Water is ready")
        #expect(try await center.response(3).action == .dismiss)
        try await center.settled { pending, delivered in pending.isEmpty && delivered.isEmpty }
    }

    private func show(
        _ identifier: String, _ title: String, _ center: HostedService, _ session: RealServer
    ) async throws {
        let image = "\(session.bus.directory)/\(identifier).png"
        try await TestImage.draw(image)
        try await center.add(
            identifier, title: title, trigger: .interval(seconds: 0.2, repeats: false),
            files: [try OpenFile(path: image)]
        ) { content in
            content.categoryIdentifier = Self.category.identifier
            content.userInfo = ["cup": .integer(1)]
            content.attachments = [
                NotificationAttachment(identifier: "picture", path: image, type: "public.png")
            ]
        }
        try await session.waitUntilShown(title)
    }

    private static let category = NotificationCategory(
        identifier: "drink",
        actions: [
            NotificationAction(identifier: "drink", title: "Drink"),
            NotificationAction(identifier: "pour", title: "Pour away", options: .destructive),
        ], options: .customDismissAction)
}
