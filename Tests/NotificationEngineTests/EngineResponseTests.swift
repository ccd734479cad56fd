import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

@Suite("From a click to its app", .timeLimit(.minutes(2)))
struct EngineResponseTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    /// A connected app, with the events that it received.
    struct Listener {
        let session: ServiceSession
        let responses: Recording<NotificationResponse>
        let questions: Recording<PresentationToken>
    }

    func connect(
        _ engine: CenterEngine, asks: Bool = false, app: ApplicationID = .tocsin
    ) async throws -> Listener {
        let responses = Recording<NotificationResponse>()
        let questions = Recording<PresentationToken>()
        let session = try await engine.connect(.sample(app), asksBeforePresenting: asks) { event in
            switch event {
            case .response(let response): responses.append(response)
            case .willPresent(let token, _): questions.append(token)
            case .extend, .extensionWillExpire, .openSettings, .popupLeft, .pushReceived,
                .subscriptionChanged:
                break
            }
        }
        return Listener(session: session, responses: responses, questions: questions)
    }

    func deliver(_ names: [String], by engine: CenterEngine, category: String = "") async throws {
        let before = presenter.presentations.all.count
        for name in names {
            try await engine.add(.sample(name, category: category), attachments: [], for: app)
        }
        try await presenter.presentations.first(before + names.count)
        try await engine.rest()
    }

    @Test
    func `a response is stored, sent at the next connect, and deleted at the acknowledgement`()
        async throws
    {
        let engine = try await fixture.start()
        try await deliver(["a", "b"], by: engine)
        presenter.respond(.sample("b"), .custom("x"), activationToken: "t")
        presenter.respond(.sample("a"))
        try await engine.rest()
        #expect(try await engine.status().responseCount == 2)
        #expect(try await engine.delivered(of: app).isEmpty)
        await engine.stop()
        let next = try await fixture.start()
        let listener = try await connect(next)
        let heard = try await listener.responses.first(2)
        #expect(heard.map(\.notification.request.identifier) == ["b", "a"])
        #expect(heard.map(\.action) == [.custom("x"), .standard])
        #expect(heard[0].activationToken == "t")
        try await next.acknowledge(heard[0].id, of: app)
        await next.disconnect(listener.session)
        let again = try await connect(next)
        #expect(try await again.responses.first(1).map(\.id) == [heard[1].id])
    }

    @Test func `a connected app gets a response before the store records the response`()
        async throws
    {
        let heard = Recording<NotificationResponse>()
        let known = Recording<Int>()
        let engine = try await fixture.start(hosting: "daemon") { step in
            if step == .responding { known.append(heard.all.count) }
        }
        let session = try await engine.connect(.sample(), asksBeforePresenting: false) { event in
            if case .response(let response) = event { heard.append(response) }
        }
        try await deliver(["a"], by: engine)
        presenter.respond(.sample("a"))
        try await engine.rest()
        #expect(known.all == [1])
        #expect(try await engine.status().responseCount == 1)
        // The store has the response that the app received, under the same number.
        await engine.disconnect(session)
        let next = try await connect(engine)
        #expect(try await next.responses.first(1) == heard.all)
    }

    @Test
    func `an engine is not idle while a popup may still be answered`() async throws {
        let engine = try await fixture.start()
        let reports = Recording<Bool>()
        await engine.watchQuiet { reports.append($0) }
        #expect(reports.all.last == true)
        try await deliver(["a"], by: engine)
        #expect(reports.all.last == false)
        presenter.respond(.sample("a"))
        try await reports.wait(for: "an idle engine") { $0.last == true }
        #expect(try await engine.status().responseCount == 1)
    }

    @Test
    func `a response goes to the newer of two processes, and to the older if the newer leaves`()
        async throws
    {
        let engine = try await fixture.start()
        let older = try await connect(engine)
        let newer = try await connect(engine)
        try await deliver(["a"], by: engine)
        presenter.respond(.sample("a"))
        let heard = try await newer.responses.first(1)
        #expect(older.responses.all.isEmpty)
        await engine.disconnect(newer.session)
        #expect(try await older.responses.first(1) == heard)
        try await engine.acknowledge(heard[0].id, of: app)
        let last = try await connect(engine)
        try await engine.rest()
        #expect(last.responses.all.isEmpty)
    }

    @Test
    func `a click that comes before its delivery is stored is not lost`() async throws {
        presenter.answers { _ in .hold }
        let engine = try await fixture.start()
        let listener = try await connect(engine)
        try await engine.add(.after(60, "r", repeats: true), attachments: [], for: app)
        fixture.clock.advance(by: .seconds(60))
        let shown = try await presenter.presentations.first(1)
        // The presenter reports the outcome first, but the disk is slower than the user.
        presenter.answer(shown[0])
        presenter.respond(.sample("r"))
        let heard = try await listener.responses.first(1)
        #expect(heard.first?.notification.request.identifier == "r")
        try await engine.rest()
        #expect(try await engine.delivered(of: app).isEmpty)
        #expect(try await engine.pending(of: app).count == 1)
    }

    @Test
    func `a second response to a notification, and a click on an unknown popup, are ignored`()
        async throws
    {
        let engine = try await fixture.start()
        let listener = try await connect(engine)
        try await deliver(["a"], by: engine)
        presenter.respond(.sample("nobody's"))
        presenter.respond(.sample("a"), .custom("first"))
        presenter.respond(.sample("a"), .custom("second"))
        presenter.emit(.dismissed(.sample("a")))
        try await engine.rest()
        #expect(listener.responses.all.map(\.action) == [.custom("first")])
    }

    @Test
    func `an app gets a dismissal only if its category asks for dismissals`() async throws {
        let engine = try await fixture.start()
        let listener = try await connect(engine)
        try await engine.setCategories(
            [NotificationCategory(identifier: "c", options: .customDismissAction)], of: app)
        try await deliver(["a"], by: engine)
        try await deliver(["b"], by: engine, category: "c")
        presenter.emit(.dismissed(.sample("a")))
        presenter.emit(.dismissed(.sample("b")))
        try await engine.rest()
        #expect(listener.responses.all.map(\.action) == [.dismiss])
        #expect(listener.responses.all.first?.notification.request.identifier == "b")
        #expect(try await engine.delivered(of: app).isEmpty)
    }

    @Test
    func `a popup that the server closes when the app leaves is not reported as dismissed`()
        async throws
    {
        let engine = try await fixture.start()
        let app = try ApplicationID("org.example.App")
        let key = { NotificationKey(app: app, identifier: $0) }
        let listener = try await connect(engine, app: app)
        let helper = try await connect(engine, app: app)
        try await engine.setCategories(
            [NotificationCategory(identifier: "c", options: .customDismissAction)], of: app)
        for name in ["a", "b", "c"] {
            try await engine.add(.sample(name, category: "c"), attachments: [], for: app)
        }
        try await presenter.presentations.first(3)
        try await engine.rest()
        await engine.disconnect(helper.session)
        presenter.emit(.dismissed(key("a"), isCertain: false))
        presenter.emit(.dismissed(key("b")))
        try await engine.rest()
        #expect(listener.responses.all.map(\.notification.request.identifier) == ["b"])
        fixture.clock.advance(by: .seconds(2))
        presenter.emit(.dismissed(key("c"), isCertain: false))
        try await engine.rest()
        #expect(listener.responses.all.map(\.notification.request.identifier) == ["b", "c"])
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["a"])
    }

    @Test
    func `a popup that leaves the screen stays delivered, and can still be answered`() async throws
    {
        let engine = try await fixture.start()
        let listener = try await connect(engine)
        try await deliver(["a"], by: engine)
        presenter.emit(.expired(.sample("a")))
        try await engine.rest()
        #expect(try await engine.delivered(of: app).count == 1)
        #expect(try await engine.store.popups().isEmpty)
        presenter.respond(.sample("a"))
        try await listener.responses.first(1)
    }

    @Test
    func `many clicks reach the app in their order`() async throws {
        let engine = try await fixture.start()
        let listener = try await connect(engine)
        let names = (0..<90).map { "r\($0)" }
        try await deliver(names, by: engine)
        for name in names { presenter.respond(.sample(name)) }
        let heard = try await listener.responses.first(90)
        #expect(heard.map(\.notification.request.identifier) == names)
        #expect(heard.map(\.id) == heard.map(\.id).sorted())
    }

    // MARK: Asking

    @Test
    func `a foreground app decides about the presentation`() async throws {
        let engine = try await fixture.start()
        let listener = try await connect(engine, asks: true)
        try await engine.add(.sample("shown"), attachments: [], for: app)
        let first = try await listener.questions.first(1)
        #expect(presenter.titles.isEmpty)
        await engine.answer(first[0], with: [.banner])
        #expect(try await presenter.presentations.first(1).map(\.options) == [.banner])
        try await engine.add(.sample("hidden"), attachments: [], for: app)
        let second = try await listener.questions.first(2)
        await engine.answer(second[1], with: [])
        try await engine.rest()
        #expect(presenter.titles == ["shown"])
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["shown"])
        await engine.setAsksBeforePresenting(
            false, handlesResponses: true, in: listener.session)
        try await engine.add(.sample("unasked"), attachments: [], for: app)
        try await presenter.presentations.first(2)
        #expect(listener.questions.all.count == 2)
    }

    /// The questions of two engines need different tokens.
    ///
    /// With equal tokens, an answer that comes after a restart could decide another question.
    @Test
    func `an answer to the question of an earlier engine decides nothing`() async throws {
        let former = try await fixture.start()
        let asked = try await connect(former, asks: true)
        try await former.add(.sample("former"), attachments: [], for: app)
        let late = try await asked.questions.first(1)[0]
        await former.answer(late, with: [])
        try await former.rest()
        await former.stop()
        let engine = try await fixture.start()
        let listener = try await connect(engine, asks: true)
        try await engine.add(.sample("next"), attachments: [], for: app)
        let question = try await listener.questions.first(1)[0]
        #expect(question.rawValue < 1 << 53)
        await engine.answer(late, with: [.banner])
        await engine.answer(question, with: [.banner, .sound])
        #expect(try await presenter.presentations.first(1).map(\.options) == [[.banner, .sound]])
    }

    @Test
    func `a notification is only listed if its app is silent for 3 s, and shown if the app leaves`()
        async throws
    {
        let engine = try await fixture.start()
        let listener = try await connect(engine, asks: true)
        try await engine.add(.sample("a"), attachments: [], for: app)
        try await listener.questions.first(1)
        fixture.clock.advance(by: .seconds(3))
        try await presenter.presentations.first(1)
        try await engine.add(.sample("b"), attachments: [], for: app)
        try await listener.questions.first(2)
        await engine.disconnect(listener.session)
        try await presenter.presentations.first(2)
        #expect(presenter.titles == ["a", "b"])
        #expect(presenter.presentations.all.map(\.isForListOnly) == [true, false])
        #expect(presenter.presentations.all.map { $0.options.contains(.sound) } == [false, true])
    }

    /// The 3 seconds exclude time in suspend, so that the app can still answer after the resume.
    @Test func `a suspend does not shorten the time in which an app decides the presentation`()
        async throws
    {
        let engine = try await fixture.start()
        let listener = try await connect(engine, asks: true)
        try await engine.add(.sample("a"), attachments: [], for: app)
        let first = try await listener.questions.first(1)[0]
        fixture.clock.suspend(for: .seconds(3_600))
        await engine.answer(first, with: .all)
        #expect(try await presenter.presentations.first(1).map(\.isForListOnly) == [false])
        try await engine.add(.sample("b"), attachments: [], for: app)
        try await listener.questions.first(2)
        fixture.clock.advance(by: .seconds(2))
        fixture.clock.suspend(for: .seconds(3_600))
        fixture.clock.advance(by: .seconds(1))
        #expect(try await presenter.presentations.first(2).map(\.isForListOnly) == [false, true])
    }

    @Test
    func `a request that is removed or replaced while its app is asked is not shown`() async throws
    {
        let engine = try await fixture.start()
        let listener = try await connect(engine, asks: true)
        for name in ["removed", "replaced"] {
            try await engine.add(.sample(name), attachments: [], for: app)
        }
        let questions = try await listener.questions.first(2)
        try await engine.removePending(.identifiers(["removed"]), of: app)
        try await engine.add(.after(60, "replaced"), attachments: [], for: app)
        for question in questions { await engine.answer(question, with: .all) }
        try await engine.rest()
        #expect(presenter.titles.isEmpty)
        #expect(try await engine.pending(of: app).map(\.request.identifier) == ["replaced"])
    }

    /// A press that delayed the pending request would make the next reminder late.
    @Test
    func `a snooze pressed during the removal of its notification does not delay the next date`()
        async throws
    {
        let engine = try await fixture.start()
        var request = NotificationRequest.after(3_600, "pills", repeats: true)
        request.content.actions = [
            NotificationAction(identifier: "later", title: "Later", snooze: 600)
        ]
        try await engine.add(request, attachments: [], for: app)
        fixture.clock.advance(by: .seconds(3_600))
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        let dates = try await engine.pending(of: app).map(\.nextFire)
        #expect(dates.count == 1)
        engine.onReactor { [app, presenter = fixture.presenter] engine in
            _ = Task.immediate { try await engine.removeDelivered(.all, of: app) }
            // The store has the removal, and the engine does not have the store's answer.
            presenter.respond(.sample("pills"), .custom("later"))
        }
        try await engine.rest()
        #expect(try await engine.delivered(of: app).isEmpty)
        #expect(try await engine.pending(of: app).map(\.nextFire) == dates)
    }
}
