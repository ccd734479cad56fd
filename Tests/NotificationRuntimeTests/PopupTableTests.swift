import DesktopBus
import Freedesktop
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import TestSupport
import Testing

/// The presenter's table of popups, compared with the store's delivered notifications.
@Suite(.timeLimit(.minutes(2))) struct PopupTableTests {
    private static let apps = ["org.example.One", "org.example.Two"].map { try? ApplicationID($0) }
        .compactMap(\.self)

    private static let deliveredLimit = 4
    /// The number of steps, each of which adds at most one popup.
    private static let steps = 150

    /// An engine whose apps keep few delivered notifications.
    private static func engine(
        _ presenter: FreedesktopPresenter, _ bus: PrivateBus, _ reactor: Reactor
    ) async throws -> CenterEngine {
        let reading = ClockReading(
            wall: Instant(microseconds: 1_800_000_000_000_000), boot: 0, bootID: "boot",
            timeZone: "UTC")
        var configuration = EngineConfiguration(
            layout: StoreLayout(directory: bus.directory + "/store"), hosting: "embedded",
            version: "1", zones: SystemZones(environment: [:]))
        configuration.limits.delivered = deliveredLimit
        return try await CenterEngine.start(
            configuration, presenter: presenter, clock: VirtualClock(reading), reactor: reactor)
    }

    /// Without a bound, the table would grow for ever on a server that never signals a popup's end.
    @Test(arguments: [1, 2, 3] as [UInt64], [true, false])
    func `the table of popups has only popups of delivered notifications`(
        seed: UInt64, tellsClosed: Bool
    ) async throws {
        let bus = try PrivateBus()
        var script = ServerScript()
        script.tellsClosed = tellsClosed
        script.actionCloses = tellsClosed
        let server = try await ScriptedServer.start(on: bus, script: script)
        let connection = try await BusConnection.open(on: bus, name: "engine")
        var timeouts = ServerTimeouts()
        timeouts.settling = .zero
        let presenter = FreedesktopPresenter(connection: connection, timeouts: timeouts)
        let engine = try await Self.engine(presenter, bus, connection.reactor)
        func settle() async throws {
            _ = try await NotificationServer(on: connection).information()
        }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.steps {
            let app = try #require(Self.apps.randomElement(using: &generator))
            let name = "r\(Int.random(in: 0..<9, using: &generator))"
            let ids = await server.shown.keys.sorted()
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                if let id = ids.randomElement(using: &generator) {
                    try await server.click(id, "default")
                }
            case 1:
                if let id = ids.randomElement(using: &generator) {
                    try await server.close(id, reason: 2)
                }
            case 2: try await engine.removeDelivered(.identifiers([name]), of: app)
            default:
                try await engine.add(
                    NotificationRequest(
                        identifier: name, content: NotificationContent(title: name)),
                    attachments: [], for: app)
            }
            // The presenter receives the server's signals before the reply of a later call.
            try await settle()
            await engine.untilAtRest()
            // The server has closed all unwanted popups before it replies to this call. So the next
            // click cannot hit one of them.
            try await settle()
            let delivered = Set(try await engine.delivered(of: nil).map(\.key))
            #expect(await presenter.popupKeys.isSubset(of: delivered), "seed \(seed)")
        }
        let delivered = try await engine.delivered(of: nil).count
        #expect(delivered <= 2 * Self.deliveredLimit)
        // The reactor runs its deadlines in order: the earlier ones are over after this pause.
        await connection.pause(.zero)
        // The server handles earlier calls that close a popup before it replies to this call.
        try await settle()
        #expect(await server.shown.count <= delivered, "each shown popup is delivered")
        let closings = server.closings.all.count
        for _ in 0..<Self.steps { presenter.closeOldest() }
        try await settle()
        #expect(server.closings.all.count - closings <= delivered, "one call for each popup")
        await engine.stop()
        await server.stop()
    }
}
