import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The permission prompt on real servers, answered by real clicks.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PermissionOnRealServersTests {
    private static let question = "Test App would like to send you notifications"

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        arguments: Hosting.allCases)
    func `a click on dunst's permission prompt decides, and a dismissal decides nothing`(
        _ hosting: Hosting
    ) async throws {
        try await askAndAnswer(ServerCatalog.dunst, hosting)
    }

    @Test(
        .enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"),
        arguments: Hosting.allCases)
    func `a click on Xfce's permission prompt decides, and a dismissal decides nothing`(
        _ hosting: Hosting
    ) async throws {
        try await askAndAnswer(ServerCatalog.xfce, hosting)
    }

    @Test(.enabled(if: ServerCatalog.gnome.isMeasured, "\(ServerCatalog.gnome.unmeasuredReason)"))
    func `a click on GNOME Shell's permission prompt decides, and a dismissal decides nothing`()
        async throws
    {
        try await askAndAnswer(ServerCatalog.gnome, .daemon)
    }

    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"))
    func `a click on Plasma's permission prompt decides, and a dismissal decides nothing`()
        async throws
    {
        try await askAndAnswer(ServerCatalog.plasma, .daemon)
    }

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        arguments: Hosting.allCases)
    func `a click on dunst's location prompt allows the app to know the location`(
        _ hosting: Hosting
    ) async throws {
        try await askForLocation(ServerCatalog.dunst, hosting)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `a click on Xfce's location prompt allows the app to know the location`() async throws {
        try await askForLocation(ServerCatalog.xfce, .daemon)
    }

    private func askForLocation(_ server: DesktopServer, _ hosting: Hosting) async throws {
        try await RealServer.with(server) { session in
            let center = try await HostedService.start(hosting, on: session.bus)
            try await center.connect(needsPermission: true)
            let request = Task {
                try await center.service.requestLocation(always: true, for: center.app)
            }
            try await session.waitUntilShown("Test App would like to use your location")
            try await session.screenshot("location-\(server.name)-\(hosting)")
            try await session.choose("Allow", of: "Test App would like to use your location")
            #expect(try await request.value == .always)
            await center.stop()
        }
    }

    /// Each answer has a separate session, because a popup that is leaving moves the next popup.
    private func askAndAnswer(_ server: DesktopServer, _ hosting: Hosting) async throws {
        try await withQuestion(server, hosting) { session, center, request in
            try await session.screenshot("permission-\(server.name)-\(hosting)")
            try await session.choose("Allow", of: Self.question)
            #expect(try await request.value)
            try await center.add("Tea is ready", trigger: nil)
            try await session.waitUntilShown("Tea is ready")
        }
        try await withQuestion(server, hosting) { session, center, request in
            try await session.choose("Don\u{2019}t Allow", of: Self.question)
            #expect(try await !request.value)
            await #expect(throws: NotificationError.self) { try await center.add("denied") }
        }
        try await withQuestion(server, hosting) { session, center, request in
            try await session.dismiss(Self.question)
            #expect(try await !request.value)
            let permission = try await center.service.settings(of: center.app).permission
            #expect(permission?.status == .notDetermined)
        }
    }

    private func withQuestion(
        _ server: DesktopServer, _ hosting: Hosting,
        _ body: (RealServer, HostedService, Task<Bool, any Error>) async throws -> Void
    ) async throws {
        try await RealServer.with(server) { session in
            let center = try await HostedService.start(hosting, on: session.bus)
            do {
                try await center.connect(needsPermission: true)
                let request = Task {
                    try await center.service.requestAuthorization(.all, for: center.app)
                }
                try await session.waitUntilShown(Self.question)
                try await body(session, center, request)
            } catch {
                await center.stop()
                throw error
            }
            await center.stop()
        }
    }

    /// While dunst's Do Not Disturb is on, a new popup is not on the screen.
    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        arguments: Hosting.allCases)
    func `the permission prompt appears when Do Not Disturb ends`(_ hosting: Hosting) async throws {
        try await RealServer.with(ServerCatalog.dunst) { session in
            let center = try await HostedService.start(hosting, on: session.bus)
            try await RunningProgram.run(
                "dunstctl", ["set-paused", "true"], environment: session.environment)
            try await center.connect(needsPermission: true)
            let recorder = try await BusRecorder(session.bus)
            let request = Task {
                try await center.service.requestAuthorization(.all, for: center.app)
            }
            // dunst accepts the popup and keeps it in its waiting queue.
            try await recorder.waitForAnswer(to: "Notify")
            await recorder.stop()
            let waiting = try await RunningProgram.run(
                "dunstctl", ["count", "waiting"], environment: session.environment)
            #expect(waiting == "1")
            let permission = try await center.service.settings(of: center.app).permission
            #expect(permission?.status == .notDetermined)
            try await RunningProgram.run(
                "dunstctl", ["set-paused", "false"], environment: session.environment)
            try await session.waitUntilShown(Self.question)
            try await session.choose("Allow", of: Self.question)
            #expect(try await request.value)
            await center.stop()
        }
    }
}
