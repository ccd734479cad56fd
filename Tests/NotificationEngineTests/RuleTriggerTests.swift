import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("Requests that follow a rule", .timeLimit(.minutes(2)))
struct RuleTriggerTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private static func rule(
        _ text: String, timeZone: String? = nil, until: Instant? = nil, count: Int? = nil
    ) -> NotificationTrigger {
        .rule(NotificationRule(text, timeZone: timeZone, until: until, count: count))
    }

    private func pending() async throws -> [PendingNotification] {
        try await fixture.start().pending(of: app)
    }

    // MARK: - When a rule is due

    @Test(
        arguments: [
            ("weekday at 9:30", nil, "2026-11-23 08:30:00", "Europe/Berlin"),
            ("cron 0 9 * * *", "Asia/Tokyo", "2026-11-22 00:00:00", nil),
            ("calendar Mon 9:00", nil, "2026-11-23 08:00:00", "Europe/Berlin"),
            ("calendar Mon 9:00 Asia/Tokyo", nil, "2026-11-23 00:00:00", nil),
        ] as [(String, String?, String, String?)])
    func `a rule is due on its next date, in its own zone or the user's zone`(
        text: String, zone: String?, wall: String, floats: String?
    ) throws {
        let now = ClockReading.sample(zone: "Europe/Berlin")
        let trigger = try FireSchedule.sample.accepted(Self.rule(text, timeZone: zone), now: now)
        let first = try FireSchedule.sample.first(of: trigger, now: now)
        #expect(first == .due(DueTime(wall: try instant(wall), zone: floats)))
    }

    @Test(arguments: [
        (rule("wekday at 9"), NotificationError.Code.invalidArgument, "did you mean 'weekday'"),
        (rule("day at 9", timeZone: "Mars/Base"), .invalidArgument, "'Mars/Base'"),
        (rule("calendar daily Mars/Base"), .invalidArgument, "'Mars/Base'"),
        (rule("day at 9", count: 0), .invalidArgument, "is 0; it must be from 1"),
        (rule("30s"), .invalidArgument, "shorter than a minute"),
        (rule("cron 0 0 30 2 *"), .noDate, "can never fire"),
        (rule("calendar 2020-01-01"), .noDate, "can never fire"),
    ])
    func `an invalid rule, or a rule that can never fire, is refused, and the error says why`(
        trigger: NotificationTrigger, code: NotificationError.Code, text: String
    ) {
        let error = #expect(throws: NotificationError.self) {
            let now = ClockReading.sample()
            try RequestCheck.check(.sample("a", trigger))
            let accepted = try FireSchedule.sample.accepted(trigger, now: now)
            _ = try FireSchedule.sample.first(of: accepted, now: now)
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test
    func `a rule that has ended is refused`() {
        let now = ClockReading.sample()
        for text in ["day at 9", "15m"] {
            let error = #expect(throws: NotificationError.self) {
                try FireSchedule.sample.first(of: Self.rule(text, until: now.wall), now: now)
            }
            #expect(error?.code == .noDate)
        }
    }

    @Test
    func `an interval rule uses the boot-time clock, and keeps its regular dates`() throws {
        let now = ClockReading.sample()
        let quarter: Int64 = 900_000_000
        let first = try FireSchedule.sample.first(of: Self.rule("15m"), now: now)
        let due = DueTime(wall: now.wall.adding(microseconds: quarter), boot: now.boot + quarter)
        #expect(first == .due(due))
        let later = ClockReading.sample(
            wall: now.wall.adding(microseconds: quarter * 3 + 5), boot: now.boot + quarter * 3 + 5)
        let next = FireSchedule.sample.next(of: Self.rule("15m"), after: due, now: later)
        #expect(next?.boot == now.boot + quarter * 4)
        let end = now.wall.adding(microseconds: quarter * 3)
        #expect(
            FireSchedule.sample.next(of: Self.rule("15m", until: end), after: due, now: later)
                == nil)
    }

    @Test
    func `a request that fired in an hour that clocks show twice does not fire again`() throws {
        // Clocks show 2:00 to 3:00 twice on this day: this is the first 2:30, and the second 2:10.
        let fired = DueTime(wall: try instant("2027-10-31 00:30:00"))
        let between = ClockReading.sample(
            wall: try instant("2027-10-31 01:10:00"), zone: "Europe/Berlin")
        for text in ["calendar 2:30", "cron 30 2 * * *", "day at 2:30"] {
            let next = FireSchedule.sample.next(of: Self.rule(text), after: fired, now: between)
            #expect(next?.wall == (try instant("2027-11-01 01:30:00")), "\(text)")
        }
        // A rule that is added after the second 2:00 fires at the second 2:30.
        let added = try FireSchedule.sample.first(of: Self.rule("calendar 2:30"), now: between)
        #expect(
            added == .due(DueTime(wall: try instant("2027-10-31 01:30:00"), zone: between.timeZone))
        )
    }

    @Test
    func `a rule of dates follows the user to another zone, and an interval rule does not move`()
        throws
    {
        let now = ClockReading.sample(zone: "America/New_York")
        let due = DueTime(wall: try instant("2026-11-22 08:00:00"), zone: "Europe/Berlin")
        #expect(
            FireSchedule.sample.moved(Self.rule("day at 9"), from: due, now: now)
                == DueTime(wall: try instant("2026-11-21 14:00:00"), zone: "America/New_York"))
        #expect(FireSchedule.sample.moved(Self.rule("15m"), from: due, now: now) == nil)
    }

    // MARK: - In the engine

    @Test
    func `a rule is stored in its canonical form, listed, and fires on each of its dates`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(
            .sample("standup", Self.rule("Weekdays at 9")), attachments: [], for: app)
        try await engine.add(
            .sample("other", Self.rule("2 weeks on fri at 9")), attachments: [], for: app)
        let listed = try await engine.pending(of: app)
        #expect(
            listed.map(\.request.trigger) == [
                Self.rule("every weekday at 09:00"),
                Self.rule("every 2 weeks on friday at 09:00 from 2026-11-27"),
            ])
        #expect(listed.first?.nextFire == (try instant("2026-11-23 08:00:00")))
        // Saturday 13:00 in Berlin; Monday 9:00 is 44 hours away.
        clock.advance(by: .seconds(44 * 3_600))
        try await presenter.presentations.first(1)
        try await engine.rest()
        clock.advance(by: .seconds(24 * 3_600))
        try await presenter.presentations.first(2)
        try await engine.rest()
        #expect(presenter.titles == ["standup", "standup"])
        #expect(
            try await engine.pending(of: app).first?.nextFire
                == (try instant("2026-11-25 08:00:00")))
    }

    @Test
    func `a rule's count goes down with each date, also after a restart, and ends the rule`()
        async throws
    {
        var engine = try await fixture.start()
        try await engine.add(
            .sample("pills", Self.rule("day at 14", count: 2)), attachments: [], for: app)
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(1)
        try await engine.rest()
        #expect(
            try await engine.pending(of: app).map(\.request.trigger)
                == [Self.rule("every day at 14:00", count: 1)])
        await engine.stop()
        engine = try await fixture.start()
        clock.advance(by: .seconds(86_400))
        try await presenter.presentations.first(2)
        try await engine.rest()
        #expect(try await engine.pending(of: app).isEmpty)
        clock.advance(by: .seconds(86_400 * 3))
        try await engine.rest()
        #expect(presenter.titles == ["pills", "pills"])
    }

    /// The second snooze must undo the first snooze's increase of the rule's count.
    @Test(arguments: [[90_000], [600, 89_400]] as [[Double]])
    func `one long snooze or two snoozes past the next date use up that date`(
        snoozes: [Double]
    ) async throws {
        let engine = try await fixture.start()
        try await engine.add(
            .sample("pills", Self.rule("day at 14", count: 3)), attachments: [], for: app)
        clock.advance(by: .seconds(3_600))
        await engine.untilAtRest()
        for seconds in snoozes { _ = try await engine.snooze("pills", of: app, for: seconds) }
        var dates: [Int64] = []
        while let next = try await engine.pending(of: app).first?.nextFire {
            dates.append(next.microseconds(since: ManualClock.start) / 1_000_000)
            clock.advance(by: .microseconds(next.microseconds(since: clock.now().wall)))
            await engine.untilAtRest()
        }
        #expect(dates == [93_600, 176_400])
        #expect(presenter.titles == ["pills", "pills", "pills"])
        await engine.stop()
    }

    @Test
    func `missed dates merge into one late date, and the rule still ends`() async throws {
        let engine = try await fixture.start()
        let end = try instant("2026-11-25 23:00:00")
        try await engine.add(
            .sample("pills", Self.rule("cron 0 9 * * *", until: end)), attachments: [], for: app)
        clock.advance(by: .seconds(3 * 86_400))
        try await presenter.presentations.first(1)
        try await engine.rest()
        #expect(
            try await engine.pending(of: app).first?.nextFire
                == (try instant("2026-11-25 08:00:00")))
        clock.advance(by: .seconds(86_400))
        try await presenter.presentations.first(2)
        try await engine.rest()
        #expect(try await engine.pending(of: app).isEmpty)
    }
}
