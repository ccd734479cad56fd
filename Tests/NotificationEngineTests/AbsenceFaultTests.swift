import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@testable import NotificationStore

/// The engine's part of the faults 5, 6 and 22 of `Tests/Faults.md`.
@Suite("Faults of an engine that was down or frozen", .timeLimit(.minutes(2)))
struct AbsenceFaultTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func add(
        _ requests: [(String, NotificationTrigger)], to engine: CenterEngine
    ) async throws {
        for (name, trigger) in requests {
            try await engine.add(.sample(name, trigger), attachments: [], for: app)
        }
    }

    @Test
    func `fault 5, requests due while the engine was down fire soon after its start, oldest first`()
        async throws
    {
        var engine = try await fixture.start()
        try await add(
            [
                ("c", .interval(seconds: 300, repeats: false)),
                ("a", .interval(seconds: 100, repeats: false)),
                ("b", .at(ManualClock.start.adding(microseconds: 200_000_000))),
                ("minutes", .interval(seconds: 60, repeats: true)),
                ("rule", .rule(NotificationRule("cron * * * * *", count: 7))),
            ], to: engine)
        await engine.stop()
        clock.advance(by: .seconds(4 * 3_600))
        engine = try await fixture.start()
        try await presenter.presentations.first(5)
        try await engine.rest()
        #expect(presenter.titles == ["minutes", "rule", "a", "b", "c"])
        let left = try await engine.pending(of: app)
        #expect(left.map(\.request.identifier) == ["minutes", "rule"])
        #expect(left.allSatisfy { ($0.nextFire ?? ManualClock.start) > clock.now().wall })
        #expect(left.last?.request.trigger == .rule(NotificationRule("cron * * * * *", count: 6)))
    }

    @Test
    func `fault 6, after a freeze each due request is shown once or counted in one summary`()
        async throws
    {
        for (freeze, popups) in [(60.0, 40), (86_400, 11)] {
            let fixture = try EngineFixture()
            let engine = try await fixture.start()
            for index in 1...40 {
                try await engine.add(.after(Double(index), "r\(index)"), attachments: [], for: app)
            }
            try await engine.rest()
            fixture.clock.advance(by: .seconds(freeze))
            try await engine.rest()
            try await ClockDriver(clock: fixture.clock, engine: engine).run(.seconds(2))
            #expect(fixture.presenter.titles.count == popups, "frozen for \(freeze) s")
            #expect(Set(fixture.presenter.titles).count == popups)
            let delivered = Set(try await engine.delivered(of: app).map(\.request.identifier))
            #expect(delivered.isSuperset(of: (1...40).map { "r\($0)" }))
        }
    }

    @Test
    func `fault 22, a restored old backup shows ten requests again, and the rest in one summary`()
        async throws
    {
        var engine = try await fixture.start()
        try await add(
            (1...50).map { ("r\($0)", .interval(seconds: 60, repeats: false)) }, to: engine)
        await engine.stop()
        let (store, copy) = (fixture.layout.directory, fixture.directory.path + "/backup")
        try FileManager.default.copyItem(atPath: store, toPath: copy)
        engine = try await fixture.start()
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(3_600))
        #expect(presenter.titles.count == 50, "without a restore, each request is shown once")
        await engine.stop()
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: copy, toPath: store)
        engine = try await fixture.start()
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(3_600))
        #expect(presenter.titles.count == 61)
        #expect(presenter.titles.last == "40 more notifications")
        #expect(try await engine.delivered(of: app).count == 51)
    }

    @Test
    func `ten overdue requests of an adopted store are shown, and a summary replaces the rest`()
        async throws
    {
        let layout = StoreLayout(directory: fixture.directory.path + "/app")
        let app = try await fixture.start(
            presenter: RecordingPresenter(isAvailable: false), layout: layout)
        for index in 1...20 {
            try await app.add(.after(Double(index), "r\(index)"), attachments: [], for: self.app)
        }
        var strict = NotificationRequest.after(1, "strict")
        strict.grace = 60
        try await app.add(strict, attachments: [], for: self.app)
        await app.stop()
        let daemon = try await fixture.start()
        let driver = ClockDriver(clock: clock, engine: daemon)
        try await driver.run(.seconds(7_200))
        await daemon.adopt([layout])
        try await driver.run(.seconds(2))
        #expect(presenter.titles == (1...10).map { "r\($0)" } + ["10 more notifications"])
        #expect(try await daemon.pending(of: self.app).isEmpty)
    }

    @Test func `in a rescue, a column that the damaged store lacks gets its default`() async throws
    {
        let fixture = try StoreFixture()
        let first = try fixture.open()
        try await first.add(.sample("daily", .daily(at: 14)))
        first.close()
        try fixture.sqlite { database in
            try database.execute(sql: "ALTER TABLE request DROP COLUMN fired_wall")
        }
        let rescued = try StoreFixture()
        try rescued.open().close()
        let rescue = StoreRescue(
            source: fixture.layout.database, name: "", date: ManualClock.start)
        try rescued.sqlite { try rescue.run(into: $0) }
        let second = try rescued.open()
        #expect(try await second.identifiers() == ["daily"])
        let late = ClockReading.sample(
            wall: ManualClock.start.adding(microseconds: 8_000_000_000))
        #expect(try await second.deliver(now: late) == ["daily"])
        let row = try await second.change("read") { database in
            try database.row(RequestRow.selection).map(RequestRow.init)
        }
        #expect(row?.due.fired == ManualClock.start.adding(microseconds: 7_200_000_000))
        second.close()
    }
}
