import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// An early row is a stored request that the engine claims up to 5 ms before it is due.
@Suite("Rows that are claimed before they are due", .timeLimit(.minutes(2)))
struct EarlyRowTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    /// Starts an engine with a request due in 60 s, and advances the clock to 3 ms before that.
    private func engineBefore(_ request: NotificationRequest) async throws -> CenterEngine {
        let engine = try await fixture.start()
        try await engine.add(request, attachments: [], for: app)
        try await engine.rest()
        clock.advance(by: .milliseconds(59_997))
        try await engine.rest()
        let claimed = try await engine.store.change("read") { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM request WHERE state = 1")
        }
        #expect(claimed == 1, "the row is claimed before it is due")
        #expect(clock.alarms != ClockAlarms(), "an alarm is set for the due time of the row")
        return engine
    }

    private func reachInstant(_ engine: CenterEngine) async throws {
        clock.advance(by: .milliseconds(3))
        try await engine.rest()
    }

    private func at(_ seconds: Int64) -> Instant {
        ManualClock.start.adding(microseconds: seconds * 1_000_000)
    }

    // MARK: - The instant

    @Test(
        arguments: [
            .interval(seconds: 60, repeats: false),
            .at(ManualClock.start.adding(microseconds: 60_000_000)),
        ] as [NotificationTrigger])
    func `an early row is shown at its instant, not before`(
        trigger: NotificationTrigger
    )
        async throws
    {
        let engine = try await engineBefore(.sample("a", trigger))
        #expect(presenter.titles.isEmpty)
        clock.advance(by: .microseconds(2_999))
        try await engine.rest()
        #expect(presenter.titles.isEmpty)
        clock.advance(by: .microseconds(1))
        try await engine.rest()
        #expect(presenter.times() == [at(60)])
    }

    @Test func `rows that are claimed early together are each shown at their own date`()
        async throws
    {
        let engine = try await fixture.start()
        for number in 0..<4 {
            let date = at(60).adding(microseconds: Int64(number) * 1_000)
            try await engine.add(.sample("\(number)", .at(date)), attachments: [], for: app)
        }
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(61))
        #expect(presenter.titles == ["0", "1", "2", "3"])
        #expect(
            presenter.times()
                == (0..<4).map { at(60).adding(microseconds: $0 * 1_000) })
    }

    @Test func `a repeating request fires once for each date`() async throws {
        let engine = try await engineBefore(.after(60, "r", repeats: true))
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(125))
        #expect(presenter.times() == [at(60), at(120), at(180)])
    }

    // MARK: - Lists and commands

    @Test func `an early row is listed as pending, with its date`() async throws {
        let engine = try await engineBefore(.after(60, "a"))
        let listed = try await engine.pending(of: app)
        #expect(listed.map(\.state) == [.pending])
        #expect(listed.map(\.nextFire) == [at(60)])
    }

    @Test func `an early row that is removed is not shown`() async throws {
        let engine = try await engineBefore(.after(60, "a"))
        try await engine.removePending(.identifiers(["a"]), of: app)
        try await reachInstant(engine)
        #expect(presenter.titles.isEmpty)
        #expect(try await engine.pending(of: app).isEmpty)
    }

    @Test func `an early row that is replaced is not shown, and the new request is shown`()
        async throws
    {
        let engine = try await engineBefore(.after(60, "a"))
        try await engine.add(.after(10, "a"), attachments: [], for: app)
        try await reachInstant(engine)
        #expect(presenter.titles.isEmpty)
        clock.advance(by: .seconds(10))
        try await engine.rest()
        #expect(presenter.titles == ["a"])
    }

    @Test func `the date of an early row can be skipped`() async throws {
        let engine = try await engineBefore(.after(60, "r", repeats: true))
        #expect(try await engine.skip("r", of: app).skipped == at(60))
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(70))
        #expect(presenter.times() == [at(120)])
    }

    @Test func `an early row can be snoozed`() async throws {
        let engine = try await engineBefore(.after(60, "a"))
        #expect(try await engine.snooze("a", of: app, for: 10) == at(70))
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(20))
        #expect(presenter.times() == [at(70)])
    }

    @Test func `an early row whose change is refused still fires at its instant`() async throws {
        let engine = try await engineBefore(.after(60, "once"))
        await #expect(throws: NotificationError.self) {
            try await engine.skip("once", of: app)
        }
        try await reachInstant(engine)
        #expect(presenter.times() == [at(60)])
    }

    // MARK: - Clocks, servers, restarts

    @Test func `an early row with a date on the wall clock waits again if that clock is set back`()
        async throws
    {
        let engine = try await engineBefore(.sample("at", .at(at(60))))
        clock.setWall(at(0))
        try await reachInstant(engine)
        #expect(presenter.titles.isEmpty)
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(60))
        #expect(presenter.times() == [at(60)])
    }

    @Test func `an early row waits for the next server if the server leaves`() async throws {
        let engine = try await engineBefore(.after(60, "a"))
        presenter.becomeUnavailable()
        try await reachInstant(engine)
        #expect(presenter.titles.isEmpty)
        #expect(try await engine.pending(of: app).map(\.state) == [.pending])
        presenter.becomeAvailable()
        try await engine.rest()
        #expect(presenter.titles == ["a"])
    }

    @Test func `an early row of an engine that ends is pending at the next start`() async throws {
        let engine = try await engineBefore(.after(60, "a"))
        await engine.stop()
        let next = try await fixture.start()
        #expect(try await next.pending(of: app).map(\.nextFire) == [at(60)])
        try await ClockDriver(clock: clock, engine: next).run(.seconds(1))
        #expect(presenter.times() == [at(60)])
    }
}
