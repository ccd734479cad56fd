import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The progress bar of a notification on real servers.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ProgressOnRealServersTests {
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `the progress bar grows on dunst`() async throws {
        try await compare(on: ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `progress changes nothing in a popup on Xfce`() async throws {
        let none = try await image(nil, on: ServerCatalog.xfce)
        let much = try await image(0.9, on: ServerCatalog.xfce)
        #expect(try await TestImage.differences(between: none, and: much) == 0)
    }

    /// Compares the popup without a bar, with a short bar and with a long bar.
    private func compare(on server: DesktopServer) async throws {
        let none = try await image(nil, on: server)
        let little = try await image(0.1, on: server)
        let much = try await image(0.9, on: server)
        #expect(try await TestImage.differences(between: none, and: little) > 500)
        #expect(try await TestImage.differences(between: little, and: much) > 300)
    }

    private func image(_ progress: Double?, on server: DesktopServer) async throws -> String {
        try await RealServer.with(server) { session in
            let center = try await HostedService.start(.embedded, on: session.bus)
            try await center.connect()
            try await center.add("copy", title: "Copying") {
                $0.progress = progress
            }
            try await session.waitUntilShown("Copying")
            let name = progress.map { "\(Int($0 * 100))" } ?? "none"
            return try await session.screenshot("progress-\(server.name)-\(name)")
        }
    }
}
