import NotificationModel
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// A locked session hides the texts; an unlocked session shows the texts again.
@Suite("Texts while the session is locked", .timeLimit(.minutes(2)))
struct EngineLockTests {
    private let fixture: EngineFixture
    private let lock = RecordingLock()
    private let preferences = RecordingPreferences(nil)
    private let app = ApplicationID.tocsin
    private var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func started() async throws -> CenterEngine {
        try await fixture.start(preferences: preferences, lock: lock)
    }

    private func show(
        _ identifier: String, thread: String = "", category: String = "", _ engine: CenterEngine
    ) async throws -> Presentation {
        let count = presenter.presentations.all.count
        var request = NotificationRequest.sample(identifier, category: category)
        request.content.threadIdentifier = thread
        try await engine.add(request, attachments: [], for: app)
        let shown = try await presenter.presentations.first(count + 1)[count]
        await engine.untilAtRest()
        return shown
    }

    private var revealed: [String] {
        presenter.presentations.all.filter(\.isRevealed).map(\.notification.request.identifier)
    }

    @Test func `after the unlock a popup shows its hidden texts without a sound`() async throws {
        let engine = try await started()
        #expect(try await !show("before", engine).isHiddenByLock)
        lock.lock()
        #expect(try await show("a", engine).isHiddenByLock)
        #expect(try await show("b", engine).isHiddenByLock)
        lock.lock(false)
        let all = try await presenter.presentations.first(5)
        #expect(revealed == ["a", "b"], "a popup from before the lock does not change")
        #expect(all.suffix(2).allSatisfy { !$0.isHiddenByLock && !$0.isRestored })
        #expect(all.suffix(2).allSatisfy { $0.options.isDisjoint(with: [.sound, .badge]) })
        await engine.untilAtRest()
        lock.lock()
        lock.lock(false)
        await engine.untilAtRest()
        #expect(presenter.presentations.all.count == 5, "the second unlock shows no popup again")
    }

    @Test func `texts are hidden until the lock status is decided, and then shown`() async throws {
        lock.keepQuiet()
        let engine = try await started()
        #expect(try await show("a", engine).isHiddenByLock)
        #expect(await engine.hidesTexts(of: app))
        presenter.emit(.serverIdentified(isPersistent: true))
        await engine.untilAtRest()
        #expect(revealed.isEmpty, "the lock status is unknown, so the texts stay hidden")
        lock.lock(false)
        try await presenter.presentations.first(2)
        #expect(revealed == ["a"])
        #expect(await !engine.hidesTexts(of: app))
    }

    @Test func `an unlock shows the texts of a list-only notification only in the list`()
        async throws
    {
        let engine = try await started()
        var application = ApplicationIdentity.sample()
        application.needsPermission = true
        _ = try await engine.connect(application, asksBeforePresenting: false) { _ in }
        #expect(try await engine.requestAuthorization([.all, .provisional], for: app))
        lock.lock()
        _ = try await show("a", engine)
        lock.lock(false)
        let back = try await presenter.presentations.first(2)[1]
        #expect(back.isRevealed && back.options == .list)
    }

    @Test func `an expired, answered or removed popup is not shown again`() async throws {
        let engine = try await started()
        lock.lock()
        for name in ["expired", "answered", "removed"] { _ = try await show(name, engine) }
        presenter.emit(.expired(.sample("expired")))
        presenter.respond(.sample("answered"))
        try await engine.removeDelivered(.identifiers(["removed"]), of: app)
        await engine.untilAtRest()
        lock.lock(false)
        await engine.untilAtRest()
        #expect(revealed.isEmpty)
    }

    @Test func `an unlock during the post of a hidden notification reveals the texts`() async throws
    {
        let engine = try await started()
        lock.lock()
        presenter.answers { $0.isRevealed ? .present : .hold }
        try await engine.add(.sample("a"), attachments: [], for: app)
        let shown = try await presenter.presentations.first(1)[0]
        lock.lock(false)
        presenter.answer(shown)
        try await presenter.presentations.first(2)
        #expect(revealed == ["a"])
    }

    /// Shows a popup with hidden texts, and unlocks the session.
    ///
    /// Returns the post that reveals the texts; the server has not answered the post yet.
    private func revealing(
        _ identifier: String, _ engine: CenterEngine
    ) async throws -> Presentation {
        lock.lock()
        _ = try await show(identifier, engine)
        presenter.answers { $0.isRevealed ? .hold : .present }
        lock.lock(false)
        return try await presenter.presentations.first("the texts") { $0.isRevealed }
    }

    /// The engine must not keep the click for the new popup, because that popup never comes.
    @Test
    func `a click on a hidden popup is stored if the server leaves before the texts are shown`()
        async throws
    {
        let engine = try await started()
        let held = try await revealing("a", engine)
        presenter.respond(.sample("a"))
        presenter.becomeUnavailable()
        presenter.answer(held, .interrupted)
        await engine.untilAtRest()
        #expect(try await engine.status().responseCount == 1)
        #expect(try await engine.delivered(of: app).isEmpty)
    }

    @Test func `a click on a hidden popup reaches the app at once, and the popup is withdrawn`()
        async throws
    {
        let engine = try await started()
        let events = Recording<ServiceEvent>()
        _ = try await engine.connect(.sample(), asksBeforePresenting: false) { events.append($0) }
        let held = try await revealing("a", engine)
        presenter.respond(.sample("a"))
        try await events.first("the response") { event in
            if case .response = event { true } else { false }
        }
        presenter.answer(held)
        await engine.untilAtRest()
        #expect(presenter.withdrawn.all.last == .sample("a"))
    }

    @Test func `the next engine shows the hidden texts of notifications from an earlier engine`()
        async throws
    {
        lock.lock()
        var engine = try await started()
        _ = try await show("a", engine)
        await engine.stop()
        engine = try await started()
        presenter.emit(.serverIdentified(isPersistent: true))
        await engine.untilAtRest()
        #expect(revealed.isEmpty, "the session is still locked")
        await engine.stop()
        lock.lock(false)
        engine = try await started()
        presenter.emit(.serverIdentified(isPersistent: true))
        try await presenter.presentations.wait(for: "the texts") {
            $0.contains(where: \.isRevealed)
        }
        #expect(revealed == ["a"])
    }

    @Test func `a popup lost with its server is restored without texts, and the unlock shows them`()
        async throws
    {
        let engine = try await started()
        _ = try await show("a", engine)
        lock.lock()
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        let back = try await presenter.presentations.first(2)[1]
        #expect(back.isRestored && back.isHiddenByLock)
        await engine.untilAtRest()
        lock.lock(false)
        try await presenter.presentations.first(3)
        #expect(revealed == ["a"])
    }

    @Test func `the setting 'never' keeps texts hidden, and the setting 'always' hides none`()
        async throws
    {
        let engine = try await started()
        for (previews, isHidden) in [(ShowPreviews.never, true), (.always, false)] {
            try await engine.setPreviews(previews, of: app)
            #expect(try await engine.settings(of: app).previews == previews)
            lock.lock()
            let shown = try await show("\(previews)", engine)
            #expect(shown.previews == previews && !shown.isHiddenByLock)
            #expect(await engine.hidesTexts(of: app) == isHidden)
            lock.lock(false)
            await engine.untilAtRest()
            #expect(await engine.hidesTexts(of: app) == isHidden)
        }
        #expect(revealed.isEmpty)
    }

    @Test func `the user's setting is kept after a restart of the engine`() async throws {
        let engine = try await started()
        #expect(try await engine.settings(of: app).previews == .whenAuthenticated)
        try await engine.setPreviews(.never, of: app)
        await engine.stop()
        #expect(try await started().settings(of: app).previews == .never)
    }

    @Test func `a reset forgets the user's setting`() async throws {
        let engine = try await started()
        try await engine.setPreviews(.never, of: app)
        try await engine.decide(.reset, for: app)
        #expect(try await engine.settings(of: app).previews == .whenAuthenticated)
        await engine.stop()
        #expect(try await started().settings(of: app).previews == .whenAuthenticated)
    }

    @Test(
        arguments: [
            (nil, nil, .whenAuthenticated), (.always, nil, .always), (.never, nil, .never),
            (nil, true, .always), (nil, false, .whenAuthenticated),
            (.always, false, .whenAuthenticated), (.whenAuthenticated, true, .always),
            (.never, true, .never), (.never, false, .never),
        ] as [(ShowPreviews?, Bool?, ShowPreviews)])
    func `the desktop's setting overrides the user's, unless the user's setting is 'never'`(
        record: ShowPreviews?, desktop: Bool?, expected: ShowPreviews
    ) {
        var state = EngineState(schedule: .sample)
        state.change(app) { $0.previewsRecord = record }
        if let desktop {
            var value = AppSwitch(desktop: "GNOME", isOn: true)
            value.showsTextsWhileLocked = desktop
            _ = state.permission(of: app) { $0.switchSeen(value) }
        }
        #expect(state[app].previews == expected)
    }

    @Test func `the user's setting is written to the desktop if the desktop has such a setting`()
        async throws
    {
        let preferences = RecordingPreferences()
        preferences.says { $0.showsTextsWhileLocked = false }
        let engine = try await fixture.start(preferences: preferences, lock: lock)
        try await engine.setPreviews(.always, of: app)
        #expect(try await engine.settings(of: app).previews == .always)
        try await engine.setPreviews(.always, of: app)
        try await engine.setPreviews(.never, of: app)
        #expect(preferences.switchUpdates.all == ["\(app) texts shown", "\(app) texts hidden"])
        preferences.fails(with: NotificationError(.noSettings, "no"))
        let error = await #expect(throws: NotificationError.self) {
            try await engine.setPreviews(.always, of: app)
        }
        #expect(error?.code == .noSettings)
        #expect(
            try await engine.settings(of: app).previews == .never,
            "the failed call changed nothing")
    }

    @Test func `the placeholder gets the number of its thread's notifications`() async throws {
        let engine = try await started()
        try await engine.setCategories(
            [
                NotificationCategory(
                    identifier: "mail", hiddenPreviewsBodyPlaceholder: "%u messages")
            ], of: app)
        _ = try await show("a", thread: "x", category: "mail", engine)
        _ = try await show("b", thread: "y", category: "mail", engine)
        lock.lock()
        #expect(try await show("c", thread: "x", category: "mail", engine).threadCount == 2)
        #expect(try await show("c", thread: "x", category: "mail", engine).threadCount == 2)
        #expect(try await show("d", thread: "z", category: "mail", engine).threadCount == 1)
    }

    @Test func `the question for permission is readable while the session is locked`() async throws
    {
        lock.lock()
        let engine = try await started()
        var application = ApplicationIdentity.sample()
        application.needsPermission = true
        _ = try await engine.connect(application, asksBeforePresenting: false) { _ in }
        let answer = Task { try await engine.requestAuthorization(.all, for: .tocsin) }
        let question = try await presenter.presentations.first(1)[0]
        #expect(question.isQuestion && question.previews == .always)
        presenter.respond(PermissionPopup.key(of: app), .custom(PermissionPopup.allow))
        #expect(try await answer.value)
    }
}

extension CenterEngine {
    fileprivate func hidesTexts(of app: ApplicationID) -> Bool { state.hidesTexts(of: app) }
}
