import Foundation
import NotificationEngine
import NotificationModel
import Reactor
import StoreSupport
import TestSupport
import Testing

@testable import NotificationStore

/// The faults 47 to 49 and 52 to 55 of `Tests/Faults.md`, for every kind of trigger.
@Suite("Faults of clocks", .timeLimit(.minutes(2)))
struct TimeFaultTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    static let day: Int64 = 86_400_000_000
    static let hour: Int64 = 3_600_000_000

    init() throws {
        fixture = try EngineFixture()
    }

    /// One trigger of each kind, all due at 14:00, an hour after the start.
    static let kinds: [(String, NotificationTrigger)] = [
        ("apple", .daily(at: 14)),
        ("words", .rule(NotificationRule("day at 14"))),
        ("cron", .rule(NotificationRule("cron 0 14 * * *"))),
        ("calendar", .rule(NotificationRule("calendar 14:00"))),
        ("counted", .rule(NotificationRule("day at 14", count: 5))),
        (
            "bounded",
            .rule(
                NotificationRule(
                    "calendar 14:00", until: ManualClock.start.adding(microseconds: 9 * day)))
        ),
    ]

    private func add(
        _ requests: [(String, NotificationTrigger)], to engine: CenterEngine
    ) async throws {
        for (name, trigger) in requests {
            try await engine.add(.sample(name, trigger), attachments: [], for: app)
        }
    }

    /// How often each request fired.
    private var counts: [String: Int] {
        Dictionary(presenter.titles.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private func shift(_ delta: Int64) {
        clock.setWall(clock.now().wall.adding(microseconds: delta))
    }

    // MARK: - 47, 48

    @Test
    func `fault 47, if the clock jumps days ahead, each trigger fires once and stays pending`()
        async throws
    {
        let engine = try await fixture.start()
        let driver = ClockDriver(clock: clock, engine: engine)
        try await add(Self.kinds + [("in", .interval(seconds: 1_800, repeats: false))], to: engine)
        try await driver.run(.zero)
        shift(5 * Self.day + Self.hour / 2)
        try await driver.run(.zero)
        #expect(counts == Dictionary(uniqueKeysWithValues: Self.kinds.map { ($0.0, 1) }))
        try await driver.run(.seconds(1_800))
        #expect(counts["in"] == 1, "the jump does not move an interval")
        #expect(counts["apple"] == 2, "the clock now says 14:00, so it fires a second time")
        #expect(
            presenter.times(of: "cron").last == (try instant("2026-11-26 13:00:00")))
    }

    @Test
    func `fault 47, if the clock jumps past the end of an interval rule, the request ends`()
        async throws
    {
        let engine = try await fixture.start()
        let driver = ClockDriver(clock: clock, engine: engine)
        let end = ManualClock.start.adding(microseconds: 8 * Self.hour)
        try await add([("tea", .rule(NotificationRule("15m", until: end)))], to: engine)
        try await driver.run(.seconds(1_000))
        #expect(counts == ["tea": 1])
        shift(Self.day)
        try await driver.run(.seconds(1_000))
        #expect(counts == ["tea": 1])
        #expect(try await engine.pending(of: app).isEmpty)
        let records = try await engine.store.records()
        #expect(records.count == 1 && records[0].contains("its rule had ended"))
    }

    @Test(arguments: [hour, day, 2 * hour])
    func `fault 48, if the clock goes back hours or a day, no date fires again or is left out`(
        by delta: Int64
    ) async throws {
        let engine = try await fixture.start()
        let driver = ClockDriver(clock: clock, engine: engine)
        try await add(Self.kinds, to: engine)
        try await driver.run(.seconds(3_660))
        let once = Dictionary(uniqueKeysWithValues: Self.kinds.map { ($0.0, 1) })
        #expect(counts == once)
        shift(-delta)
        // Each of these events makes the engine compute the dates again.
        clock.setTimeZone("Europe/Paris")
        try await engine.rest()
        clock.exchangeZoneData()
        clock.setTimeZone("Europe/Berlin")
        try await driver.run(.microseconds(delta))
        #expect(counts == once)
        try await driver.run(.seconds(86_400))
        #expect(counts == once.mapValues { $0 + 1 })
    }

    @Test
    func `fault 48, if the clock is set back during a restart, no date fires again`() async throws {
        let engine = try await fixture.start()
        try await add(Self.kinds, to: engine)
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(3_660))
        await engine.stop()
        shift(-Self.day)
        let next = try await fixture.start()
        try await ClockDriver(clock: clock, engine: next).run(.seconds(86_400))
        #expect(counts == Dictionary(uniqueKeysWithValues: Self.kinds.map { ($0.0, 1) }))
    }

    @Test
    func `fault 48, after a correction by a year no request is silent for that year`() async throws
    {
        let wrong = ManualClock.start.adding(microseconds: 365 * Self.day)
        clock.setWall(wrong)
        var engine = try await fixture.start()
        var driver = ClockDriver(clock: clock, engine: engine)
        let kinds = Self.kinds.filter { $0.0 != "bounded" }
        try await add(kinds, to: engine)
        try await driver.run(.seconds(3_660))
        #expect(counts["apple"] == 1)
        shift(-365 * Self.day)
        try await driver.run(.seconds(86_400))
        #expect(counts == Dictionary(uniqueKeysWithValues: kinds.map { ($0.0, 2) }))
        // The clock is wrong again. The reboot below corrects it while no engine runs.
        clock.setWall(wrong)
        try await driver.run(.zero)
        await engine.stop()
        clock.reboot(after: .seconds(-365 * 86_400))
        let before = counts
        engine = try await fixture.start()
        driver = ClockDriver(clock: clock, engine: engine)
        try await driver.run(.seconds(86_400))
        #expect(counts == before.mapValues { $0 + 1 })
    }

    @Test
    func `fault 48, if the clock goes back, a request that has not fired fires on the earlier day`()
        async throws
    {
        let engine = try await fixture.start()
        let driver = ClockDriver(clock: clock, engine: engine)
        var once = CalendarComponents()
        once.hour = 12
        // The date is tomorrow 12:00, and after the correction today 12:00.
        try await add([("noon", .calendar(once, repeats: false))], to: engine)
        shift(-2 * Self.hour)
        try await driver.run(.seconds(3_600))
        #expect(presenter.titles == ["noon"])
    }

    // MARK: - 49

    @Test
    func `fault 49, after a sleep due requests fire at once, and intervals include the sleep`()
        async throws
    {
        let engine = try await fixture.start()
        try await add(
            Self.kinds + [("in", .interval(seconds: 7_200, repeats: false))], to: engine)
        try await engine.rest()
        clock.suspend(for: .seconds(3 * 86_400))
        try await presenter.presentations.first(Self.kinds.count + 1)
        try await engine.rest()
        #expect(counts.values.allSatisfy { $0 == 1 })
        #expect(
            Set(presenter.times()) == [clock.now().wall],
            "all fire in the same second as the wake-up")
        #expect(presenter.titles.last == "in", "the oldest comes first, so the interval comes last")
    }

    // MARK: - 52, 53

    @Test
    func `fault 52, in another zone floating dates of every kind move, and fixed dates stay`()
        async throws
    {
        let engine = try await fixture.start()
        let driver = ClockDriver(clock: clock, engine: engine)
        var fixed = CalendarComponents()
        (fixed.hour, fixed.timeZone) = (14, "Europe/Berlin")
        try await add(
            Self.kinds + [
                ("fixed", .calendar(fixed, repeats: true)),
                (
                    "fixed rule",
                    .rule(NotificationRule("day at 14", timeZone: "Europe/Berlin"))
                ),
                ("fixed text", .rule(NotificationRule("calendar 14:00 Europe/Berlin"))),
                ("at", .at(try instant("2026-11-21 13:00:00"))),
            ], to: engine)
        try await driver.run(.seconds(60))
        clock.setTimeZone("America/New_York")
        try await driver.run(.seconds(86_400))
        for (name, _) in Self.kinds {
            #expect(presenter.times(of: name) == [try instant("2026-11-21 19:00:00")], "\(name)")
        }
        for name in ["fixed", "fixed rule", "fixed text", "at"] {
            #expect(
                presenter.times(of: name).first == (try instant("2026-11-21 13:00:00")), "\(name)")
        }
    }

    @Test
    func `fault 53, in an unknown zone floating dates count in UTC, and fixed dates are refused`()
        async throws
    {
        let clock = ManualClock(timeZone: "Gone/Since")
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start()
        try await add(Self.kinds, to: engine)
        var fixed = CalendarComponents()
        (fixed.hour, fixed.timeZone) = (14, "Gone/Since")
        let error = await #expect(throws: NotificationError.self) {
            try await add([("fixed", .calendar(fixed, repeats: true))], to: engine)
        }
        #expect(error?.code == .noDate)
        #expect(error?.message.contains("time zone") == true)
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(2 * 3_600))
        #expect(fixture.presenter.titles.sorted() == Self.kinds.map(\.0).sorted())
        #expect(
            Set(fixture.presenter.times()) == [try instant("2026-11-21 14:00:00")])
    }

    @Test
    func `fault 53, stored dates are computed again only if the zone rules change`() async throws {
        let engine = try await fixture.start()
        var fixed = CalendarComponents()
        (fixed.hour, fixed.timeZone) = (14, "Asia/Tokyo")
        try await add(
            Self.kinds + [
                ("fixed", .calendar(fixed, repeats: true)),
                ("in", .interval(seconds: 7_200, repeats: false)),
            ], to: engine)
        let dates = try await engine.pending(of: app).map(\.nextFire)
        try await engine.misplaceDates(by: 1_800_000_000)
        #expect(try await engine.pending(of: app).map(\.nextFire) != dates)
        clock.exchangeZoneData()
        try await engine.rest()
        let again = try await engine.pending(of: app)
        #expect(again.map(\.nextFire) == dates)
        // A start does the same if the store recorded another tzdata.
        try await engine.misplaceDates(by: 1_800_000_000)
        try await engine.store.followZoneData("another", hasChanged: false, now: clock.now())
        #expect(try await engine.pending(of: app).map(\.nextFire) == dates)
        try await engine.misplaceDates(by: 1_800_000_000)
        try await engine.store.followZoneData("another", hasChanged: false, now: clock.now())
        #expect(
            try await engine.pending(of: app).map(\.nextFire) != dates,
            "the store has recorded this tzdata, so it computes no date")
    }

    // MARK: - 54, 55

    @Test
    func `fault 54, nothing fires or expires at the date 1970, or when the clock is corrected`()
        async throws
    {
        var engine = try await fixture.start()
        try await add((0..<30).map { ("d\($0)", .daily(at: 14)) }, to: engine)
        try await add([("in", .interval(seconds: 7_200, repeats: false))], to: engine)
        try await engine.add(.sample("shown"), attachments: [], for: app)
        try await engine.rest()
        await engine.stop()
        let right = clock.now().wall.adding(microseconds: 60_000_000)
        clock.reboot(after: .microseconds(-ManualClock.start.microseconds + 10_000_000))
        #expect(clock.now().wall.microseconds == 10_000_000)
        engine = try await fixture.start()
        let driver = ClockDriver(clock: clock, engine: engine)
        try await add(Self.kinds, to: engine)
        try await driver.run(.seconds(600))
        #expect(presenter.titles == ["shown"])
        clock.setWall(right.adding(microseconds: 600_000_000))
        try await driver.run(.zero)
        #expect(presenter.titles == ["shown"], "the correction fires no request")
        #expect(try await engine.delivered(of: app).count == 1)
        let pending = try await engine.pending(of: app)
        #expect(pending.count == 31 + Self.kinds.count)
        #expect(pending.allSatisfy { ($0.nextFire ?? .firstPlausible) > right })
        try await driver.run(.seconds(7_200))
        #expect(counts.values.allSatisfy { $0 == 1 })
        #expect(counts.count == 32 + Self.kinds.count, "each request has fired")
    }

    @Test
    func `fault 54, a notification delivered at 1970 stays in the list, below newer notifications`()
        async throws
    {
        let clock = ManualClock(wall: Instant(microseconds: 0))
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start()
        try await engine.add(.sample("old"), attachments: [], for: app)
        try await engine.rest()
        clock.setWall(ManualClock.start)
        try await engine.add(.sample("new"), attachments: [], for: app)
        try await engine.rest()
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["new", "old"])
    }

    @Test
    func `fault 55, under constant clock corrections by a second nothing fires early or twice`()
        async throws
    {
        let engine = try await fixture.start()
        try await add(Self.kinds, to: engine)
        let due = try instant("2026-11-21 13:00:00")
        clock.setWall(due.adding(microseconds: -10_000_000))
        for step in 0..<60 {
            clock.advance(by: .milliseconds(333))
            try await engine.rest()
            // The clock jumps forward and back by about a second, as at a leap second.
            shift(step % 2 == 0 ? 1_000_000 : -1_000_000 + Int64(step % 5) * 1_000)
            try await engine.rest()
        }
        #expect(counts == Dictionary(uniqueKeysWithValues: Self.kinds.map { ($0.0, 1) }))
        #expect(presenter.times().allSatisfy { $0 >= due })
        let next = try await engine.pending(of: app).map(\.nextFire)
        #expect(next.allSatisfy { $0 == due.adding(microseconds: Self.day) })
    }

    // MARK: - Boots

    /// With one id for all boots, an interval would wait until a later boot reaches the uptime of
    /// its due time.
    @Test
    func `clocks that cannot read the id of their boot have different ids`() {
        let reactor = Reactor.started()
        let zones = SystemZones(environment: ["TZDIR": "/nowhere"])
        let ids = ["/nowhere", "/nowhere", "/dev/null", "/dev/null"].map {
            SystemClock(reactor: reactor, environment: [:], zones: zones, bootIDFile: $0)
                .now().bootID
        }
        #expect(Set(ids).count == 4)
        reactor.stop()
    }
}

extension CenterEngine {
    /// Moves the stored dates, as if other zone rules had computed them.
    func misplaceDates(by delta: Int64) async throws {
        try await store.change("changed") { [store] database in
            let rows = try database.rows("\(RequestRow.selection) WHERE boot_id IS NULL")
            for var claimed in rows.compactMap({ store.claimed(RequestRow($0)) }) {
                claimed.due.wall = claimed.due.wall.adding(microseconds: delta)
                try store.update(claimed, in: database)
            }
        }
    }
}
