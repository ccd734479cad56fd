import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("Popups that a caller waits for", .timeLimit(.minutes(2)))
struct AwaitedPopupTests {
    @Test
    func `a waiting caller learns of a lost popup only if the server keeps no list`() {
        var state = EngineState(schedule: .sample)
        let session = state.connect(.sample(), asksBeforePresenting: false, identifiers: ["a"])
        _ = state.connect(.sample(), asksBeforePresenting: false)
        let (key, other) = (NotificationKey.sample("a"), NotificationKey.sample("b"))
        #expect(
            state.popupLost(key).isEmpty,
            "until a server is identified, the engine assumes that it keeps a list")
        _ = state.presenterIdentified(isPersistent: false)
        #expect(state.popupLost(key) == [.send(session, .popupLeft(key))])
        #expect(state.popupLost(other).isEmpty)
        _ = state.presenterIdentified(isPersistent: true)
        #expect(state.popupLost(key).isEmpty)
    }

    /// Plasma 6.3 keeps closed popups in its list without buttons.
    ///
    /// The user cannot answer such a popup, so the caller would wait for ever.
    @Test(arguments: [false, true])
    func `a caller that waits for a popup learns that the server closed the popup`(
        isPersistent: Bool
    ) async throws {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: isPersistent)
        fixture.presenter.emit(.expired(.sample("a")))
        fixture.presenter.emit(.expired(.sample("b")))
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("a")])
        #expect(try await engine.delivered(of: .tocsin).count == 2)
    }

    @Test func `the presenter learns which popup a caller waits for`() async throws {
        let fixture = try EngineFixture()
        let (_, events) = try await waiting(fixture, isPersistent: true)
        let shown = fixture.presenter.presentations.all
        #expect(shown.map(\.notification.key) == [.sample("a"), .sample("b")])
        #expect(shown.map(\.isAwaited) == [true, false])
        #expect(events.all.isEmpty)
    }

    /// Returns an engine, and the events of a caller that waits for "a".
    ///
    /// The engine has shown "a" and "b". `isPersistent` says whether the server keeps a list.
    private func waiting(
        _ fixture: EngineFixture, isPersistent: Bool
    ) async throws -> (CenterEngine, Recording<ServiceEvent>) {
        let engine = try await fixture.start()
        fixture.presenter.emit(.serverIdentified(isPersistent: isPersistent))
        let events = Recording<ServiceEvent>()
        _ = try await engine.connect(
            .sample(), asksBeforePresenting: false, identifiers: ["a"]
        ) { events.append($0) }
        for identifier in ["a", "b"] {
            try await engine.add(.sample(identifier), attachments: [], for: .tocsin)
        }
        try await fixture.presenter.presentations.first(2)
        await engine.untilAtRest()
        return (engine, events)
    }

    private func keysLeft(_ events: Recording<ServiceEvent>) -> [NotificationKey] {
        events.all.compactMap { if case .popupLeft(let key) = $0 { key } else { nil } }
    }

    /// `tocsin send --wait` must not wait for ever if another program removes its notification.
    @Test func `a waiting caller learns that another call removed the notification`() async throws {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        try await engine.removeDelivered(.identifiers(["b"]), of: .tocsin)
        #expect(events.all.isEmpty)
        try await engine.removeDelivered(.all, of: .tocsin)
        #expect(keysLeft(events) == [.sample("a")])
    }

    @Test
    func `a waiting caller learns that a call removed the request before the popup was sent`()
        async throws
    {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        let events = Recording<ServiceEvent>()
        _ = try await engine.connect(
            .sample(), asksBeforePresenting: true, identifiers: ["a"]
        ) { events.append($0) }
        try await engine.add(.sample("a"), attachments: [], for: .tocsin)
        try await events.first("the question") {
            if case .willPresent = $0 { true } else { false }
        }
        try await engine.removePending(.all, of: .tocsin)
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("a")])
        #expect(fixture.presenter.presentations.all.isEmpty)
    }

    @Test(arguments: [NotificationSelection.all, .identifiers(["a"])])
    func `a caller that waits for a snoozed notification learns that a call removed the request`(
        selection: NotificationSelection
    ) async throws {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        _ = try await engine.snooze("a", of: .tocsin, for: 60)
        try await engine.removeDelivered(.all, of: .tocsin)
        #expect(events.all.isEmpty, "the snoozed request is pending, so the caller waits on")
        try await engine.removePending(selection, of: .tocsin)
        #expect(keysLeft(events) == [.sample("a")])
    }

    @Test
    func `a caller still waits for a delivered notification after its pending repeat is removed`()
        async throws
    {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        try await engine.add(.after(60, "a", repeats: true), attachments: [], for: .tocsin)
        try await engine.removePending(.all, of: .tocsin)
        #expect(events.all.isEmpty)
    }

    /// The close of the popup brought no report, because another popup was to come.
    @Test
    func `a waiting caller whose popup was closed learns that a call removed the pending repeat`()
        async throws
    {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        try await engine.add(.after(60, "a", repeats: true), attachments: [], for: .tocsin)
        fixture.presenter.emit(.expired(.sample("a")))
        await engine.untilAtRest()
        #expect(events.all.isEmpty)
        try await engine.removePending(.all, of: .tocsin)
        #expect(keysLeft(events) == [.sample("a")])
    }

    @Test
    func `a caller learns that a server without a notification list died, even if none follows`()
        async throws
    {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: false)
        fixture.presenter.becomeUnavailable()
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("a")])
        #expect(try await engine.delivered(of: .tocsin).count == 2)
    }

    @Test
    func `if a server with a notification list dies, a caller waits until one without it starts`()
        async throws
    {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        fixture.presenter.becomeUnavailable()
        fixture.presenter.becomeAvailable(isPersistent: true)
        await engine.untilAtRest()
        fixture.presenter.becomeUnavailable()
        await engine.untilAtRest()
        #expect(
            events.all.isEmpty,
            "the next server may keep a list, and would then get the popup again")
        fixture.presenter.becomeAvailable(isPersistent: false)
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("a")])
    }

    @Test
    func `a caller that waits for a replacement gets no report if the replaced popup is lost`()
        async throws
    {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        fixture.presenter.becomeUnavailable()
        try await engine.add(.sample("a", title: "again"), attachments: [], for: .tocsin)
        // The presenter answers the new post only when the test calls `answer`.
        fixture.presenter.answers { _ in .hold }
        fixture.presenter.becomeAvailable(isPersistent: false)
        let again = try await fixture.presenter.presentations.first("the new popup") {
            $0.notification.request.content.title == "again"
        }
        fixture.presenter.answer(again)
        await engine.untilAtRest()
        #expect(events.all.isEmpty)
        fixture.presenter.emit(.expired(.sample("a")))
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("a")])
    }

    /// `tocsin send --wait` must not wait for ever for a popup that never comes.
    @Test func `a waiting caller learns that the server refused the popup`() async throws {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        _ = try await engine.connect(
            .sample(), asksBeforePresenting: false, identifiers: ["bad"]
        ) { events.append($0) }
        fixture.presenter.answers { _ in .outcome(.refused("no popup is made of this")) }
        try await engine.add(.sample("bad"), attachments: [], for: .tocsin)
        // The user can still respond to the notification that this one does not replace.
        try await engine.add(.sample("a", title: "again"), attachments: [], for: .tocsin)
        try await fixture.presenter.presentations.first(4)
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("bad")])
    }

    /// The engine may store the new request just before the outcome of the former request.
    @Test(arguments: [Settlement.Outcome.failed(.refused, "no"), .suppressed, .withoutPopup])
    func `a request that was replaced during its presentation leaves its callers waiting`(
        outcome: Settlement.Outcome
    ) async throws {
        let fixture = try StoreFixture()
        let store = try fixture.open()
        try await store.add(.sample("a"))
        let claimed = try await store.claim(limit: 1, excluding: [], now: fixture.now)
        try await store.add(.sample("a"))
        let settled = claimed.map {
            Settlement(claimed: $0, outcome: outcome, date: fixture.now.wall)
        }
        #expect(settled.count == 1)
        #expect(try await store.settle(settled, now: fixture.now).unawaited.isEmpty)
        #expect(try await store.identifiers() == ["a"])
    }

    @Test
    func `a waiting caller whose popup was closed learns that the server refused the replacement`()
        async throws
    {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        fixture.presenter.answers { _ in .hold }
        try await engine.add(.sample("a", title: "again"), attachments: [], for: .tocsin)
        let again = try await fixture.presenter.presentations.first(3)[2]
        fixture.presenter.emit(.expired(.sample("a")))
        fixture.presenter.answer(again, .refused("no popup is made of this"))
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("a")])
    }

    /// A server may refuse the replacement as a duplicate for a moment.
    @Test
    func `a caller that waits for a delayed replacement gets no report of the replaced popup`()
        async throws
    {
        let fixture = try EngineFixture()
        let (engine, events) = try await waiting(fixture, isPersistent: true)
        let others = Recording<ServiceEvent>()
        _ = try await engine.connect(
            .sample(), asksBeforePresenting: false, identifiers: ["b"]
        ) { others.append($0) }
        fixture.presenter.answers { _ in .outcome(.later(.duplicate)) }
        try await engine.add(.sample("a", title: "again"), attachments: [], for: .tocsin)
        try await fixture.presenter.presentations.first(3)
        // The engine handles the events of popups in their order.
        fixture.presenter.emit(.expired(.sample("a")))
        fixture.presenter.emit(.expired(.sample("b")))
        try await others.first(1)
        #expect(events.all.isEmpty)
        fixture.presenter.answers { _ in .present }
        fixture.clock.advance(by: .seconds(2))
        try await fixture.presenter.presentations.first(4)
        await engine.untilAtRest()
        fixture.presenter.emit(.expired(.sample("a")))
        await engine.untilAtRest()
        #expect(keysLeft(events) == [.sample("a")])
    }

    @Test
    func `a caller that waits for a text gets a dismissal when the dialog closes`() async throws {
        let fixture = try EngineFixture()
        let dialogs = RecordingDialogs()
        let engine = try await fixture.start(dialogs: dialogs)
        let events = Recording<ServiceEvent>()
        _ = try await engine.connect(
            .sample(), asksBeforePresenting: false, identifiers: ["mail"]
        ) { events.append($0) }
        let reply = NotificationAction(
            identifier: "reply", title: "Reply",
            textInput: .init(buttonTitle: "Send", placeholder: ""))
        try await engine.setCategories(
            [
                NotificationCategory(
                    identifier: "mail", actions: [reply], options: .customDismissAction)
            ], of: .tocsin)
        try await engine.add(
            .sample("mail", title: "News", category: "mail"), attachments: [], for: .tocsin)
        try await fixture.presenter.presentations.first(1)
        try await engine.rest()
        fixture.presenter.respond(.sample("mail"), .custom("reply"))
        try await dialogs.asked.first(1)
        dialogs.answer(.success(.closed))
        let event = try await events.first(1)[0]
        guard case .response(let response) = event else { throw HarnessError("\(event)") }
        #expect(response.action == .dismiss)
        try await engine.rest()
        #expect(try await engine.delivered(of: .tocsin).isEmpty)
    }
}
