import Foundation
import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@testable import NotificationStore

@Suite("A date that is skipped", .timeLimit(.minutes(2)))
struct SkipTests {
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

    private static var hourly: CalendarComponents {
        var components = CalendarComponents()
        components.minute = 0
        return components
    }

    private func next(_ engine: CenterEngine) async throws -> Instant? {
        try await engine.pending(of: app).first?.nextFire
    }

    // MARK: - The decision

    @Test(
        arguments: [
            (.interval(seconds: 600, repeats: true), "2026-11-21 12:10:00", "2026-11-21 12:20:00"),
            (rule("15m"), "2026-11-21 12:15:00", "2026-11-21 12:30:00"),
            (rule("weekday at 9:30"), "2026-11-23 08:30:00", "2026-11-24 08:30:00"),
            (rule("cron 0 9 1 * *"), "2026-12-01 08:00:00", "2027-01-01 08:00:00"),
            (rule("calendar Mon 9:00 Asia/Tokyo"), "2026-11-23 00:00:00", "2026-11-30 00:00:00"),
            (NotificationTrigger.daily(at: 9), "2026-11-22 08:00:00", "2026-11-23 08:00:00"),
        ] as [(NotificationTrigger, String, String)])
    func `after a skip a repeat of any kind fires on the date after the skipped date`(
        trigger: NotificationTrigger, skipped: String, next: String
    ) async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        let dates = try await engine.skip("a", of: app)
        #expect(
            dates == SkippedOccurrence(skipped: try instant(skipped), next: try instant(next)))
        #expect(try await self.next(engine) == dates.next)
    }

    @Test(arguments: [
        (NotificationTrigger.interval(seconds: 600, repeats: false), "fires only once"),
        (.at(ManualClock.start.adding(microseconds: 5_000_000)), "fires only once"),
        (rule("day at 9", count: 1), "fires only once"),
        (rule("cron 0 9 1 1 *", until: Instant(microseconds: 1_800_000_000_000_000)), "once"),
        (rule("15m", until: ManualClock.start.adding(microseconds: 1_000_000_000)), "once"),
        (
            .region(
                NotificationRegion(
                    identifier: "r", latitude: 1, longitude: 1, radius: 5), repeats: true),
            "no date to skip"
        ),
    ])
    func `a skip that would leave no date changes nothing, and the error names a remedy`(
        trigger: NotificationTrigger, text: String
    ) async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        let before = try await engine.pending(of: app)
        let error = await #expect(throws: NotificationError.self) {
            try await engine.skip("a", of: app)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("Remove it") == true)
        #expect(try await engine.pending(of: app) == before)
    }

    @Test
    func `a skip of an unknown request or of another app's request is refused`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(60, "a", repeats: true), attachments: [], for: app)
        let other = try ApplicationID("org.other")
        for (identifier, app) in [("b", app), ("a", other)] {
            let error = await #expect(throws: NotificationError.self) {
                try await engine.skip(identifier, of: app)
            }
            #expect(error?.message.contains("is not pending") == true)
        }
    }

    @Test
    func `a request that is being shown cannot be skipped`() async throws {
        let engine = try await fixture.start()
        presenter.answers { _ in .hold }
        try await engine.add(.after(60, "a", repeats: true), attachments: [], for: app)
        clock.advance(by: .seconds(60))
        let held = try await presenter.presentations.first(1)[0]
        let error = await #expect(throws: NotificationError.self) {
            try await engine.skip("a", of: app)
        }
        #expect(error?.message.contains("being shown now") == true)
        presenter.answer(held)
        try await engine.rest()
        #expect(
            try await engine.skip("a", of: app).next
                == clock.now().wall.adding(microseconds: 120_000_000))
    }

    // MARK: - In the engine

    @Test
    func `a rule that is skipped twice is silent for two dates, even after a restart`()
        async throws
    {
        var engine = try await fixture.start()
        try await engine.add(.sample("a", Self.rule("day at 14")), attachments: [], for: app)
        // 14:00 in Berlin is an hour away.
        _ = try await engine.skip("a", of: app)
        await engine.stop()
        engine = try await fixture.start()
        let dates = try await engine.skip("a", of: app)
        #expect(dates.skipped == ManualClock.start.adding(microseconds: 25 * 3_600_000_000))
        for _ in 0..<2 {
            clock.advance(by: .seconds(86_400))
            try await engine.rest()
        }
        #expect(presenter.titles.isEmpty)
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(1)
        try await engine.rest()
        #expect(try await next(engine) == dates.next.adding(microseconds: 86_400_000_000))
    }

    @Test
    func `a skipped date lowers the count of a rule by one`() async throws {
        let engine = try await fixture.start()
        try await engine.add(
            .sample("a", Self.rule("day at 14", count: 3)), attachments: [], for: app)
        _ = try await engine.skip("a", of: app)
        #expect(
            try await engine.pending(of: app).first?.request.trigger
                == Self.rule("every day at 14:00", count: 2))
        _ = try await engine.skip("a", of: app)
        await #expect(throws: NotificationError.self) { try await engine.skip("a", of: app) }
        clock.advance(by: .seconds(3_600 + 2 * 86_400))
        try await presenter.presentations.first(1)
        try await engine.rest()
        #expect(try await engine.pending(of: app).isEmpty)
    }

    @Test
    func `in another zone the same local date stays skipped, even a week ahead`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a", Self.rule("monday at 9")), attachments: [], for: app)
        try await engine.add(
            .sample("b", .daily(at: 9)), attachments: [], for: app)
        _ = try await engine.skip("a", of: app)
        _ = try await engine.skip("a", of: app)
        _ = try await engine.skip("b", of: app)
        for (zone, a, b) in [
            ("America/New_York", "2026-12-07 14:00:00", "2026-11-23 14:00:00"),
            ("Asia/Tokyo", "2026-12-07 00:00:00", "2026-11-23 00:00:00"),
            ("Europe/Berlin", "2026-12-07 08:00:00", "2026-11-23 08:00:00"),
        ] {
            clock.setTimeZone(zone)
            await engine.untilAtRest()
            let dates = try await engine.pending(of: app).map(\.nextFire)
            #expect(dates == [try instant(b), try instant(a)], "\(zone)")
        }
    }

    /// Kiritimati is 25 hours ahead of Pago Pago, but one local date must fire in both zones.
    @Test
    func `in a zone that is a day ahead the date after the skipped date fires`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a", .daily(at: 9)), attachments: [], for: app)
        _ = try await engine.skip("a", of: app)
        for (zone, date) in [
            ("Pacific/Pago_Pago", "2026-11-23 20:00:00"),
            ("Pacific/Kiritimati", "2026-11-22 19:00:00"),
        ] {
            clock.setTimeZone(zone)
            await engine.untilAtRest()
            #expect(try await next(engine) == (try instant(date)), "\(zone)")
        }
    }

    /// The request must not be stored as snoozed, because a new zone moves no snoozed date.
    @Test(arguments: [false, true])
    func `a request that is added with a later date of its trigger skips the earlier dates`(
        isFromInbox: Bool
    ) async throws {
        let engine = try await fixture.start()
        let items = [
            RequestWithFiles(
                .sample("a", Self.rule("monday at 9", count: 5)),
                nextFire: try instant("2026-12-07 08:00:00")),
            RequestWithFiles(
                .sample("b", .daily(at: 9)), nextFire: try instant("2026-11-23 08:00:00")),
        ]
        if isFromInbox {
            for item in items {
                let entry = InboxEntry(
                    entryID: item.request.identifier, date: ManualClock.start, item: item)
                try await engine.importEntry(entry, for: app)
            }
        } else {
            try await engine.add(items, for: app)
        }
        for (zone, a, b) in [
            ("Europe/Berlin", "2026-12-07 08:00:00", "2026-11-23 08:00:00"),
            ("America/New_York", "2026-12-07 14:00:00", "2026-11-23 14:00:00"),
            ("Asia/Tokyo", "2026-12-07 00:00:00", "2026-11-23 00:00:00"),
        ] {
            clock.setTimeZone(zone)
            await engine.untilAtRest()
            let pending = try await engine.pending(of: app)
            #expect(pending.map(\.nextFire) == [try instant(b), try instant(a)], "\(zone)")
            #expect(pending.map(\.regular) == [nil, nil])
        }
        let trigger = try await engine.pending(of: app).last?.request.trigger
        guard case .rule(let rule) = trigger else { throw HarnessError("no rule is pending") }
        #expect(rule.count == 5)
    }

    @Test
    func `a request that is added with a date between its trigger's dates is snoozed`() async throws
    {
        let engine = try await fixture.start()
        func after(_ seconds: Int64) -> Instant {
            ManualClock.start.adding(microseconds: seconds * 1_000_000)
        }
        try await engine.add(
            [
                RequestWithFiles(.after(600, "early", repeats: true), nextFire: after(300)),
                RequestWithFiles(.after(600, "late", repeats: true), nextFire: after(900)),
            ], for: app)
        let pending = try await engine.pending(of: app)
        #expect(pending.map(\.request.identifier) == ["early", "late"])
        #expect(pending.map(\.nextFire) == [after(600), after(900)])
        #expect(pending.map(\.regular) == [nil, after(600)])
        clock.advance(by: .seconds(900))
        try await presenter.presentations.first(2)
        try await engine.rest()
        #expect(try await engine.pending(of: app).map(\.nextFire) == [after(1_200), after(1_200)])
    }

    /// In a zone further west, the dates up to the same time of day must not be skipped.
    @Test(arguments: [
        rule("calendar *:00"), rule("cron 0 * * * *"), .calendar(hourly, repeats: true),
    ])
    func `in another zone an hourly request loses only the skipped date`(
        trigger: NotificationTrigger
    ) async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        let dates = try await engine.skip("a", of: app)
        #expect(dates.skipped == (try instant("2026-11-21 13:00:00")))
        for zone in [
            "Europe/London", "America/New_York", "America/Chicago", "Asia/Tokyo", "Europe/Berlin",
        ] {
            clock.setTimeZone(zone)
            await engine.untilAtRest()
            #expect(try await next(engine) == (try instant("2026-11-21 14:00:00")), "\(zone)")
        }
    }

    @Test
    func `in another zone the second of two daily dates stays skipped`() async throws {
        let engine = try await fixture.start()
        try await engine.add(
            .sample("a", Self.rule("day at 9 and 12")), attachments: [], for: app)
        _ = try await engine.skip("a", of: app)
        _ = try await engine.skip("a", of: app)
        clock.setTimeZone("America/New_York")
        await engine.untilAtRest()
        #expect(try await next(engine) == (try instant("2026-11-23 14:00:00")))
    }

    /// The rule's last date has no date after it, but the skipped date must not come back.
    @Test
    func `in another zone the second-last date of a rule with a count stays skipped`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(
            .sample("a", Self.rule("day at 14", count: 2)), attachments: [], for: app)
        _ = try await engine.skip("a", of: app)
        clock.setTimeZone("America/New_York")
        await engine.untilAtRest()
        #expect(try await next(engine) == (try instant("2026-11-22 19:00:00")))
    }

    @Test
    func `in another zone a skipped date with a fraction of a second stays skipped`() async throws {
        let engine = try await fixture.start()
        try await engine.add(
            .sample("a", Self.rule("day at 9:00:00.5")), attachments: [], for: app)
        _ = try await engine.skip("a", of: app)
        clock.setTimeZone("America/New_York")
        await engine.untilAtRest()
        let next = try instant("2026-11-23 14:00:00").adding(microseconds: 500_000)
        #expect(try await self.next(engine) == next)
    }

    @Test
    func `a clock that is set back by a day does not bring a skipped date back`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a", Self.rule("monday at 9")), attachments: [], for: app)
        let dates = try await engine.skip("a", of: app)
        clock.setWall(ManualClock.start.adding(microseconds: -86_400_000_000))
        await engine.untilAtRest()
        #expect(try await next(engine) == dates.next)
    }

    @Test
    func `a skip leaves out the due date that waits for a server`() async throws {
        let presenter = RecordingPresenter(isAvailable: false)
        let engine = try await fixture.start(presenter: presenter)
        try await engine.add(.after(600, "a", repeats: true), attachments: [], for: app)
        try await engine.add(.sample("b", Self.rule("day at 14")), attachments: [], for: app)
        clock.advance(by: .seconds(2 * 3_600))
        let interval = try await engine.skip("a", of: app)
        #expect(interval.skipped == ManualClock.start.adding(microseconds: 600_000_000))
        #expect(interval.next == clock.now().wall.adding(microseconds: 600_000_000))
        let daily = try await engine.skip("b", of: app)
        #expect(daily.next == daily.skipped.adding(microseconds: 86_400_000_000))
        presenter.becomeAvailable()
        await engine.untilAtRest()
        #expect(presenter.titles.isEmpty)
    }

    @Test
    func `a skip is stored beside the request, and leaves no trace in its content`() throws {
        let request = NotificationRequest.sample("a", Self.rule("every day at 09:00", count: 2))
        let skipped = Instant(microseconds: 7)
        func stored(_ payload: Data) throws -> StoredRequest {
            try PayloadCoding.decode(StoredRequest.record, from: payload)
        }
        let skipping = try stored(PayloadCoding.encode(request, skipped: skipped))
        #expect(skipping.skipped == skipped)
        #expect(skipping.request == request)
        #expect(try stored(PayloadCoding.encode(request)).skipped == nil)
    }
}
