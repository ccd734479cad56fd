import Foundation
import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@Suite("Clocks that are set, zones that change, machines that sleep", .timeLimit(.minutes(2)))
struct EngineTimeTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    @Test
    func `a clock that is set forward makes a date fire once, late, and changes no interval`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(.sample("daily", .daily(at: 9)), attachments: [], for: app)
        try await engine.add(.after(60, "interval"), attachments: [], for: app)
        clock.setWall(ManualClock.start.adding(microseconds: 3 * 86_400_000_000))
        try await presenter.presentations.first(1)
        try await engine.rest()
        #expect(presenter.titles == ["daily"])
        #expect(
            try await engine.pending(of: app).first?.nextFire
                == clock.now().wall.adding(microseconds: 60_000_000))
        clock.advance(by: .seconds(60))
        try await presenter.presentations.first(2)
        #expect(presenter.titles == ["daily", "interval"])
    }

    @Test
    func `a clock that is set back makes no date fire again, and changes no interval`() async throws
    {
        let engine = try await fixture.start()
        try await engine.add(.sample("daily", .daily(at: 14)), attachments: [], for: app)
        try await engine.add(.after(7_200, "interval"), attachments: [], for: app)
        // Now it becomes 14:00 in Berlin.
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(1)
        try await engine.rest()
        clock.setWall(ManualClock.start.adding(microseconds: -86_400_000_000))
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(2)
        try await engine.rest()
        clock.advance(by: .seconds(86_400 - 7_200))
        try await engine.rest()
        #expect(presenter.titles == ["daily", "interval"])
        clock.advance(by: .seconds(86_400 + 7_200))
        try await presenter.presentations.first(3)
        #expect(presenter.titles == ["daily", "interval", "daily"])
    }

    @Test
    func `an alarm that rang too early, because the clock was set back, is set again`() async throws
    {
        let engine = try await fixture.start()
        let at = ManualClock.start.adding(microseconds: 60_000_000)
        try await engine.add(.sample("at", .at(at)), attachments: [], for: app)
        try await engine.rest()
        let set = clock.armed.all.count
        // The timer fires, but the wall clock is set back before the engine reads the clock.
        await engine.ringsEarly()
        try await engine.rest()
        #expect(clock.armed.all.count > set)
        #expect(clock.alarms.wall == at.adding(microseconds: -5_000))
        clock.advance(by: .seconds(60))
        try await presenter.presentations.first(1)
    }

    @Test
    func `after a long sleep each request is shown once, oldest first, and repeats are merged`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(.after(60, "r", repeats: true), attachments: [], for: app)
        try await engine.add(.sample("daily", .daily(at: 9)), attachments: [], for: app)
        try await engine.add(.after(3_600, "once"), attachments: [], for: app)
        clock.advance(by: .seconds(10 * 86_400))
        try await presenter.presentations.first(3)
        try await engine.rest()
        #expect(presenter.titles == ["r", "once", "daily"])
        let next = try await engine.pending(of: app).compactMap(\.nextFire)
        #expect(next.count == 2 && next.allSatisfy { $0 > clock.now().wall })
    }

    private func requestWithGrace(_ trigger: NotificationTrigger) -> NotificationRequest {
        var request = NotificationRequest.sample("a", trigger)
        request.grace = 300
        return request
    }

    /// The last regular date is at 7,200 seconds; the snooze moves no date to 7,800 seconds.
    @Test(arguments: [(7_320, ["a"]), (7_920, [])] as [(Int64, [String])])
    func `the lateness of a snoozed repeat is measured from the interval's last regular date`(
        seconds: Int64, titles: [String]
    ) async throws {
        let engine = try await fixture.start()
        try await engine.add(
            requestWithGrace(.interval(seconds: 3_600, repeats: true)), attachments: [], for: app)
        _ = try await engine.snooze("a", of: app, for: 600)
        clock.advance(by: .seconds(seconds))
        try await engine.rest()
        #expect(presenter.titles == titles)
        #expect(
            try await engine.pending(of: app).map(\.nextFire)
                == [ManualClock.start.adding(microseconds: 10_800_000_000)])
    }

    @Test
    func `a date that was skipped does not make a late snoozed repeat fire`() async throws {
        let engine = try await fixture.start()
        try await engine.add(requestWithGrace(.daily(at: 14)), attachments: [], for: app)
        clock.advance(by: .seconds(3_600))
        try await engine.rest()
        #expect(presenter.titles == ["a"])
        _ = try await engine.skip("a", of: app)
        _ = try await engine.snooze("a", of: app, for: 86_400 - 1_800)
        // Advance to two minutes after the skipped date. The snooze ends half an hour before that
        // date.
        clock.advance(by: .seconds(86_400 + 120))
        try await engine.rest()
        #expect(presenter.titles == ["a"])
        let next = try instant("2026-11-23 13:00:00")
        #expect(try await engine.pending(of: app).map(\.nextFire) == [next])
    }

    @Test
    func `after a reboot, intervals count by the wall clock`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(600, "during"), attachments: [], for: app)
        try await engine.add(.after(7_200, "after"), attachments: [], for: app)
        await engine.stop()
        clock.reboot(after: .seconds(3_600))
        let next = try await fixture.start()
        try await presenter.presentations.first(1)
        try await next.rest()
        #expect(presenter.titles == ["during"])
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(2)
        #expect(presenter.titles == ["during", "after"])
    }

    @Test
    func `a wrong clock at boot does not make requests fire at the next reboot`() async throws {
        let clock = ManualClock(wall: Instant(microseconds: 10_000_000))
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start()
        try await engine.add(.after(7_200, "a"), attachments: [], for: app)
        clock.setWall(ManualClock.start)
        try await engine.rest()
        #expect(fixture.presenter.titles.isEmpty)
        await engine.stop()
        clock.reboot(after: .seconds(60))
        let next = try await fixture.start()
        try await next.rest()
        #expect(fixture.presenter.titles.isEmpty)
        clock.advance(by: .seconds(7_140))
        try await fixture.presenter.presentations.first(1)
    }

    @Test
    func `a new zone moves only dates without a zone, even while no engine runs`() async throws {
        let engine = try await fixture.start()
        var fixed = CalendarComponents()
        (fixed.hour, fixed.timeZone) = (9, "Europe/Berlin")
        try await engine.add(.sample("floating", .daily(at: 9)), attachments: [], for: app)
        try await engine.add(
            .sample("fixed", .calendar(fixed, repeats: true)), attachments: [], for: app)
        try await engine.add(.after(60, "interval"), attachments: [], for: app)
        clock.setTimeZone("America/New_York")
        try await engine.rest()
        func dates(_ engine: CenterEngine) async throws -> [String: Instant?] {
            let pending = try await engine.pending(of: app)
            return Dictionary(
                uniqueKeysWithValues: pending.map { ($0.request.identifier, $0.nextFire) })
        }
        let moved = try await dates(engine)
        #expect(moved["floating"] == (try instant("2026-11-21 14:00:00")))
        #expect(moved["fixed"] == (try instant("2026-11-22 08:00:00")))
        #expect(moved["interval"] == ManualClock.start.adding(microseconds: 60_000_000))
        await engine.stop()
        clock.setTimeZone("Asia/Tokyo")
        let next = try await fixture.start()
        try await next.rest()
        #expect(try await dates(next)["floating"] == (try instant("2026-11-22 00:00:00")))
    }

    @Test
    func `a date that is past in a new zone is due at once, and a later date keeps its time`()
        async throws
    {
        let engine = try await fixture.start()
        func components(hour: Int) -> CalendarComponents {
            var components = CalendarComponents()
            (components.year, components.month, components.day) = (2026, 11, 21)
            components.hour = hour
            return components
        }
        for (name, hour) in [("past", 16), ("ahead", 22)] {
            try await engine.add(
                .sample(name, .calendar(components(hour: hour), repeats: false)), attachments: [],
                for: app)
        }
        // It is 13:00 in Berlin, and 21:00 in Tokyo.
        clock.setTimeZone("Asia/Tokyo")
        try await engine.rest()
        #expect(presenter.titles == ["past"])
        clock.advance(by: .seconds(3_600))
        try await engine.rest()
        #expect(presenter.titles == ["past", "ahead"])
        #expect(try await engine.pending(of: app).isEmpty)
    }

    @Test
    func `a time in the repeated hour of autumn fires once`() async throws {
        let clock = ManualClock(
            wall: try instant("2026-11-01 04:00:00"), timeZone: "America/New_York")
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start()
        var halfPastOne = CalendarComponents()
        (halfPastOne.hour, halfPastOne.minute) = (1, 30)
        try await engine.add(
            .sample("night", .calendar(halfPastOne, repeats: true)), attachments: [], for: app)
        for _ in 0..<16 {
            // Be a little late each time, like a real machine.
            clock.advance(by: .seconds(900) + .milliseconds(3))
            try await engine.rest()
        }
        #expect(fixture.presenter.titles == ["night"])
    }
}
