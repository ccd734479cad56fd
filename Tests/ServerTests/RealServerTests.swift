import DesktopBus
import TestSupport
import Testing

/// The signals that each real server sends to a client after real clicks.
///
/// Serialized: otherwise a popup could expire while a busy machine delays its click.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct RealServerTests {
    static let actions = [
        (key: "like", label: "Like"), (key: "later", label: "Later"),
        (key: "default", label: "Open"),
    ]

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `dunst signals a clicked action to the client`() async throws {
        try await clickAnAction(on: ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `Xfce signals a clicked action to the client`() async throws {
        try await clickAnAction(on: ServerCatalog.xfce)
    }

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `dunst signals the default action to the client`() async throws {
        try await clickTheDefault(on: ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `Xfce signals the default action to the client`() async throws {
        try await clickTheDefault(on: ServerCatalog.xfce)
    }

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `dunst signals a dismissal as a close without an action`() async throws {
        try await dismiss(on: ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `Xfce signals a dismissal as a close without an action`() async throws {
        try await dismiss(on: ServerCatalog.xfce)
    }

    private func clickAnAction(on server: DesktopServer) async throws {
        try await RealServer.with(server) { session in
            let client = try await PlainClient(on: session.bus)
            let image = "\(session.bus.directory)/picture.png"
            try await TestImage.draw(image)
            let id = try await client.notify(
                "Tea", body: "It has drawn long enough.", actions: Self.actions,
                hints: [("image-path", .string("file://\(image)"))])
            try await session.waitUntilShown("Tea")
            let screenshot = try await session.screenshot("\(server.name)-actions")
            if server.draws.contains(.image) {
                #expect(try await TestImage.pixels(in: screenshot) > 100)
            }
            try await session.choose("Like", of: "Tea")
            let first = try await client.signals.first(1)
            #expect(first == [.action(id: id, key: "like")])
            if server.actionCloses {
                let both = try await client.signals.first(2)
                #expect(both.last == .closed(id: id, reason: 2))
            }
        }
    }

    private func clickTheDefault(on server: DesktopServer) async throws {
        try await RealServer.with(server) { session in
            let client = try await PlainClient(on: session.bus)
            let id = try await client.notify("Tea", actions: Self.actions)
            try await session.waitUntilShown("Tea")
            try await session.chooseDefault(labelled: "Open", of: "Tea")
            let both = try await client.signals.first(2)
            #expect(both == [.action(id: id, key: "default"), .closed(id: id, reason: 2)])
        }
    }

    private func dismiss(on server: DesktopServer) async throws {
        try await RealServer.with(server) { session in
            let client = try await PlainClient(on: session.bus)
            let id = try await client.notify("Tea", actions: Self.actions)
            try await session.waitUntilShown("Tea")
            try await session.dismiss("Tea")
            try await client.signals.first(1)
            // The bus keeps the order, so any further signal would come before this answer.
            _ = try await client.capabilities()
            #expect(client.signals.all == [.closed(id: id, reason: 2)])
        }
    }
}
