import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

/// Requests that wait for a region, from a location fix to the popup.
@Suite(.timeLimit(.minutes(2))) struct GeofenceEngineTests {
    private let fixture: EngineFixture
    private let location = RecordingLocation()
    private let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture()
    }

    private func start(hosting: String = "daemon") async throws -> CenterEngine {
        try await fixture.start(location: location, hosting: hosting)
    }

    /// Adds a request for 200 m around 0, 0.
    private func add(
        to engine: CenterEngine, _ name: String = "there", repeats: Bool = false,
        onExit: Bool = false
    ) async throws {
        let region = NotificationRegion.around(0, 0, onExit: onExit)
        try await engine.add(
            .sample(name, .region(region, repeats: repeats)), attachments: [], for: app)
    }

    /// Reports a fix this many degrees east of the middle, and waits until the fix is confirmed.
    private func move(to longitude: Double, _ engine: CenterEngine) async throws {
        location.report(
            .fix(LocationFix(latitude: 0, longitude: longitude, accuracy: 10)))
        try await engine.rest()
        fixture.clock.advance(by: .seconds(40))
        try await engine.rest()
    }

    /// Does the same as `move(to:_:)` while a post is unanswered and the engine is not at rest.
    private func pass(to longitude: Double, _ engine: CenterEngine) async throws {
        location.report(.fix(LocationFix(latitude: 0, longitude: longitude, accuracy: 10)))
        _ = try await engine.status()
        fixture.clock.advance(by: .seconds(40))
        _ = try await engine.status()
    }

    private var shown: [String] {
        fixture.presenter.presentations.all.map(\.notification.request.identifier)
    }

    @Test func `a request is shown once when the device enters its region`() async throws {
        let engine = try await start()
        try await add(to: engine)
        try await move(to: 0.01, engine)
        #expect(shown.isEmpty)
        try await move(to: 0, engine)
        #expect(shown == ["there"])
        #expect(try await engine.pending(of: app).isEmpty)
        #expect(try await engine.delivered(of: app).count == 1)
        #expect(
            location.needs.all.last == .some(nil),
            "no request waits for a region, so no location is needed")
    }

    @Test func `a repeating request is shown at each crossing of its region`() async throws {
        let engine = try await start()
        try await add(to: engine, repeats: true, onExit: true)
        for longitude in [0.01, 0, 0.01, 0] { try await move(to: longitude, engine) }
        #expect(shown.count == 3)
        let pending = try await engine.pending(of: app)
        #expect(pending.map(\.nextFire) == [nil])
    }

    /// The pending request has no date, so the error must not advise to snooze that request.
    @Test func `a shown request that waits for its region again cannot be snoozed`() async throws {
        let engine = try await start()
        try await add(to: engine, repeats: true)
        for longitude in [0.01, 0] { try await move(to: longitude, engine) }
        #expect(shown == ["there"])
        let error = await #expect(throws: NotificationError.self) {
            try await engine.snooze("there", of: app, for: 60)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("under another identifier") == true)
        #expect(try await engine.delivered(of: app).count == 1)
    }

    @Test func `the engine asks for no location while no request waits for a region`() async throws
    {
        let engine = try await start()
        try await engine.add(.after(60, "later"), attachments: [], for: app)
        try await engine.rest()
        #expect(location.needs.all.isEmpty)
        try await add(to: engine)
        try await engine.removePending(.identifiers(["there"]), of: app)
        let need = LocationNeed(isExact: true, distance: 50)
        #expect(location.needs.all == [need, nil])
        try await add(to: engine)
        try await engine.add(.after(60, "there"), attachments: [], for: app)
        #expect(
            location.needs.all == [need, nil, need, nil],
            "the request now has a time, so no location is needed")
        try await add(to: engine)
        try await engine.removePending(.all, of: app)
        #expect(location.needs.all == [need, nil, need, nil, need, nil])
    }

    @Test func `after a restart, a device that stays inside a region does not arrive again`()
        async throws
    {
        var engine = try await start()
        try await add(to: engine, repeats: true, onExit: true)
        try await move(to: 0, engine)
        await engine.stop()
        #expect(location.needs.all.last == .some(nil))
        engine = try await start()
        #expect(location.needs.all.last == LocationNeed(isExact: true, distance: 50))
        try await move(to: 0, engine)
        #expect(shown.isEmpty)
        await engine.stop()
        engine = try await start()
        try await move(to: 0.01, engine)
        #expect(shown == ["there"], "the device left while no engine ran")
    }

    @Test func `a request that is added again forgets on which side the device was`() async throws {
        let engine = try await start()
        try await add(to: engine)
        try await move(to: 0.01, engine)
        try await add(to: engine)
        try await move(to: 0, engine)
        #expect(shown.isEmpty)
        #expect(try await engine.pending(of: app).count == 1)
    }

    @Test func `crossings while no server runs are merged, and shown when a server appears`()
        async throws
    {
        let engine = try await start()
        try await add(to: engine, repeats: true, onExit: true)
        fixture.presenter.becomeUnavailable()
        for longitude in [0.01, 0, 0.01] { try await move(to: longitude, engine) }
        #expect(shown.isEmpty)
        let due = try await engine.pending(of: app)[0].nextFire
        #expect(due == ManualClock.start.adding(microseconds: 80_000_000))
        fixture.presenter.becomeAvailable()
        try await engine.rest()
        #expect(shown == ["there"])
        try await move(to: 0, engine)
        #expect(shown.count == 2)
    }

    @Test func `a region whose request is due at a start is watched again after the popup`()
        async throws
    {
        var engine = try await start()
        try await add(to: engine, repeats: true)
        fixture.presenter.becomeUnavailable()
        for longitude in [0.01, 0] { try await move(to: longitude, engine) }
        await engine.stop()
        engine = try await start()
        fixture.presenter.becomeAvailable()
        try await engine.rest()
        #expect(shown == ["there"])
        for longitude in [0, 0.01, 0] { try await move(to: longitude, engine) }
        #expect(shown.count == 2)
    }

    @Test func `a region is watched again if its post in the last run got no answer`() async throws
    {
        let server = PresenterEvent.serverIdentified(isPersistent: true, server: ":1.1")
        var engine = try await start()
        fixture.presenter.emit(server)
        try await add(to: engine, repeats: true)
        try await move(to: 0.01, engine)
        fixture.presenter.answers { _ in .hold }
        try await pass(to: 0, engine)
        try await fixture.presenter.presentations.first(1)
        await engine.stop(waiting: .zero)
        fixture.presenter.answers { _ in .present }
        engine = try await start()
        fixture.presenter.emit(server)
        for longitude in [0, 0.01, 0] { try await move(to: longitude, engine) }
        #expect(shown == ["there", "there"])
    }

    /// The engine must not wait for its next start to watch the region.
    @Test
    func `a region whose read failed after its popup is watched after a successful read`()
        async throws
    {
        var engine = try await start()
        try await add(to: engine, repeats: true)
        fixture.presenter.becomeUnavailable()
        for longitude in [0.01, 0] { try await move(to: longitude, engine) }
        await engine.stop()
        let next = Locked<CenterEngine?>(nil)
        engine = try await fixture.start(
            location: location, hosting: "daemon",
            settled: { _ in
                let engine = next.withLock { engine in
                    defer { engine = nil }
                    return engine
                }
                // The engine reads the regions right after this.
                engine?.assumeIsolated { $0.hideRequests() }
            })
        try await engine.rest()
        next.withLock { $0 = engine }
        fixture.presenter.becomeAvailable()
        await engine.untilAtRest()
        #expect(shown == ["there"])
        try await engine.store.change("changed") { try $0.execute(sql: "DROP VIEW temp.request") }
        fixture.clock.advance(by: .seconds(1))
        await engine.untilAtRest()
        for longitude in [0, 0.01, 0] { try await move(to: longitude, engine) }
        #expect(shown == ["there", "there"])
    }

    @Test func `a crossing during the post of a popup is shown after that popup`() async throws {
        let engine = try await start()
        try await add(to: engine, repeats: true, onExit: true)
        fixture.presenter.answers { _ in .hold }
        try await pass(to: 0.01, engine)
        try await pass(to: 0, engine)
        let first = try await fixture.presenter.presentations.first(1)[0]
        try await pass(to: 0.01, engine)
        fixture.presenter.answers { _ in .present }
        fixture.presenter.answer(first)
        try await fixture.presenter.presentations.first(2)
        try await engine.rest()
        #expect(shown == ["there", "there"])
        try await move(to: 0.01, engine)
        #expect(shown.count == 2, "the device is already outside")
    }

    @Test func `turning location off makes the stored side of a region unknown`() async throws {
        var engine = try await start()
        try await add(to: engine, repeats: true, onExit: true)
        try await move(to: 0, engine)
        location.report(.turnedOff)
        try await engine.rest()
        await engine.stop()
        engine = try await start()
        try await move(to: 0.01, engine)
        #expect(shown.isEmpty)
        try await move(to: 0, engine)
        #expect(shown == ["there"], "the region is still watched")
    }

    /// A repeating request and its delivered notification have the same identifier.
    @Test func `a damaged delivered notification does not end the watch for its request's region`()
        async throws
    {
        let engine = try await start()
        try await add(to: engine, repeats: true)
        for longitude in [0.01, 0] { try await move(to: longitude, engine) }
        #expect(shown == ["there"])
        try await engine.store.change("changed") { database in
            try database.execute(sql: "UPDATE notification SET checksum = 1")
        }
        #expect(try await engine.delivered(of: app).isEmpty)
        try await engine.rest()
        for longitude in [0.01, 0] { try await move(to: longitude, engine) }
        #expect(shown == ["there", "there"])
    }

    @Test func `a damaged request ends the watch for its region`() async throws {
        let engine = try await start()
        try await add(to: engine)
        try await engine.store.change("changed") { database in
            try database.execute(sql: "UPDATE request SET checksum = 1")
        }
        #expect(try await engine.pending(of: app).isEmpty)
        try await engine.rest()
        #expect(location.needs.all.last == .some(nil))
    }

    /// The retry of a refused change must not end the watch for a region added before the retry.
    @Test func `a late change of a replaced region does not end the watch for the new region`()
        async throws
    {
        let engine = try await start()
        try await add(to: engine)
        try await engine.store.change("changed") { database in
            try database.execute(
                sql: """
                    CREATE TEMP TRIGGER refusal BEFORE UPDATE ON request
                    BEGIN SELECT RAISE(ABORT, 'refused by the test'); END
                    """)
        }
        location.report(.fix(LocationFix(latitude: 0, longitude: 0.01, accuracy: 10)))
        try await engine.rest()
        let region = NotificationRegion.around(0, 0.02)
        try await engine.add(
            .sample("there", .region(region, repeats: false)), attachments: [], for: app)
        try await engine.store.change("changed") { try $0.execute(sql: "DROP TRIGGER refusal") }
        fixture.clock.advance(by: .seconds(1))
        try await engine.rest()
        for longitude in [0.01, 0.02] { try await move(to: longitude, engine) }
        #expect(shown == ["there"])
    }

    @Test func `an app has at most a thousand regions`() async throws {
        let engine = try await start()
        let region = NotificationRegion.around(0, 0)
        let requests = (0..<1_000).map {
            RequestWithFiles(.sample("\($0)", .region(region, repeats: false)))
        }
        for batch in stride(from: 0, to: 1_000, by: 100) {
            try await engine.add(Array(requests[batch..<(batch + 100)]), for: app)
        }
        let error = await #expect(throws: NotificationError.self) { try await add(to: engine) }
        #expect(error?.code == .limitReached)
        try await add(to: engine, "7")
    }

    /// The limit must also count the regions of the call itself.
    @Test func `one call adds at most a thousand regions`() async throws {
        let engine = try await start()
        let region = NotificationRegion.around(0, 0)
        let requests = (0...1_000).map {
            RequestWithFiles(.sample("\($0)", .region(region, repeats: false)))
        }
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(requests, for: app)
        }
        #expect(error?.code == .limitReached)
        #expect(try await engine.pending(of: app).isEmpty)
        try await engine.add(Array(requests.dropLast()), for: app)
    }

    @Test func `pending regions keep an idle daemon running if it has a location service`()
        async throws
    {
        let engine = try await start()
        let quiet = Recording<Bool>()
        await engine.watchQuiet { quiet.append($0) }
        try await add(to: engine)
        try await engine.rest()
        #expect(quiet.all.last == false)
        try await engine.removePending(.all, of: app)
        #expect(quiet.all.last == true)
    }

    @Test func `without a location service pending regions do not keep an idle daemon running`()
        async throws
    {
        let engine = try await fixture.start(hosting: "daemon")
        let quiet = Recording<Bool>()
        await engine.watchQuiet { quiet.append($0) }
        try await add(to: engine)
        try await engine.rest()
        #expect(quiet.all.last == true)
        #expect(try await engine.pending(of: app).count == 1)
    }
}

extension CenterEngine {
    /// Makes reads of requests fail; the earliest due time of each clock can still be read.
    fileprivate func hideRequests() {
        Task {
            do throws(NotificationError) {
                try await store.change("changed") { database in
                    try database.execute(
                        sql: """
                            CREATE TEMP VIEW request AS
                            SELECT state, due_wall, due_boot, boot_id FROM main.request
                            """)
                }
            } catch {
                Issue.record(error)
            }
        }
    }
}
