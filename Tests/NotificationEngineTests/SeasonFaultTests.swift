import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

/// The faults 50 and 51 of `Tests/Faults.md`, through the whole engine.
@Suite("Faults of spring and autumn", .timeLimit(.minutes(2)))
struct SeasonFaultTests {
    private static func apple(_ hour: Int?, _ minute: Int) -> NotificationTrigger {
        var components = CalendarComponents()
        (components.hour, components.minute) = (hour, minute)
        return .calendar(components, repeats: true)
    }

    private static func rule(_ text: String) -> NotificationTrigger {
        .rule(NotificationRule(text))
    }

    /// Returns the times at which a trigger fires in the two days after this instant, in Berlin.
    private func firings(
        of trigger: NotificationTrigger, from start: String
    ) async throws -> [Instant] {
        let clock = ManualClock(wall: try instant(start))
        let fixture = try EngineFixture(clock: clock)
        let engine = try await fixture.start()
        try await engine.add(.sample("r", trigger), attachments: [], for: .tocsin)
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(2 * 86_400))
        return fixture.presenter.times()
    }

    @Test(
        arguments: [
            (apple(2, 30), "2027-03-28 01:00:00"), (rule("day at 2:30"), "2027-03-28 01:00:00"),
            (rule("cron 30 2 * * *"), "2027-03-28 01:00:00"), (rule("calendar 2:30"), nil),
        ] as [(NotificationTrigger, String?)])
    func `fault 50, a time in the spring gap fires at most once that day and normally the next day`(
        trigger: NotificationTrigger, that: String?
    ) async throws {
        // From Saturday 12:00 to Monday 12:00; on Sunday 2:00 becomes 3:00.
        let wanted = try [that, "2027-03-29 00:30:00"].compactMap { $0 }.map { try instant($0) }
        #expect(try await firings(of: trigger, from: "2027-03-27 12:00:00") == wanted)
    }

    @Test(arguments: [
        apple(2, 30), rule("day at 2:30"), rule("cron 30 2 * * *"), rule("calendar 2:30"),
    ])
    func `fault 51, if autumn repeats a time, a request fires the first time, not the second`(
        trigger: NotificationTrigger
    ) async throws {
        let wanted = try ["2027-10-31 00:30:00", "2027-11-01 01:30:00"].map { try instant($0) }
        #expect(try await firings(of: trigger, from: "2027-10-30 12:00:00") == wanted)
    }

    @Test(arguments: [apple(nil, 30), rule("cron 30 * * * *")])
    func `fault 51, a minute without an hour fires every 60 minutes`(
        trigger: NotificationTrigger
    ) async throws {
        let times = try await firings(of: trigger, from: "2027-10-30 12:00:00")
        #expect(times.count == 48)
        #expect(
            zip(times, times.dropFirst()).allSatisfy {
                $1.microseconds - $0.microseconds == 3_600_000_000
            })
    }

    @Test
    func `fault 51, in a repeated hour a restart or a set clock makes no request fire again`()
        async throws
    {
        let clock = ManualClock(wall: try instant("2027-10-30 12:00:00"))
        let fixture = try EngineFixture(clock: clock)
        var engine = try await fixture.start()
        for trigger in [
            Self.apple(2, 30), Self.rule("day at 2:30"), Self.rule("calendar 2:30"),
            Self.rule("cron 30 2 * * *"),
        ] {
            try await engine.add(
                .sample("\(trigger)", trigger), attachments: [], for: .tocsin)
        }
        // Run until the first 2:45 of the night in which the clocks go back.
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(45_900))
        #expect(fixture.presenter.titles.count == 4)
        clock.setWall(clock.now().wall.adding(microseconds: -1_800_000_000))
        clock.exchangeZoneData()
        await engine.stop()
        engine = try await fixture.start()
        try await ClockDriver(clock: clock, engine: engine).run(.seconds(3 * 3_600))
        #expect(fixture.presenter.titles.count == 4)
    }
}
