import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Snoozed requests and notifications", .timeLimit(.minutes(2)))
struct SnoozeTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func after(_ seconds: Int64) -> Instant {
        ManualClock.start.adding(microseconds: seconds * 1_000_000)
    }

    private func next(_ engine: CenterEngine) async throws -> [Instant?] {
        try await engine.pending(of: app).map(\.nextFire)
    }

    private func pass(_ seconds: Int, _ engine: CenterEngine) async {
        clock.advance(by: .seconds(seconds))
        await engine.untilAtRest()
    }

    @Test
    func `a snoozed notification leaves the screen and returns with its content and its file`()
        async throws
    {
        let engine = try await fixture.start()
        let path = try fixture.directory.write(TestPNG.bytes, to: "a.png")
        var request = NotificationRequest.sample("a", category: "c")
        request.content.userInfo = ["key": .integer(7)]
        request.content.attachments = [.init(identifier: "0", path: path, type: "public.png")]
        try await engine.add(request, attachments: [OpenFile(path: path)], for: app)
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        let shown = try await engine.delivered(of: app)[0].request.content
        #expect(try await engine.snooze("a", of: app, for: 600) == after(600))
        #expect(presenter.withdrawn.all == [.sample("a")])
        #expect(try await engine.delivered(of: app).isEmpty)
        let waiting = try await engine.pending(of: app)
        #expect(waiting.map(\.nextFire) == [after(600)])
        #expect(waiting.map(\.request.content) == [shown])
        await pass(599, engine)
        #expect(presenter.titles == ["a"])
        await pass(1, engine)
        #expect(presenter.titles == ["a", "a"])
        let again = try await engine.delivered(of: app)[0]
        #expect(again.request.content == shown && again.date == after(600))
        #expect(try OpenFile(path: again.request.content.attachments[0].path).size > 0)
        #expect(try await engine.pending(of: app).isEmpty)
    }

    @Test
    func `a snoozed notification names the end of its snooze`() async throws {
        let engine = try await fixture.start()
        let rule = NotificationTrigger.rule(NotificationRule("day at 14"))
        let date = NotificationTrigger.at(after(3_600))
        for (name, trigger) in [("rule", rule), ("at", date), ("plain", rule)] {
            try await engine.add(.sample(name, trigger), attachments: [], for: app)
        }
        for name in ["rule", "at"] { _ = try await engine.snooze(name, of: app, for: 600) }
        await pass(4_200, engine)
        func ends() async throws -> [String: Instant] {
            try await engine.delivered(of: app).reduce(into: [:]) {
                $0[$1.request.identifier] = $1.snoozedUntil
            }
        }
        #expect(presenter.titles.sorted() == ["at", "plain", "rule"])
        #expect(try await ends() == ["at": after(4_200), "rule": after(4_200)])
        let late = try await engine.delivered(of: app).filter { $0.due != nil }
        #expect(late.map(\.due) == [after(3_600)], "only the request without a snooze is late")
        // At its next date the rule fires without a snooze.
        await pass(86_400 - 600, engine)
        #expect(try await ends() == ["at": after(4_200)])
        _ = try await engine.snooze("rule", of: app, for: 600)
        await pass(600, engine)
        #expect(try await ends() == ["at": after(4_200), "rule": after(90_600)])
    }

    /// The snoozed request is the newest one, which `last` means to the tool.
    @Test
    func `the interval of a snooze counts from the snooze, not from the creation`() async throws {
        let engine = try await fixture.start()
        var request = NotificationRequest.sample("a")
        request.content.userInfo = [NotificationContent.creationKey: .date(after(-3_600))]
        try await engine.add(request, attachments: [], for: app)
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        _ = try await engine.snooze("a", of: app, for: 600)
        let waiting = try await engine.pending(of: app)
        #expect(waiting[0].request.trigger == .interval(seconds: 600, repeats: false))
        #expect(
            waiting[0].request.content.userInfo
                == [NotificationContent.creationKey: .date(after(0))])
        await engine.stop()
    }

    @Test
    func `a request stays snoozed after a restart of the engine`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a"), attachments: [], for: app)
        try await engine.add(.after(1_000, "b"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        _ = try await engine.snooze("a", of: app, for: 60)
        #expect(try await engine.snooze("b", of: app, for: 30) == after(1_030))
        await engine.stop()
        let again = try await fixture.start()
        #expect(try await next(again) == [after(60), after(1_030)])
        await pass(60, again)
        #expect(presenter.titles == ["a", "a"])
        await pass(970, again)
        #expect(presenter.titles == ["a", "a", "b"])
    }

    @Test
    func `a snooze puts off the next date of a rule once, and the later dates stay`() async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("day at 14:00", count: 3))
        try await engine.add(.sample("pills", trigger), attachments: [], for: app)
        let date = try instant("2026-11-21 14:00:00", "Europe/Berlin")
        #expect(try await next(engine) == [date])
        let later = date.adding(microseconds: 600_000_000)
        #expect(try await engine.snooze("pills", of: app, for: 600) == later)
        #expect(try await next(engine) == [later])
        await pass(3_600, engine)
        #expect(presenter.titles.isEmpty)
        await pass(600, engine)
        #expect(presenter.titles == ["pills"])
        let tomorrow = date.adding(microseconds: 86_400_000_000)
        #expect(try await next(engine) == [tomorrow])
        let rule = try await engine.pending(of: app)[0].request.trigger
        #expect(rule == .rule(NotificationRule("every day at 14:00", count: 2)))
    }

    @Test
    func `a shown repeat that is snoozed comes once more, then on its next date`() async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("day at 14:00", count: 3))
        try await engine.add(.sample("pills", trigger), attachments: [], for: app)
        await pass(3_600, engine)
        #expect(presenter.titles == ["pills"])
        let tomorrow = try instant("2026-11-22 14:00:00", "Europe/Berlin")
        #expect(try await engine.snooze("pills", of: app, for: 600) == after(4_200))
        #expect(presenter.withdrawn.all == [.sample("pills")])
        #expect(try await engine.delivered(of: app).isEmpty)
        #expect(try await next(engine) == [after(4_200)])
        await pass(600, engine)
        #expect(presenter.titles == ["pills", "pills"])
        #expect(try await next(engine) == [tomorrow])
        // The snoozed repetition does not count as one of the three dates.
        let rule = try await engine.pending(of: app)[0].request.trigger
        #expect(rule == .rule(NotificationRule("every day at 14:00", count: 2)))
    }

    /// The store must accept the snooze, although the pending request has only one date left.
    @Test
    func `a snoozed repeat with one date left comes once more, then on that date`() async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("day at 14:00", count: 2))
        try await engine.add(.sample("pills", trigger), attachments: [], for: app)
        await pass(3_600, engine)
        #expect(try await engine.snooze("pills", of: app, for: 600) == after(4_200))
        await pass(600, engine)
        #expect(presenter.titles == ["pills", "pills"])
        #expect(try await next(engine) == [after(90_000)])
        await pass(85_800, engine)
        #expect(presenter.titles == ["pills", "pills", "pills"])
        #expect(try await next(engine).isEmpty)
    }

    @Test(arguments: [false, true])
    func `after a snooze an interval keeps its regular dates`(isShown: Bool) async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(600, "a", repeats: true), attachments: [], for: app)
        if isShown { await pass(600, engine) }
        let date = try await engine.snooze("a", of: app, for: 60)
        #expect(date == after(660))
        await pass(isShown ? 60 : 660, engine)
        #expect(presenter.titles == (isShown ? ["a", "a"] : ["a"]))
        #expect(try await next(engine) == [after(1_200)])
    }

    @Test
    func `the lists name the date that a snooze has put off`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(600, "a", repeats: true), attachments: [], for: app)
        #expect(try await engine.pending(of: app).map(\.regular) == [nil])
        _ = try await engine.snooze("a", of: app, for: 60)
        let page = try await engine.pendingPage(ListQuery(limit: 1), of: app)
        #expect(page.notifications.map(\.regular) == [after(600)])
        var listed: [Instant?] = []
        try await engine.pendingLines(ListQuery(limit: 1), of: app).forEach {
            listed.append($0.regular)
        }
        #expect(listed == [after(600)])
        await pass(660, engine)
        #expect(try await engine.pending(of: app).map(\.regular) == [nil])
    }

    @Test
    func `a second snooze puts a request off further, and a skip leads to its next date`()
        async throws
    {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("day at 14:00"))
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        _ = try await engine.snooze("a", of: app, for: 60)
        #expect(try await engine.snooze("a", of: app, for: 60) == after(3_720))
        let dates = try await engine.skip("a", of: app)
        let tomorrow = try instant("2026-11-22 14:00:00", "Europe/Berlin")
        #expect(dates == SkippedOccurrence(skipped: after(3_720), next: tomorrow))
        #expect(try await next(engine) == [tomorrow])
    }

    /// The skip must not lead back to a regular date that the snooze has passed.
    @Test
    func `a skip after a long snooze leads to a date after the snoozed date`() async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("day at 14:00"))
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        try await engine.add(.after(600, "b", repeats: true), attachments: [], for: app)
        let day: Int64 = 86_400
        #expect(
            try await engine.snooze("a", of: app, for: 90_000) == after(3_600 + 90_000))
        #expect(try await engine.skip("a", of: app).next == after(3_600 + 2 * day))
        #expect(try await engine.snooze("b", of: app, for: 1_500) == after(2_100))
        #expect(try await engine.skip("b", of: app).next == after(2_400))
    }

    /// The skip must not lead to the regular date in the former zone.
    @Test
    func `a skip of a snoozed date leads to the regular date in the current zone`() async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("day at 14:00"))
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        await pass(3_600, engine)
        _ = try await engine.snooze("a", of: app, for: 600)
        clock.setTimeZone("America/New_York")
        await engine.untilAtRest()
        let date = try instant("2026-11-21 14:00:00", "America/New_York")
        #expect(try await engine.skip("a", of: app).next == date)
        #expect(try await next(engine) == [date])
    }

    /// The second skip must not lead back to the date that the first skip left out.
    @Test
    func `a skip of a snoozed notification keeps an earlier skip`() async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("monday at 9"))
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        await pass(44 * 3_600, engine)
        #expect(presenter.titles == ["a"])
        let date = try await engine.skip("a", of: app).next
        #expect(date == (try instant("2026-12-07 09:00:00", "Europe/Berlin")))
        _ = try await engine.snooze("a", of: app, for: 600)
        #expect(try await engine.skip("a", of: app).next == date)
        #expect(try await next(engine) == [date])
    }

    /// The skipped date must not come back at the end of the snooze or when the zone changes.
    @Test(arguments: [false, true])
    func `a date skipped before a snooze stays skipped`(isSkippedAgain: Bool) async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("monday at 9"))
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        await pass(44 * 3_600, engine)
        let date = try await engine.skip("a", of: app).next
        _ = try await engine.snooze("a", of: app, for: 600)
        if isSkippedAgain { _ = try await engine.skip("a", of: app) }
        await pass(600, engine)
        #expect(presenter.titles == (isSkippedAgain ? ["a"] : ["a", "a"]))
        #expect(try await next(engine) == [date])
        clock.setTimeZone("America/New_York")
        await engine.untilAtRest()
        #expect(try await next(engine) == [try instant("2026-12-07 09:00:00", "America/New_York")])
    }

    /// The skipped date must not stay in Berlin's zone, nor come back in Los Angeles.
    @Test(arguments: [false, true])
    func `a zone that changes during a snooze moves the skipped date`(
        isSkippedAgain: Bool
    ) async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("monday at 9"))
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        await pass(44 * 3_600, engine)
        _ = try await engine.skip("a", of: app)
        _ = try await engine.snooze("a", of: app, for: 600)
        clock.setTimeZone("America/New_York")
        await engine.untilAtRest()
        let date = try instant("2026-12-07 09:00:00", "America/New_York")
        if isSkippedAgain { #expect(try await engine.skip("a", of: app).next == date) }
        await pass(600, engine)
        #expect(try await next(engine) == [date])
        clock.setTimeZone("America/Los_Angeles")
        await engine.untilAtRest()
        let last = try instant("2026-12-07 09:00:00", "America/Los_Angeles")
        #expect(try await next(engine) == [last])
    }

    /// A snooze that counts from the passed date would have no effect.
    @Test
    func `the snooze of a due request that waits for a server counts from now`() async throws {
        let presenter = RecordingPresenter(isAvailable: false)
        let engine = try await fixture.start(presenter: presenter)
        let daily = NotificationTrigger.rule(NotificationRule("day at 14:00"))
        try await engine.add(.sample("daily", daily), attachments: [], for: app)
        try await engine.add(.after(600, "once"), attachments: [], for: app)
        await pass(7_200, engine)
        for identifier in ["daily", "once"] {
            #expect(try await engine.snooze(identifier, of: app, for: 600) == after(7_800))
        }
        presenter.becomeAvailable()
        await pass(599, engine)
        #expect(presenter.titles.isEmpty)
        await pass(1, engine)
        #expect(presenter.titles.sorted() == ["daily", "once"])
        #expect(try await next(engine) == [try instant("2026-11-22 14:00:00", "Europe/Berlin")])
    }

    @Test
    func `a snoozed request stays at its time when the zone changes`() async throws {
        let engine = try await fixture.start()
        let trigger = NotificationTrigger.rule(NotificationRule("day at 14:00"))
        try await engine.add(.sample("a", trigger), attachments: [], for: app)
        let date = try await engine.snooze("a", of: app, for: 60)
        clock.setTimeZone("America/New_York")
        await engine.untilAtRest()
        #expect(try await next(engine) == [date])
        await pass(3_660, engine)
        #expect(presenter.titles == ["a"])
        #expect(try await next(engine) == [try instant("2026-11-21 14:00:00", "America/New_York")])
    }

    @Test
    func `a request that cannot be snoozed stays unchanged, and the error says why`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(.sample("shown"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        for name in ["shown", "ready"] {
            try await engine.add(.after(60, name), attachments: [], for: app)
        }
        let region = NotificationTrigger.region(
            NotificationRegion(identifier: "r", latitude: 1, longitude: 1, radius: 5),
            repeats: false)
        try await engine.add(.sample("region", region), attachments: [], for: app)
        let before = try await engine.pending(of: app)
        for (identifier, text) in [
            ("nowhere", "neither delivered nor pending"), ("region", "no date"),
            ("shown", "would replace the pending request"),
        ] {
            let error = await #expect(throws: NotificationError.self) {
                try await engine.snooze(identifier, of: app, for: 60)
            }
            #expect(error?.code == .invalidArgument)
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        for seconds in [0, -1, Double.nan, .infinity, 1e12] {
            await #expect(throws: NotificationError.self) {
                try await engine.snooze("ready", of: app, for: seconds)
            }
        }
        #expect(try await engine.pending(of: app) == before)
        #expect(try await engine.delivered(of: app).count == 1)
        #expect(presenter.withdrawn.all.isEmpty)
    }

    /// If the engine only retried the snooze, the app would get no response.
    @Test
    func `if the app's limit forbids a snooze, the button's press is a response`() async throws {
        var limits = StoreLimits()
        limits.pending = 1
        let engine = try await fixture.start(limits: limits)
        var request = NotificationRequest.sample("shown")
        request.content.actions = [
            NotificationAction(identifier: "later", title: "Later", snooze: 60)
        ]
        try await engine.add(request, attachments: [], for: app)
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        try await engine.add(.after(600, "waiting"), attachments: [], for: app)
        presenter.respond(.sample("shown"), .custom("later"))
        await engine.untilAtRest()
        #expect(try await engine.status().responseCount == 1)
        #expect(try await engine.delivered(of: app).isEmpty)
        #expect(try await engine.pending(of: app).map(\.request.identifier) == ["waiting"])
    }
}
