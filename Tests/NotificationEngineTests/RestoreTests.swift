import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Notifications that a server lost", .timeLimit(.minutes(2)))
struct RestoreTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var clock: ManualClock { fixture.clock }
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    /// Starts an engine and shows these notifications.
    private func shown(_ identifiers: [String]) async throws -> CenterEngine {
        let engine = try await fixture.start()
        for identifier in identifiers {
            try await engine.add(.sample(identifier), attachments: [], for: app)
        }
        try await presenter.presentations.first(identifiers.count)
        await engine.untilAtRest()
        return engine
    }

    private func restart(_ engine: CenterEngine, isPersistent: Bool = true) async {
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: isPersistent)
        await engine.untilAtRest()
    }

    private var restored: [Presentation] { presenter.presentations.all.filter(\.isRestored) }

    @Test
    func `popups come back on the next server that keeps a list, oldest first`() async throws {
        let engine = try await shown(["a", "b"])
        let before = try await engine.delivered(of: app)
        await restart(engine)
        #expect(restored.map(\.notification.request.identifier) == ["a", "b"])
        #expect(restored.allSatisfy { $0.options.isDisjoint(with: [.sound, .badge]) })
        #expect(try await engine.delivered(of: app) == before)
        await restart(engine)
        #expect(restored.count == 4)
    }

    @Test
    func `if the next server keeps no list, lost popups do not come back on any server`()
        async throws
    {
        let engine = try await shown(["a"])
        await restart(engine, isPersistent: false)
        await restart(engine)
        #expect(restored.isEmpty)
        #expect(try await engine.delivered(of: app).count == 1)
    }

    @Test
    func `a notification that expired, was answered or was removed does not come back`()
        async throws
    {
        let engine = try await shown(["expired", "answered", "dismissed", "removed", "there"])
        presenter.emit(.expired(.sample("expired")))
        presenter.respond(.sample("answered"))
        presenter.emit(.dismissed(.sample("dismissed")))
        try await engine.removeDelivered(.identifiers(["removed"]), of: app)
        await engine.untilAtRest()
        await restart(engine)
        #expect(restored.map(\.notification.request.identifier) == ["there"])
    }

    @Test
    func `a click on a restored popup is the response to its notification`() async throws {
        let events = Recording<ServiceEvent>()
        let engine = try await shown(["a"])
        _ = try await engine.connect(.sample(), asksBeforePresenting: false) { events.append($0) }
        await restart(engine)
        presenter.respond(.sample("a"), .custom("yes"))
        let event = try await events.first(1)[0]
        guard case .response(let response) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(response.notification.request.identifier == "a")
        #expect(response.action == .custom("yes"))
        await engine.untilAtRest()
        #expect(try await engine.delivered(of: app).isEmpty)
        await restart(engine)
        #expect(restored.count == 1)
    }

    @Test
    func `a click on a restored popup before the server's answer is not lost`() async throws {
        let engine = try await shown(["a"])
        presenter.answers { $0.isRestored ? .hold : .present }
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        let held = try await presenter.presentations.first("it comes back") { $0.isRestored }
        presenter.respond(.sample("a"))
        presenter.answer(held)
        await engine.untilAtRest()
        #expect(try await engine.status().responseCount == 1)
        #expect(try await engine.delivered(of: app).isEmpty)
        #expect(presenter.withdrawn.all.last == .sample("a"), "the answered popup is closed")
    }

    @Test
    func `a notification that is removed during its restore is withdrawn`() async throws {
        let engine = try await shown(["a"])
        presenter.answers { $0.isRestored ? .hold : .present }
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        let held = try await presenter.presentations.first("it comes back") { $0.isRestored }
        try await engine.removeDelivered(.all, of: app)
        presenter.answer(held)
        await engine.untilAtRest()
        #expect(presenter.withdrawn.all.last == .sample("a"))
        #expect(try await engine.delivered(of: app).isEmpty)
    }

    /// An engine that waited for this click would store no later notification with this key.
    @Test
    func `a click on a restored popup of a removed notification delays no later request`()
        async throws
    {
        let engine = try await shown(["a"])
        presenter.answers { $0.isRestored ? .hold : .present }
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        let held = try await presenter.presentations.first("it comes back") { $0.isRestored }
        try await engine.removeDelivered(.all, of: app)
        // Run on the engine's thread: the click must come before the store reports the removal.
        await engine.run { [presenter] in
            presenter.answer(held)
            presenter.respond(.sample("a"))
        }
        await engine.untilAtRest()
        try await engine.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(3)
        await engine.untilAtRest()
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["a"])
    }

    /// A stop disarms the alarm that ends the server's delay, so it must not wait for that end.
    @Test
    func `an engine can stop while the server delays a restored popup`() async throws {
        let engine = try await shown(["a"])
        presenter.answers { $0.isRestored ? .hold : .present }
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        let held = try await presenter.presentations.first("it comes back") { $0.isRestored }
        presenter.answer(held, .later(.full))
        // The engine handles the answer before this call.
        _ = try await engine.status()
        await engine.stop()
        #expect(restored.count == 1)
    }

    @Test
    func `the newest five popups come back one by one, the others in a delivered summary`()
        async throws
    {
        let engine = try await shown((1...8).map { "n\($0)" })
        await restart(engine)
        let summary = MissedSummary.identifier
        #expect(
            restored.map(\.notification.request.identifier)
                == ["n4", "n5", "n6", "n7", "n8", summary])
        #expect(restored.last?.notification.request.content.title == "3 more notifications")
        let list = try await engine.delivered(of: app).map(\.request.identifier)
        #expect(Set(list) == Set((1...8).map { "n\($0)" } + [summary]))
        // The second restart counts the notifications of the summary only once.
        await restart(engine)
        #expect(restored.count == 12)
        #expect(restored.last?.notification.request.content.title == "3 more notifications")
        for name in ["x", "y"] {
            try await engine.add(.sample(name), attachments: [], for: app)
        }
        try await presenter.presentations.first("y") { $0.notification.key == .sample("y") }
        await engine.untilAtRest()
        await restart(engine)
        #expect(restored.last?.notification.request.content.title == "5 more notifications")
        #expect(try await engine.delivered(of: app).count == 11)
    }

    @Test
    func `due requests are shown before restored notifications`() async throws {
        let engine = try await shown(["old"])
        presenter.becomeUnavailable()
        for name in ["due", "due too"] {
            try await engine.add(.sample(name), attachments: [], for: app)
        }
        presenter.becomeAvailable(isPersistent: true)
        await engine.untilAtRest()
        #expect(presenter.titles == ["old", "due", "due too", "old"])
        #expect(restored.map(\.notification.request.identifier) == ["old"])
    }

    /// An app that does not answer must not delay the popups of other apps.
    @Test
    func `a restored popup does not wait for requests of another app that does not answer`()
        async throws
    {
        let engine = try await shown(["a"])
        let other = try ApplicationID("org.other")
        try await engine.add(.sample("b"), attachments: [], for: other)
        try await presenter.presentations.first(2)
        await engine.untilAtRest()
        let events = Recording<ServiceEvent>()
        let session = try await engine.connect(.sample(), asksBeforePresenting: true) {
            events.append($0)
        }
        for number in 0..<StoreLimits.presenting {
            try await engine.add(.sample("n\(number)"), attachments: [], for: app)
        }
        try await events.first(StoreLimits.presenting)
        // The app has as many open deliveries as it may have, so this request stays due.
        try await engine.add(.sample("due"), attachments: [], for: app)
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        try await presenter.presentations.first("a popup comes back") { $0.isRestored }
        #expect(restored.map(\.notification.request.identifier) == ["b"])
        await engine.disconnect(session)
        await engine.untilAtRest()
        #expect(restored.map(\.notification.request.identifier) == ["b", "a"])
        #expect(presenter.titles.last == "a")
    }

    @Test
    func `a notification that was replaced before the restore does not come back in its old form`()
        async throws
    {
        let engine = try await shown(["a"])
        presenter.becomeUnavailable()
        try await engine.add(.sample("a", title: "again"), attachments: [], for: app)
        presenter.becomeAvailable(isPersistent: true)
        await engine.untilAtRest()
        #expect(presenter.titles == ["a", "again"])
        #expect(restored.isEmpty)
    }

    @Test
    func `notifications of a denied app and transient notifications do not come back`()
        async throws
    {
        let engine = try await shown(["a"])
        let other = try ApplicationID("org.other")
        var transient = NotificationRequest.sample("t")
        transient.content.desktop = DesktopOptions()
        transient.content.desktop?.isTransient = true
        try await engine.add(transient, attachments: [], for: other)
        try await presenter.presentations.first(2)
        await engine.untilAtRest()
        try await engine.decide(.deny, for: app)
        await restart(engine)
        #expect(restored.isEmpty)
    }

    @Test
    func `if a server dies during a restore, the next server gets the notifications`() async throws
    {
        let engine = try await shown(["a", "b"])
        presenter.answers { $0.isRestored ? .outcome(.interrupted) : .present }
        await restart(engine)
        #expect(restored.first?.notification.request.identifier == "a")
        presenter.answers { _ in .present }
        let count = restored.count
        await restart(engine)
        #expect(restored.dropFirst(count).map(\.notification.request.identifier) == ["a", "b"])
    }

    /// The engine must obey the refusal although the server left before it.
    @Test
    func `a restored popup that made several servers exit is not shown again`() async throws {
        let engine = try await shown(["a"])
        presenter.answers { $0.isRestored ? .hold : .present }
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        let held = try await presenter.presentations.first("it comes back") { $0.isRestored }
        presenter.becomeUnavailable()
        presenter.answer(held, .refused("The server ended 3 times."))
        presenter.answers { _ in .present }
        presenter.becomeAvailable(isPersistent: true)
        await engine.untilAtRest()
        #expect(restored.count == 1)
        #expect(try await engine.delivered(of: app).count == 1)
    }

    @Test
    func `a restarted engine restores only the lost popup, and changes no delivered notification`()
        async throws
    {
        let engine = try await shown(["a", "b"])
        let before = try await engine.delivered(of: app)
        await engine.stop()
        let next = RecordingPresenter(isAvailable: false)
        let again = try await fixture.start(presenter: next)
        // The same server still runs, and has lost one popup.
        next.emit(.lost([.sample("b")]))
        next.becomeAvailable(isPersistent: true)
        try await next.presentations.first(1)
        await again.untilAtRest()
        #expect(next.titles == ["b"])
        #expect(next.presentations.all.allSatisfy { $0.isRestored })
        #expect(try await again.delivered(of: app) == before)
    }
}

extension CenterEngine {
    fileprivate func run(_ body: @Sendable () -> Void) {
        body()
    }
}
