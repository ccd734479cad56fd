import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A request with a badge and a sound and without text, on real servers.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct EmptyContentOnRealServersTests {
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a request without text shows nothing on the screen of dunst`() async throws {
        try await compare(on: ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `a request without text shows nothing on the screen of Xfce`() async throws {
        try await compare(on: ServerCatalog.xfce)
    }

    /// Compares the screen with and without a request that has no text.
    private func compare(on server: DesktopServer) async throws {
        let alone = try await image(on: server, isEmptyFirst: false)
        let both = try await image(on: server, isEmptyFirst: true)
        #expect(try await TestImage.differences(between: alone, and: both) == 0)
    }

    private func image(on server: DesktopServer, isEmptyFirst: Bool) async throws -> String {
        try await RealServer.with(server) { session in
            let center = try await HostedService.start(.embedded, on: session.bus)
            try await center.connect()
            if isEmptyFirst {
                var content = NotificationContent()
                content.badge = 3
                content.sound = NotificationSound(.standard)
                try await center.service.add(
                    NotificationRequest(identifier: "empty", content: content), attachments: [],
                    for: center.app)
            }
            try await center.add("text", title: "With a text")
            try await session.waitUntilShown("With a text")
            return try await session.screenshot("empty-\(server.name)-\(isEmptyFirst)")
        }
    }
}
