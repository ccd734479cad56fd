import DesktopBus
import DesktopIntegration
import NotificationModel
import Reactor
import TestSupport
import Testing

/// A scripted GeoClue on a private bus that stands for the system bus.
@Suite(.timeLimit(.minutes(5))) struct GeoClueTests {
    private static let near = LocationNeed(isExact: true, distance: 50)
    private static let far = LocationNeed(isExact: false, distance: 5_000)

    private let bus: PrivateBus
    private let events = Recording<LocationEvent>()

    init() throws {
        bus = try PrivateBus()
    }

    private func source(
        answer: Duration = .seconds(60), hasBus: Bool = true
    ) async throws -> GeoClue {
        let connection = try await BusConnection.open(on: bus, name: "location")
        var timing = GeoClue.Timing()
        timing.answer = answer
        timing.retry = Backoff(first: .milliseconds(1), longest: .milliseconds(1))
        let source = GeoClue(
            desktopID: "org.example.Daemon", reactor: connection.reactor, timing: timing
        ) { hasBus ? connection : nil }
        await source.follow { [events] in events.append($0) }
        return source
    }

    private func wait(for event: LocationEvent, count: Int = 1) async throws {
        try await events.wait(for: "\(event)") { $0.count { $0 == event } >= count }
    }

    private var fixes: [LocationFix] {
        events.all.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    }

    @Test func `a client starts with the needed accuracy and distance`() async throws {
        let geoClue = try await ScriptedGeoClue.start(on: bus)
        let source = try await source()
        #expect(await source.status() == .available)
        #expect(geoClue.calls.all.isEmpty, "nothing needs the location yet")
        source.watch(Self.near)
        try await wait(for: .statusChanged(.available))
        #expect(geoClue.calls.all == ["GetClient", "Start org.example.Daemon 8 50 30"])
        await geoClue.stop()
    }

    @Test func `places are reported in order, with their accuracy and time`() async throws {
        let geoClue = try await ScriptedGeoClue.start(on: bus)
        try await geoClue.move(to: 1, 2, accuracy: 0, age: 3_600)
        let source = try await source()
        source.watch(Self.near)
        try await events.wait(for: "the first place") { $0.count >= 2 }
        for step in 1...20 { try await geoClue.move(to: Double(step), -179.5, accuracy: 30) }
        try await events.wait(for: "the places") { $0.count >= 22 }
        #expect(fixes.map(\.latitude) == [1] + (1...20).map(Double.init))
        #expect(fixes[0].accuracy == 0 && fixes[20].accuracy == 30)
        #expect(fixes[20].longitude == -179.5)
        let ages = try [fixes[20], fixes[0]].map { try #require($0.date) }
        let difference = ages[0].microseconds(since: ages[1])
        #expect((3_600_000_000..<3_700_000_000).contains(difference))
        await geoClue.stop()
    }

    @Test func `a client gets a larger distance, and a new client is made for another accuracy`()
        async throws
    {
        let geoClue = try await ScriptedGeoClue.start(on: bus)
        let source = try await source()
        source.watch(Self.near)
        try await wait(for: .statusChanged(.available))
        source.watch(LocationNeed(isExact: true, distance: 400))
        try await geoClue.calls.wait(for: "the threshold") { $0.last == "DistanceThreshold 400" }
        source.watch(Self.far)
        try await geoClue.calls.wait(for: "the level") {
            $0.suffix(4).elementsEqual(
                ["Stop", "DeleteClient", "GetClient", "Start org.example.Daemon 6 5000 30"])
        }
        await geoClue.stop()
    }

    @Test func `the client is stopped and deleted when nothing needs the location`() async throws {
        let geoClue = try await ScriptedGeoClue.start(on: bus)
        let source = try await source()
        source.watch(Self.near)
        try await wait(for: .statusChanged(.available))
        source.watch(nil)
        try await geoClue.calls.wait(for: "the end") {
            $0.suffix(2).elementsEqual(["Stop", "DeleteClient"])
        }
        try await geoClue.move(to: 5, 5)
        source.watch(Self.near)
        try await events.wait(for: "the place at the next start") {
            $0.contains { if case .fix = $0 { true } else { false } }
        }
        #expect(fixes.count == 1)
        await geoClue.stop()
    }

    @Test func `a location service that is turned off twice is reported once`() async throws {
        let geoClue = try await ScriptedGeoClue.start(on: bus)
        let source = try await source()
        source.watch(Self.near)
        try await wait(for: .statusChanged(.available))
        try await geoClue.turn(on: false)
        try await geoClue.turn(on: false)
        try await wait(for: .turnedOff)
        #expect(await source.status() == .off)
        try await geoClue.turn(on: true)
        try await wait(for: .statusChanged(.available), count: 2)
        try await geoClue.move(to: 1, 1)
        try await events.wait(for: "a place") { $0.count == 5 }
        #expect(events.all.count { $0 == .turnedOff } == 1)
        await geoClue.stop()
    }

    @Test func `after a restart of GeoClue, the source gets its locations again`() async throws {
        let first = try await ScriptedGeoClue.start(on: bus)
        let source = try await source()
        source.watch(Self.near)
        try await wait(for: .statusChanged(.available))
        await first.stop()
        try await wait(for: .statusChanged(.missing))
        let second = try await ScriptedGeoClue.start(on: bus)
        try await wait(for: .statusChanged(.available), count: 2)
        try await second.move(to: 7, 8)
        try await events.wait(for: "a place") { $0.count == 4 }
        #expect(fixes.map(\.latitude) == [7])
        await second.stop()
    }

    @Test func `a missing GeoClue agent is reported, and the source starts when an agent comes`()
        async throws
    {
        let geoClue = try await ScriptedGeoClue.start(on: bus, hasAgent: false)
        let source = try await source(answer: .seconds(2))
        source.watch(Self.near)
        try await wait(for: .statusChanged(.noAgent))
        #expect(await source.status() == .noAgent)
        await geoClue.addAgent()
        try await wait(for: .statusChanged(.available))
        await geoClue.stop()
    }

    @Test func `a refusal of GeoClue is reported as denied`() async throws {
        let geoClue = try await ScriptedGeoClue.start(on: bus, isAllowed: false)
        let source = try await source()
        source.watch(Self.near)
        try await wait(for: .statusChanged(.denied))
        await geoClue.stop()
    }

    @Test(arguments: [true, false])
    func `without GeoClue or a bus the status is missing`(hasBus: Bool) async throws {
        let source = try await source(hasBus: hasBus)
        #expect(await source.status() == .missing)
        source.watch(Self.near)
        try await wait(for: .statusChanged(.missing))
        source.watch(nil)
        guard hasBus else { return }
        source.watch(Self.near)
        let geoClue = try await ScriptedGeoClue.start(on: bus)
        try await wait(for: .statusChanged(.available))
        await geoClue.stop()
    }

    @Test func `a system bus that hangs delays the status by less than 5 seconds`() async throws {
        let opening = Promise<Void>()
        let source = GeoClue(
            desktopID: "org.example.Daemon", reactor: Reactor.started("hanging")
        ) {
            await opening.value()
            return nil
        }
        source.watch(Self.near)
        let start = ContinuousClock.now
        #expect(await source.status() == .unknown)
        #expect(ContinuousClock.now - start < .seconds(5))
        opening.fulfill(())
        #expect(await source.status() == .missing)
    }

    @Test func `a signal of another program changes no location`() async throws {
        let geoClue = try await ScriptedGeoClue.start(on: bus)
        let source = try await source()
        source.watch(Self.near)
        try await wait(for: .statusChanged(.available))
        try await geoClue.move(to: 9, 9)
        try await events.wait(for: "the first place") { $0.count == 2 }
        let stranger = try await BusConnection.open(on: bus, name: "stranger")
        let client: ObjectPath = "/org/freedesktop/GeoClue2/Client/1"
        let interface: InterfaceName = "org.freedesktop.GeoClue2.Client"
        // The signal names a place that GeoClue has, so the source could read it.
        let reply = try await stranger.call(
            MethodCall(
                reading: "Location", of: interface, destination: "org.freedesktop.GeoClue2",
                path: client))
        let place = try #require(reply.arguments.first?.unwrapped.objectPathValue)
        try await stranger.emit(
            path: client, interface: interface, member: "LocationUpdated",
            arguments: [.objectPath("/"), .objectPath(place)])
        try await bus.untilReceived()
        try await geoClue.move(to: 3, 3)
        try await events.wait(for: "the second place") { $0.count == 3 }
        #expect(fixes.map(\.latitude) == [9, 3])
        await stranger.close()
        await geoClue.stop()
    }
}
