import Foundation
import GRDB
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("Late notifications: shown once, skipped, or summarised", .timeLimit(.minutes(2)))
struct LateTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func request(
        _ identifier: String, _ trigger: NotificationTrigger, catchUp: CatchUp = .once,
        grace: Double? = nil
    ) -> NotificationRequest {
        var request = NotificationRequest.sample(identifier, trigger)
        request.catchUp = catchUp
        request.grace = grace
        return request
    }

    private func add(_ requests: [NotificationRequest], to engine: CenterEngine) async throws {
        for request in requests { try await engine.add(request, attachments: [], for: app) }
    }

    private func afterwards(_ engine: CenterEngine) async throws -> [String] {
        try await engine.rest()
        return presenter.titles
    }

    @Test
    func `a notification that comes more than a minute late names its due date`() async throws {
        let engine = try await fixture.start()
        let second = ManualClock.start.adding(microseconds: 1_000_000)
        try await add(
            [
                request("late", .at(second)),
                request("punctual", .at(second.adding(microseconds: 1_000_000))),
            ], to: engine)
        clock.advance(by: .seconds(62))
        try await presenter.presentations.first(2)
        #expect(try await afterwards(engine) == ["late", "punctual"])
        let late = try await engine.delivered(of: app).filter { $0.due != nil }
        #expect(late.map(\.request.identifier) == ["late"])
        #expect(late.first?.due == second)
    }

    // MARK: - Skipping

    @Test
    func `a skipped one-shot request leaves a record, and a skipped repeat stays pending`()
        async throws
    {
        let engine = try await fixture.start()
        try await add(
            [
                request("once", .interval(seconds: 60, repeats: false), catchUp: .skip),
                request("repeat", .daily(at: 14), catchUp: .skip),
                request("kept", .interval(seconds: 60, repeats: false)),
            ], to: engine)
        clock.advance(by: .seconds(5 * 3_600))
        try await presenter.presentations.first(1)
        #expect(try await afterwards(engine) == ["kept"])
        let pending = try await engine.pending(of: app)
        #expect(pending.map(\.request.identifier) == ["repeat"])
        #expect(pending.first?.nextFire == (try instant("2026-11-22 13:00:00")))
        let records = try await engine.store.records()
        #expect(records.count == 2)
        #expect(records.contains { $0.contains("once") && $0.contains("skips missed dates") })
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["kept"])
    }

    @Test(
        arguments: [
            (60.0, nil, true), (61, nil, false), (61, 61, true), (5, 4, false), (5, 5, true),
            (0, 0, true), (1.5, 0, false), (86_400, Double(Limits.grace.most), true),
        ] as [(Double, Double?, Bool)])
    func `the policy 'skip' allows a minute of lateness, and a grace sets another limit`(
        late: Double, grace: Double?, isShown: Bool
    ) async throws {
        let engine = try await fixture.start()
        try await add(
            [
                request(
                    "r", .interval(seconds: 100, repeats: false), catchUp: .skip, grace: grace)
            ], to: engine)
        try await engine.rest()
        clock.advance(by: .seconds(100 + late))
        try await engine.rest()
        #expect(try await engine.pending(of: app).isEmpty)
        #expect(presenter.titles == (isShown ? ["r"] : []))
    }

    @Test
    func `a push that has expired when a server appears is not shown, and leaves a record`()
        async throws
    {
        let engine = try await fixture.start()
        presenter.becomeUnavailable()
        try await engine.rest()
        clock.advance(by: .seconds(1))
        let minute = clock.now().wall.adding(microseconds: 60_000_000)
        let expirations = ["0": Instant(microseconds: 0), "60": minute]
        for name in ["0", "60", "any time"] {
            _ = try await engine.push(
                Array(#"{"aps":{"alert":{"title":"\#(name)"}}}"#.utf8),
                headers: PushHeaders(collapseIdentifier: name, expiration: expirations[name]),
                for: app)
        }
        clock.advance(by: .seconds(30))
        presenter.becomeAvailable()
        #expect(Set(try await afterwards(engine)) == ["60", "any time"])
        #expect(try await engine.pending(of: app).isEmpty)
        #expect(try await engine.store.records().count { $0.contains("its grace is 1 s") } == 1)
    }

    @Test
    func `the last missed date of a repeat decides whether the repeat is too late`() async throws {
        let engine = try await fixture.start()
        try await add(
            [
                request("minute", .interval(seconds: 60, repeats: true), catchUp: .skip),
                request("quarter", .rule(NotificationRule("15m")), grace: 600),
                request(
                    "hourly", .rule(NotificationRule("calendar hourly")), catchUp: .skip),
                request("daily", .daily(at: 14), grace: 3_600),
                request("cron", .rule(NotificationRule("cron 30 * * * *")), grace: 60 * 31),
            ], to: engine)
        // The engine starts at 13:00 in Berlin. After this step it is 13:20:30, two days later.
        clock.advance(by: .seconds(2 * 86_400 + 1_230))
        try await presenter.presentations.first(2)
        // 13:20 and 13:15 are recent enough. 13:00, 12:30 and the 14:00 of yesterday are not.
        #expect(try await afterwards(engine) == ["minute", "quarter"])
        #expect(try await engine.pending(of: app).count == 5)
    }

    @Test
    func `a grace limits the wait until a burst begins, not the duration of the burst`()
        async throws
    {
        let engine = try await fixture.start()
        let at = ManualClock.start.adding(microseconds: 60_000_000)
        presenter.answers { _ in .hold }
        try await add((0..<100).map { request("r\($0)", .at(at), grace: 1) }, to: engine)
        clock.advance(by: .seconds(60))
        var shown = 0
        while shown < 100 {
            let next = try await presenter.presentations.first(min(100, shown + 64))
            // The server needs half a second for each popup.
            for one in next[shown...] {
                clock.advance(by: .milliseconds(500))
                _ = try await engine.status()
                presenter.answer(one)
            }
            shown = next.count
        }
        #expect(try await afterwards(engine).count == 100)
    }

    @Test(arguments: [-1, .nan, .infinity])
    func `a grace that is negative or not finite is refused`(grace: Double) async throws {
        let engine = try await fixture.start()
        let error = await #expect(throws: NotificationError.self) {
            try await add(
                [request("r", .interval(seconds: 60, repeats: false), grace: grace)], to: engine)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains("grace") == true)
        #expect(try await engine.pending(of: app).isEmpty)
    }

    @Test
    func `a late policy is kept over a restart, and a request without a policy has the default`()
        async throws
    {
        let engine = try await fixture.start()
        try await add(
            [request("r", .interval(seconds: 60, repeats: false), catchUp: .skip, grace: 2.5)],
            to: engine)
        await engine.stop()
        let next = try await fixture.start()
        let back = try await next.pending(of: app).first?.request
        #expect(back?.catchUp == .skip)
        #expect(back?.grace == 2.5)
        let plain = try PayloadCoding.decodeRequest(from: Data(#"{"id":"plain"}"#.utf8))
        #expect(plain.catchUp == .once)
        #expect(plain.maximumLateness == nil)
    }

    // MARK: - Never a storm

    @Test
    func `the oldest ten of many late requests become popups, and a summary counts the others`()
        async throws
    {
        let engine = try await fixture.start()
        try await add((1...80).map { .after(Double($0) * 10, "r\($0)") }, to: engine)
        try await engine.rest()
        clock.advance(by: .seconds(86_400))
        try await presenter.presentations.first(10)
        try await engine.rest()
        clock.advance(by: .seconds(1))
        try await presenter.presentations.first(11)
        #expect(
            try await afterwards(engine)
                == (1...10).map { "r\($0)" } + ["70 more notifications"])
        let summary = presenter.presentations.all.last?.notification.request
        #expect(summary?.content.body == "While you were away: r11, r12, r13 and 67 more")
        let delivered = try await engine.delivered(of: app).map(\.request.identifier)
        #expect(Set(delivered) == Set((1...80).map { "r\($0)" } + [MissedSummary.identifier]))
        #expect(delivered.count == 81)
        #expect(try await engine.pending(of: app).isEmpty)
        clock.advance(by: .seconds(86_400))
        #expect(try await afterwards(engine).count == 11, "the summary comes once")
    }

    @Test
    func `each app gets one summary, and no app is asked about a summary`() async throws {
        let other = try ApplicationID("org.example.Other")
        let engine = try await fixture.start()
        _ = try await engine.connect(.sample(), asksBeforePresenting: true) { event in
            guard case .willPresent(let token, let notification) = event else { return }
            #expect(notification.request.identifier != MissedSummary.identifier)
            Task { await engine.answer(token, with: .all) }
        }
        try await add((1...12).map { .after(Double($0), "r\($0)") }, to: engine)
        for index in 1...11 {
            try await engine.add(
                .after(Double(index), "o\(index)"), attachments: [], for: other)
        }
        try await engine.rest()
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(20)
        try await engine.rest()
        clock.advance(by: .seconds(1))
        try await presenter.presentations.first(22)
        let titles = try await afterwards(engine)
        #expect(titles.suffix(2).sorted() == ["1 more notification", "2 more notifications"])
        #expect(titles.count == 22)
    }

    @Test
    func `a thousand requests due in one second all become popups, also on a slow server`()
        async throws
    {
        let engine = try await fixture.start()
        let at = ManualClock.start.adding(microseconds: 60_000_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<1_000 {
                group.addTask {
                    try await engine.add(
                        .sample("r\(index)", .at(at)), attachments: [], for: .tocsin)
                }
            }
            try await group.waitForAll()
        }
        presenter.answers { [clock] _ in
            // A thousand popups take two and a half minutes.
            clock.advance(by: .milliseconds(150))
            return .present
        }
        clock.advance(by: .seconds(60))
        try await presenter.presentations.first(1_000)
        #expect(Set(try await afterwards(engine)).count == 1_000)
    }

    @Test
    func `the summary still comes after a restart, and counts the listed requests`() async throws {
        let engine = try await fixture.start()
        try await add((1...30).map { .after(Double($0), "r\($0)") }, to: engine)
        try await engine.rest()
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(10)
        try await engine.rest()
        // The process ends before the summary is due.
        await engine.stop()
        let second = try await fixture.start()
        try await second.rest()
        #expect(presenter.titles.count == 10)
        clock.advance(by: .seconds(1))
        try await presenter.presentations.first(11)
        #expect(try await afterwards(second).last == "20 more notifications")
        #expect(try await second.delivered(of: app).count == 31)
    }

    /// Makes 12 late requests due, and returns when the first ten are on the screen.
    private func showTenOfTwelve(_ engine: CenterEngine) async throws {
        try await add((1...12).map { .after(Double($0), "r\($0)") }, to: engine)
        try await engine.rest()
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(10)
        try await engine.rest()
    }

    /// Many apps remove their pending requests at each start, and add them anew.
    @Test
    func `an app that removes its pending requests does not remove the summary`() async throws {
        let engine = try await fixture.start()
        try await showTenOfTwelve(engine)
        try await engine.removePending(.all, of: app)
        clock.advance(by: .seconds(1))
        #expect(try await afterwards(engine).last == "2 more notifications")
    }

    @Test(arguments: [false, true])
    func `an app that removes its delivered notifications removes the summary that counts them`(
        isClaimed: Bool
    ) async throws {
        let engine = try await fixture.start()
        presenter.answers { presentation in
            let identifier = presentation.notification.request.identifier
            return identifier == MissedSummary.identifier ? .outcome(.later(.full)) : .present
        }
        try await showTenOfTwelve(engine)
        if isClaimed {
            clock.advance(by: .seconds(1))
            // The server has no room, so the summary waits.
            try await presenter.presentations.first(11)
        }
        presenter.answers { _ in .present }
        try await engine.removeDelivered(.all, of: app)
        clock.advance(by: .seconds(60))
        #expect(try await afterwards(engine).count == (isClaimed ? 11 : 10))
        #expect(try await engine.delivered(of: app).isEmpty)
    }

    @Test
    func `late requests that come while a summary is on the screen are added to the summary`()
        async throws
    {
        let engine = try await fixture.start()
        try await add((1...12).map { .after(Double($0), "r\($0)") }, to: engine)
        try await add((1...3).map { .after(7_200 + Double($0), "s\($0)") }, to: engine)
        try await engine.rest()
        clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(10)
        try await engine.rest()
        clock.advance(by: .seconds(1))
        try await presenter.presentations.first(11)
        try await engine.rest()
        // The test uses up the allowance of late popups, so no later request becomes a popup.
        var window = LateAllowance()
        let then = clock.now().boot + 7_200_000_000
        for _ in 0..<10 { _ = window.admits(app, lateness: .max, boot: then) }
        await engine.use(window)
        clock.advance(by: .seconds(7_200))
        try await engine.rest()
        clock.advance(by: .seconds(1))
        try await presenter.presentations.first(12)
        #expect(
            try await afterwards(engine).suffix(2)
                == ["2 more notifications", "5 more notifications"])
    }

    @Test
    func `a summary is not shown while more late requests are being added to it`() {
        var state = EngineState(schedule: .sample)
        let now = ClockReading.sample()
        let old = DueTime(wall: now.wall.adding(microseconds: -3_600_000_000))
        func row(_ number: Int64, _ identifier: String, _ due: DueTime) -> ClaimedRequest {
            ClaimedRequest(
                row: number, app: app, request: .sample(identifier), payload: Data(), due: due)
        }
        state.head = ScheduleHead(wall: old.wall)
        _ = state.presenterBecameAvailable(now: now)
        let rows =
            (1...12).map { row($0, "r\($0)", old) }
            + [row(13, MissedSummary.identifier, DueTime(wall: now.wall))]
        let effects = state.rowsClaimed(rows, now: now)
        #expect(effects.settled.count == 3)
        #expect(effects.settled.last == .requeued)
        let alone = state.rowsClaimed(
            [row(14, MissedSummary.identifier, DueTime(wall: now.wall))], now: now)
        #expect(
            alone.settled.contains(.requeued),
            "two late requests are still being stored, and the summary counts them")
    }
}

extension CenterEngine {
    /// Replaces the engine's allowance for late popups.
    func use(_ allowance: LateAllowance) {
        state.allowance = allowance
    }
}
