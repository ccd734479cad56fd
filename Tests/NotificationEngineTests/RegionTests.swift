import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@Suite("Requests that wait for a region", .timeLimit(.minutes(2)))
struct RegionTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture()
    }

    @Test
    func `region requests are kept over a restart, are listed last, and fire at no date`()
        async throws
    {
        let waiting = NotificationRequest.sample("there", .region(.home, repeats: true))
        do {
            let engine = try await fixture.start()
            try await engine.add(waiting, attachments: [], for: app)
            try await engine.add(.after(60, "later"), attachments: [], for: app)
            let pending = try await engine.pending(of: app)
            #expect(pending.map(\.request.identifier) == ["later", "there"])
            #expect(pending.map { $0.nextFire == nil } == [false, true])
            await engine.stop()
        }
        let engine = try await fixture.start()
        fixture.clock.advance(by: .seconds(400 * 86_400))
        try await fixture.presenter.presentations.first(1)
        try await engine.rest()
        #expect(
            fixture.presenter.presentations.all.map(\.notification.request.identifier) == ["later"])
        let pending = try await engine.pending(of: app)
        #expect(pending.map(\.request) == [waiting])
        await engine.stop()
    }

    @Test
    func `region requests set no alarm`() async throws {
        let engine = try await fixture.start()
        try await engine.add(
            .sample("there", .region(.home, repeats: false)), attachments: [], for: app)
        try await engine.rest()
        #expect(fixture.clock.alarms == ClockAlarms())
        try await engine.removePending(.identifiers(["there"]), of: app)
        #expect(try await engine.pending(of: app).isEmpty)
        await engine.stop()
    }

    @Test(arguments: [
        NotificationRegion(identifier: "a", latitude: 91, longitude: 0, radius: 1),
        NotificationRegion(identifier: "a", latitude: 0, longitude: -181, radius: 1),
        NotificationRegion(identifier: "a", latitude: .nan, longitude: 0, radius: 1),
        NotificationRegion(identifier: "a", latitude: 0, longitude: 0, radius: 0),
        NotificationRegion(identifier: "a", latitude: 0, longitude: 0, radius: .infinity),
        NotificationRegion(
            identifier: "a", latitude: 0, longitude: 0, radius: 1, onEntry: false,
            onExit: false),
    ])
    func `an invalid region, or a region that fires at no crossing, is refused`(
        region: NotificationRegion
    ) async throws {
        let engine = try await fixture.start()
        let error = await #expect(throws: NotificationError.self) {
            try await engine.add(
                .sample("there", .region(region, repeats: false)), attachments: [], for: app)
        }
        #expect(error?.code == .invalidArgument)
        await engine.stop()
    }
}
