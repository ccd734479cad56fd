import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The clipping rectangle and the frame of an image, from `tocsind` to real servers.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ImagesOnRealServersTests {
    private typealias Key = AttachmentThumbnail.Key

    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `only the requested part and frame of an image are seen on dunst`() async throws {
        try await show(on: ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `only the requested part and frame of an image are seen on Xfce`() async throws {
        try await show(on: ServerCatalog.xfce)
    }

    private func show(on server: DesktopServer) async throws {
        try await show("Part", on: server) { path in
            try await TestImage.drawHalves(path)
            let sides = ["X": 0.5, "Y": 0, "Width": 0.5, "Height": 1]
            return NotificationAttachment(
                identifier: "part", path: path, type: "public.png",
                options: [Key.clippingRectangle: .dictionary(sides.mapValues { .real($0) })])
        }
        try await show("Frame", on: server) { path in
            try await TestImage.drawFrames("gif:" + path)
            return NotificationAttachment(
                identifier: "frame", path: path, type: "com.compuserve.gif",
                options: [Key.time: .integer(1)])
        }
    }

    private func show(
        _ title: String, on server: DesktopServer,
        _ attachment: (String) async throws -> NotificationAttachment
    ) async throws {
        try await RealServer.with(server) { session in
            let center = try await HostedService.start(.daemon, on: session.bus)
            do {
                try await center.connect()
                let attachment = try await attachment("\(session.bus.directory)/picture")
                try await center.add(title, files: [try OpenFile(path: attachment.path)]) {
                    $0.attachments = [attachment]
                }
                try await session.waitUntilShown(title)
                let screen = try await session.screenshot("picture-\(server.name)-\(title)")
                #expect(try await TestImage.pixels(in: screen) > 100)
                #expect(
                    try await TestImage.pixels(in: screen, of: TestImage.hiddenColor) == 0)
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
        }
    }
}
