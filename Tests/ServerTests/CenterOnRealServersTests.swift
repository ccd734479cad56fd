import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A request's whole way on real servers, in both hosting modes.
///
/// It is scheduled and shown with an image, a real click follows, and the app gets the response.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CenterOnRealServersTests {
    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        arguments: Hosting.allCases)
    func `clicks on a scheduled request's popup on dunst reach the app`(
        _ hosting: Hosting
    ) async throws {
        try await clickThrough(ServerCatalog.dunst, hosting)
    }

    @Test(
        .enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"),
        arguments: Hosting.allCases)
    func `clicks on a scheduled request's popup on Xfce reach the app`(
        _ hosting: Hosting
    ) async throws {
        try await clickThrough(ServerCatalog.xfce, hosting)
    }

    /// Each click has a separate session, because a popup that is leaving moves the next popup.
    private func clickThrough(_ server: DesktopServer, _ hosting: Hosting) async throws {
        try await withCenter(server, hosting) { session, center in
            try await show("Tea is ready", center, session)
            let image = try await session.screenshot("center-\(server.name)-\(hosting)")
            if server.draws.contains(.image) {
                #expect(try await TestImage.pixels(in: image) > 100)
            }
            try await session.choose("Drink", of: "Tea is ready")
            let response = try await center.response(1)
            #expect(response.action == .custom("drink"))
            #expect(response.notification.request.content.userInfo == ["cup": .integer(1)])
        }
        try await withCenter(server, hosting) { session, center in
            try await show("Coffee is ready", center, session)
            try await session.chooseDefault(labelled: "Open", of: "Coffee is ready")
            #expect(try await center.response(1).action == .standard)
        }
        try await withCenter(server, hosting) { session, center in
            try await show("Water is ready", center, session)
            try await session.dismiss("Water is ready")
            #expect(try await center.response(1).action == .dismiss)
        }
    }

    private func withCenter(
        _ server: DesktopServer, _ hosting: Hosting,
        _ body: (RealServer, HostedService) async throws -> Void
    ) async throws {
        try await RealServer.with(server) { session in
            let center = try await HostedService.start(hosting, on: session.bus)
            do {
                try await center.connect()
                try await center.service.setCategories([Self.category], of: center.app)
                try await body(session, center)
                try await center.settled { pending, delivered in
                    pending.isEmpty && delivered.isEmpty
                }
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
        }
    }

    private func show(
        _ title: String, _ center: HostedService, _ session: RealServer
    ) async throws {
        let image = "\(session.bus.directory)/picture.png"
        try await TestImage.draw(image)
        try await center.add(
            "drink", title: title, trigger: .interval(seconds: 0.2, repeats: false),
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
