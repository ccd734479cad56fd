import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A session locked by a real screen saver, with popups of a real server.
///
/// GNOME Shell 43 locks only if GDM is on the system bus, and Plasma's locker needs a password. So
/// no test uses these two lockers; their signals are measured by hand.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LockOnRealServersTests {
    private static let locker = "cinnamon-screensaver"
    private static let isInstalled = RunningProgram.path(of: locker) != nil
    private static let name: BusName = "org.cinnamon.ScreenSaver"

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        .enabled(if: isInstalled, "\(locker) is not installed: apt-get install \(locker)"),
        arguments: Hosting.allCases)
    func `the texts of popups are hidden while Cinnamon's screen saver is active`(
        _ hosting: Hosting
    ) async throws {
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
        // The centre calls the screen saver as soon as the screen saver owns its name.
        try await recorder.waitForAnswer(to: "GetActive")
        try await wait(for: LockStatus(sources: [Self.name.rawValue]), center)
        try await activate(true, person)
        try await wait(for: LockStatus(isLocked: true, sources: [Self.name.rawValue]), center)
        try await center.add("secret", title: "A secret")
        try await recorder.waitForLine(containing: "string \"Notification\"")
        try await center.settled { _, delivered in delivered.count == 1 }
        #expect(!recorder.text.split(separator: "\n").contains { $0 == Self.posted("A secret") })
        try await session.screenshot("lock-\(center.hosting)-locked")
        try await activate(false, person)
        try await recorder.waitForLine(Self.posted("A secret"))
        try await session.waitUntilShown("A secret")
        try await session.screenshot("lock-\(center.hosting)-unlocked")
        await person.close()
    }

    /// The line that dbus-monitor prints for a text of `Notify`.
    ///
    /// A call of `Add` has the same text in a variant, so its line differs.
    private static func posted(_ text: String) -> String { "   string \"\(text)\"" }

    private func wait(for status: LockStatus, _ center: HostedService) async throws {
        try await polled("\(status)", because: "a connection of the screen saver answers no Ping") {
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
