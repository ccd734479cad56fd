import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A session locked by a real screen saver, with popups of a real server.
///
/// GNOME Shell 43 locks only if GDM is on the system bus. Plasma's locker needs a password. Their
/// signals were measured by hand.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LockOnRealServersTests {
    private static let locker = "cinnamon-screensaver"
    private static let isInstalled = RunningProgram.path(of: locker) != nil
    private static let name: BusName = "org.cinnamon.ScreenSaver"

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        .enabled(if: isInstalled, "\(locker) is not installed: apt-get install \(locker)"),
        arguments: Hosting.allCases)
    func `Cinnamon's screen saver hides the texts until it ends`(_ hosting: Hosting) async throws {
        try await RealServer.with(ServerCatalog.dunst) { session in
            let center = try await HostedService.start(hosting, on: session.bus)
            let locker = try RunningProgram(Self.locker, environment: session.environment)
            let recorder = try await BusRecorder(session.bus)
            do {
                try await hideAndShow(center, session, recorder)
            } catch {
                await recorder.stop()
                await locker.stop()
                await center.stop()
                throw error
            }
            await recorder.stop()
            await locker.stop()
            await center.stop()
        }
    }

    private func hideAndShow(
        _ center: HostedService, _ session: RealServer, _ recorder: BusRecorder
    ) async throws {
        try await center.connect()
        let person = try await BusConnection.open(on: session.bus, name: "person")
        try await wait(for: LockStatus(sources: [Self.name.rawValue]), center)
        try await activate(true, person)
        try await wait(for: LockStatus(isLocked: true, sources: [Self.name.rawValue]), center)
        try await center.add("secret", title: "A secret")
        try await recorder.waitForLine(containing: "string \"Notification\"")
        try await center.settled { _, delivered in delivered.count == 1 }
        #expect(!Self.isPosted("A secret", recorder))
        try await session.screenshot("lock-\(center.hosting)-locked")
        try await activate(false, person)
        try await eventually("the texts") {
            _ = try await center.service.status()
            return Self.isPosted("A secret", recorder) ? () : nil
        }
        try await session.waitUntilShown("A secret")
        try await session.screenshot("lock-\(center.hosting)-unlocked")
        await person.close()
    }

    /// Whether this text was an argument of `Notify`; in a request it is a variant.
    private static func isPosted(_ text: String, _ recorder: BusRecorder) -> Bool {
        recorder.text.contains("\n   string \"\(text)\"\n")
    }

    private func wait(for status: LockStatus, _ center: HostedService) async throws {
        try await eventually("\(status)") {
            try await center.service.status().lock == status ? () : nil
        }
    }

    private func activate(_ isActive: Bool, _ person: BusConnection) async throws {
        _ = try await person.call(
            MethodCall(
                destination: Self.name, path: "/org/cinnamon/ScreenSaver",
                interface: "org.cinnamon.ScreenSaver", member: "SetActive",
                arguments: [.bool(isActive)]))
    }
}
