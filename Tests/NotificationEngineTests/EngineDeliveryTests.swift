import Foundation
import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@Suite("From due to delivered", .timeLimit(.minutes(2)))
struct EngineDeliveryTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    @Test
    func `a request fires once, at its time, and is listed as delivered`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(30, "a"), attachments: [], for: app)
        clock.advance(by: .seconds(29))
        try await engine.rest()
        #expect(presenter.titles == [])
        clock.advance(by: .seconds(1))
        try await presenter.presentations.first(1)
        clock.advance(by: .seconds(3_600))
        try await engine.rest()
        #expect(presenter.titles == ["a"])
        let delivered = try await engine.delivered(of: app)
        #expect(delivered.map(\.request.identifier) == ["a"])
        #expect(delivered.first?.date == ManualClock.start.adding(microseconds: 30_000_000))
        #expect(try await engine.pending(of: app).isEmpty)
    }

    @Test
    func `a request without a trigger fires now`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        try await engine.rest()
        #expect(try await engine.delivered(of: nil).count == 1)
    }

    @Test
    func `an engine sets an alarm for the earliest date of each clock, and no alarm without dates`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.rest()
        #expect(clock.alarms == ClockAlarms())
        let at = ManualClock.start.adding(microseconds: 7_000_000)
        try await engine.add(.sample("at", .at(at)), attachments: [], for: app)
        try await engine.add(.after(5, "in"), attachments: [], for: app)
        try await engine.rest()
        // Rows are claimed 5 ms before they are due.
        #expect(
            clock.alarms
                == ClockAlarms(
                    wall: at.adding(microseconds: -5_000), boot: clock.now().boot + 4_995_000))
        try await engine.removePending(.all, of: app)
        try await engine.rest()
        #expect(clock.alarms == ClockAlarms())
        #expect(try await engine.status().nextFire == nil)
    }

    @Test
    func `requests due while no engine ran fire at the next start, oldest first, repeats merged`()
        async throws
    {
        let engine = try await fixture.start()
        try await engine.add(.after(300, "c"), attachments: [], for: app)
        try await engine.add(.after(100, "a"), attachments: [], for: app)
        try await engine.add(.after(60, "r", repeats: true), attachments: [], for: app)
        let at = ManualClock.start.adding(microseconds: 200_000_000)
        try await engine.add(.sample("b", .at(at)), attachments: [], for: app)
        await engine.stop()
        clock.advance(by: .seconds(3_630))
        let next = try await fixture.start()
        try await presenter.presentations.first(4)
        try await next.rest()
        #expect(presenter.titles == ["r", "a", "b", "c"])
        let pending = try await next.pending(of: app)
        #expect(
            pending.map(\.nextFire) == [ManualClock.start.adding(microseconds: 3_660_000_000)])
    }

    @Test
    func `without a server requests are held, and posted in order when a server appears`()
        async throws
    {
        let fixture = try EngineFixture(presenter: RecordingPresenter(isAvailable: false))
        let engine = try await fixture.start()
        for name in ["a", "b", "c"] {
            try await engine.add(.sample(name), attachments: [], for: app)
        }
        try await engine.rest()
        #expect(fixture.presenter.titles == [])
        #expect(fixture.clock.alarms == ClockAlarms(), "without a server no alarm is set")
        #expect(try await engine.pending(of: app).count == 3)
        fixture.presenter.becomeAvailable()
        try await fixture.presenter.presentations.first(3)
        try await engine.rest()
        #expect(fixture.presenter.titles == ["a", "b", "c"])
        #expect(try await engine.delivered(of: app).count == 3)
    }

    @Test
    func `a post in flight to a dying server is sent once more, to the next server`() async throws {
        presenter.answers { _ in .hold }
        let engine = try await fixture.start()
        try await engine.add(.sample("a"), attachments: [], for: app)
        let first = try await presenter.presentations.first(1)
        presenter.becomeUnavailable()
        presenter.answer(first[0], .interrupted)
        try await engine.rest()
        #expect(presenter.titles == ["a"])
        presenter.answers { _ in .present }
        presenter.becomeAvailable()
        try await presenter.presentations.first(2)
        try await engine.rest()
        #expect(presenter.titles == ["a", "a"])
        #expect(try await engine.delivered(of: app).count == 1)
    }

    @Test
    func `a post without the server's answer may have been shown and is not sent again`()
        async throws
    {
        presenter.answers { _ in .outcome(.unanswered) }
        let engine = try await fixture.start()
        try await engine.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        try await engine.rest()
        clock.advance(by: .seconds(600))
        try await engine.rest()
        #expect(presenter.titles == ["a"])
        #expect(try await engine.delivered(of: app).count == 1)
    }

    @Test
    func `a post that the server refuses fails once, is recorded, and blocks no other post`()
        async throws
    {
        presenter.answers { presentation in
            presentation.notification.request.identifier == "bad"
                ? .outcome(.refused("InvalidArgs")) : .present
        }
        let engine = try await fixture.start()
        for name in ["bad", "good"] {
            try await engine.add(.sample(name), attachments: [], for: app)
        }
        try await presenter.presentations.first(2)
        clock.advance(by: .seconds(600))
        try await engine.rest()
        #expect(presenter.titles == ["bad", "good"])
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["good"])
        #expect(try await engine.store.records().count == 1)
    }

    @Test
    func `a repeating request fires each time`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.after(60, "r", repeats: true), attachments: [], for: app)
        for round in 1...5 {
            clock.advance(by: .seconds(60))
            try await presenter.presentations.first(round)
            try await engine.rest()
        }
        #expect(presenter.titles.count == 5)
        #expect(try await engine.pending(of: app).count == 1)
        #expect(
            try await engine.delivered(of: app).count == 1,
            "each notification replaces the one before")
    }

    @Test
    func `a request replaced during its post is still shown, and the new request fires`()
        async throws
    {
        presenter.answers { _ in .hold }
        let engine = try await fixture.start()
        try await engine.add(.sample("a", title: "old"), attachments: [], for: app)
        let old = try await presenter.presentations.first(1)
        let trigger = NotificationTrigger.interval(seconds: 10, repeats: false)
        try await engine.add(.sample("a", trigger, title: "new"), attachments: [], for: app)
        presenter.answers { _ in .present }
        presenter.answer(old[0])
        try await engine.rest()
        #expect(try await engine.delivered(of: app).map(\.request.content.title) == ["old"])
        clock.advance(by: .seconds(10))
        try await presenter.presentations.first(2)
        try await engine.rest()
        #expect(presenter.titles == ["old", "new"])
        #expect(try await engine.delivered(of: app).map(\.request.content.title) == ["new"])
    }

    @Test
    func `a request removed during its post does not come back if the post is interrupted`()
        async throws
    {
        presenter.answers { _ in .hold }
        let engine = try await fixture.start()
        try await engine.add(.after(60, "r", repeats: true), attachments: [], for: app)
        clock.advance(by: .seconds(60))
        let shown = try await presenter.presentations.first(1)
        try await engine.removePending(.identifiers(["r"]), of: app)
        presenter.becomeUnavailable()
        presenter.answer(shown[0], .interrupted)
        try await engine.rest()
        presenter.answers { _ in .present }
        presenter.becomeAvailable()
        clock.advance(by: .seconds(600))
        try await engine.rest()
        #expect(presenter.titles == ["r"])
        #expect(try await engine.pending(of: nil).isEmpty)
    }

    @Test
    func `10,000 requests due at once all arrive, in order, never more than 64 in flight`()
        async throws
    {
        let open = Recording<Int>()
        presenter.answers { _ in .hold }
        let engine = try await fixture.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10_000 {
                let at = ManualClock.start.adding(microseconds: Int64(1_000_000 + index))
                group.addTask {
                    try await engine.add(
                        .sample("r\(index)", .at(at)), attachments: [], for: .tocsin)
                }
            }
            try await group.waitForAll()
        }
        clock.advance(by: .seconds(2))
        var answered = 0
        while answered < 10_000 {
            let arrived = try await presenter.presentations.wait(for: "more") {
                [answered] in $0.count > answered
            }
            open.append(arrived.count - answered)
            for presentation in arrived[answered...] { presenter.answer(presentation) }
            answered = arrived.count
        }
        try await engine.rest()
        #expect(presenter.titles == (0..<10_000).map { "r\($0)" })
        #expect(open.all.max() ?? 0 <= 64)
        #expect(try await engine.pending(of: nil).isEmpty)
    }

    @Test
    func `while a server makes one app wait, the posts of another app go out`() async throws {
        let other = try ApplicationID("org.example.Other")
        presenter.answers {
            $0.notification.app == .tocsin ? .outcome(.later(.full)) : .present
        }
        let engine = try await fixture.start()
        for index in 0..<100 {
            try await engine.add(.sample("r\(index)"), attachments: [], for: app)
        }
        try await engine.add(.sample("o"), attachments: [], for: other)
        clock.advance(by: .seconds(1))
        try await presenter.presentations.first("the other's") { $0.notification.app == other }
        presenter.answers { _ in .present }
        let delayed = presenter.presentations.all.count
        presenter.emit(.roomMade)
        try await presenter.presentations.first(delayed + 100)
        try await engine.rest()
        let own = presenter.titles.dropFirst(delayed)
        #expect(Array(own) == (0..<100).map { "r\($0)" })
    }

    @Test
    func `a removal removes only the chosen notifications, with their popups`() async throws {
        let engine = try await fixture.start()
        for name in ["a", "b", "c"] {
            try await engine.add(.sample(name), attachments: [], for: app)
        }
        try await presenter.presentations.first(3)
        try await engine.rest()
        try await engine.removeDelivered(.identifiers(["b", "x"]), of: app)
        #expect(presenter.withdrawn.all == [.sample("b")])
        try await engine.removeDelivered(.all, of: app)
        #expect(Set(presenter.withdrawn.all.map(\.identifier)) == ["a", "b", "c"])
        #expect(try await engine.delivered(of: app).isEmpty)
    }

    /// During the post the list does not have the notification, but the removal must take effect.
    @Test
    func `a notification removed during its post is deleted, and its popup is withdrawn`()
        async throws
    {
        presenter.answers { _ in .hold }
        let engine = try await fixture.start()
        try await engine.add(.sample("a"), attachments: [], for: app)
        let held = try await presenter.presentations.first(1)
        try await engine.removeDelivered(.identifiers(["a"]), of: app)
        presenter.answer(held[0])
        try await engine.rest()
        #expect(presenter.withdrawn.all == [.sample("a")])
        #expect(try await engine.delivered(of: app).isEmpty)
    }

    @Test
    func `the next engine takes over the popups if their server still runs`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        try await engine.rest()
        await engine.stop()
        let second = RecordingPresenter()
        let next = try await fixture.start(presenter: second)
        #expect(second.adopted.all == [[.sample("a"): PresentedPopup(id: 1, server: ":1.1")]])
        second.becomeUnavailable()
        try await next.rest()
        await next.stop()
        let third = RecordingPresenter()
        let last = try await fixture.start(presenter: third)
        #expect(third.adopted.all == [[:]])
        #expect(try await last.delivered(of: app).count == 1, "the notification stays delivered")
    }

    @Test
    func `stopping an engine stores the deliveries in flight and releases the store`()
        async throws
    {
        presenter.answers { _ in .hold }
        let engine = try await fixture.start()
        for index in 0..<100 {
            try await engine.add(.sample("r\(index)"), attachments: [], for: app)
        }
        let shown = try await presenter.presentations.first(64)
        // Stop before the answers: after an answer a running engine would post another request.
        let stopping = Task.immediate { await engine.stop() }
        for presentation in shown { presenter.answer(presentation) }
        await stopping.value
        let next = try await fixture.start(presenter: RecordingPresenter(isAvailable: false))
        #expect(try await next.delivered(of: app).count == 64)
        #expect(try await next.pending(of: app).count == 36)
        #expect(presenter.presentations.all.count == 64)
        await #expect(throws: NotificationError.self) {
            try await engine.add(.sample("late"), attachments: [], for: .tocsin)
        }
    }

    @Test
    func `without a daemon, an app that waits until idle ignores the popups of an earlier run`()
        async throws
    {
        let first = try await fixture.start()
        try await first.add(.sample("former"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        try await first.rest()
        await first.stop()
        let second = try await fixture.start()
        try await second.waitUntilIdle(app, includingPopups: true)
        #expect(try await second.delivered(of: app).map(\.request.identifier) == ["former"])
        let ends = Recording<String>()
        try await second.add(.sample("own"), attachments: [], for: app)
        try await presenter.presentations.first(2)
        try await second.rest()
        let wait = Task.immediate { [app] in
            try await second.waitUntilIdle(app, includingPopups: true)
            ends.append("idle")
        }
        // The second call returns after the engine has checked whether the app is idle.
        for _ in 0..<2 { try await second.rest() }
        #expect(ends.all.isEmpty, "the app waits for the popup of this run")
        presenter.emit(.expired(.sample("own")))
        try await wait.value
    }

    @Test
    func `an engine is quiet when no app is connected, and no request or popup is left`()
        async throws
    {
        let engine = try await fixture.start()
        let reports = Recording<Bool>()
        await engine.watchQuiet { reports.append($0) }
        #expect(reports.all.last == true)
        try await engine.add(.after(5, "a"), attachments: [], for: app)
        try await engine.rest()
        #expect(reports.all.last == false)
        clock.advance(by: .seconds(5))
        try await presenter.presentations.first(1)
        try await engine.rest()
        // The popup may still get a response.
        #expect(reports.all.last == false)
        presenter.emit(.expired(.sample("a")))
        try await reports.wait(for: "an idle engine") { $0.last == true }
        let session = try await engine.connect(
            .sample(), asksBeforePresenting: false, listener: { _ in })
        #expect(reports.all.last == false)
        await engine.disconnect(session)
        #expect(reports.all.last == true)
    }
}
