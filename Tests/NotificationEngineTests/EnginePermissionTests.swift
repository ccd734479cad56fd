import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Permission to notify", .timeLimit(.minutes(2)))
struct EnginePermissionTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    private var key: NotificationKey { PermissionPopup.key(of: app) }

    init() throws {
        fixture = try EngineFixture()
    }

    private func started(
        dialogs: RecordingDialogs? = nil
    ) async throws -> CenterEngine {
        let engine = try await fixture.start(dialogs: dialogs)
        var application = ApplicationIdentity.sample()
        application.needsPermission = true
        _ = try await engine.connect(application, asksBeforePresenting: false) { _ in }
        return engine
    }

    private func ask(
        _ engine: CenterEngine, for options: Permission.Options = .alert
    ) -> Task<Bool, any Error> {
        Task { try await engine.requestAuthorization(options, for: .tocsin) }
    }

    private func status(_ engine: CenterEngine) async throws -> Permission.Status? {
        try await engine.settings(of: app).permission?.status
    }

    @Test
    func `a question without an answer returns false after a minute, and can be asked again`()
        async throws
    {
        let engine = try await started()
        let first = ask(engine)
        try await fixture.presenter.presentations.first(1)
        // The engine sets the question's alarm when the question is on the screen.
        let deadline = fixture.clock.now().boot + 60_000_000
        try await fixture.clock.armed.first("the alarm") { $0.boot == deadline }
        fixture.clock.advance(by: .seconds(59))
        try await engine.rest()
        #expect(fixture.presenter.withdrawn.all.isEmpty)
        fixture.clock.advance(by: .seconds(1))
        #expect(try await !first.value)
        #expect(try await fixture.presenter.withdrawn.first(1) == [key])
        #expect(try await status(engine) == .notDetermined)
        // A click after the deadline decides nothing.
        fixture.presenter.respond(key, .custom(PermissionPopup.allow))
        try await engine.rest()
        #expect(try await status(engine) == .notDetermined)
        let second = ask(engine)
        try await fixture.presenter.presentations.first(2)
        fixture.presenter.respond(key, .custom(PermissionPopup.allow))
        #expect(try await second.value)
    }

    /// If time in suspend counted, the question would be withdrawn at the resume.
    @Test
    func `a suspend does not shorten the time that the user has for a question`() async throws {
        let engine = try await started()
        let request = ask(engine)
        try await fixture.presenter.presentations.first(1)
        let deadline = fixture.clock.now().boot + 60_000_000
        try await fixture.clock.armed.first("the alarm") { $0.boot == deadline }
        fixture.clock.suspend(for: .seconds(3_600))
        try await engine.rest()
        #expect(fixture.presenter.withdrawn.all.isEmpty)
        fixture.presenter.respond(key, .custom(PermissionPopup.allow))
        #expect(try await request.value)
    }

    @Test
    func `a click on a question's popup, its dismissal and its expiry decide nothing`() async throws
    {
        let engine = try await started()
        for (count, event) in [
            PresenterEvent.response(key, .standard, activationToken: nil), .dismissed(key),
            .expired(key),
        ].enumerated() {
            let request = ask(engine)
            try await fixture.presenter.presentations.first(count + 1)
            fixture.presenter.emit(event)
            #expect(try await !request.value)
            #expect(try await status(engine) == .notDetermined)
        }
    }

    @Test
    func `options that are requested later are added without a question`() async throws {
        let engine = try await started()
        let first = ask(engine, for: .alert)
        try await fixture.presenter.presentations.first(1)
        fixture.presenter.respond(key, .custom(PermissionPopup.allow))
        #expect(try await first.value)
        #expect(try await ask(engine, for: [.badge, .sound]).value)
        let permission = try await engine.settings(of: app).permission
        #expect(permission == Permission(.authorized, options: [.alert, .badge, .sound]))
        #expect(fixture.presenter.presentations.all.count == 1)
    }

    @Test
    func `the user's answer replaces a quiet permission, and an unanswered question does not`()
        async throws
    {
        let engine = try await started()
        #expect(try await ask(engine, for: [.alert, .provisional]).value)
        #expect(try await status(engine) == .provisional)
        let unanswered = ask(engine, for: .alert)
        try await fixture.presenter.presentations.first(1)
        fixture.presenter.emit(.dismissed(key))
        #expect(try await unanswered.value, "the app keeps its quiet permission")
        #expect(try await status(engine) == .provisional)
        let answered = ask(engine, for: .alert)
        try await fixture.presenter.presentations.first(2)
        fixture.presenter.respond(key, .custom(PermissionPopup.deny))
        #expect(try await !answered.value)
        #expect(try await status(engine) == .denied)
    }

    @Test
    func `a decision in the settings answers and withdraws the open question`() async throws {
        let engine = try await started()
        let request = ask(engine)
        try await fixture.presenter.presentations.first(1)
        try await engine.decide(.allow, for: app)
        #expect(try await request.value)
        #expect(try await fixture.presenter.withdrawn.first(1) == [key])
    }

    @Test
    func `a restart keeps the permission, and a damaged permission becomes undetermined`()
        async throws
    {
        let first = try await started()
        try await first.decide(.deny, for: app)
        await first.stop()
        let second = try await fixture.start(presenter: RecordingPresenter())
        #expect(try await status(second) == .denied)
        try await second.store.change("damaged") { database in
            try database.execute(
                sql: "UPDATE app SET permission = replace(permission, 'denied', 'authorized')")
        }
        await second.stop()
        let third = try await fixture.start(presenter: RecordingPresenter())
        #expect(try await status(third) == .notDetermined)
    }

    @Test
    func `a due request of a denied app leaves a record, and a repeat stays pending`() async throws
    {
        let engine = try await started()
        try await engine.decide(.allow, for: app)
        try await engine.add(.after(60, "once"), attachments: [], for: app)
        try await engine.add(.after(60, "often", repeats: true), attachments: [], for: app)
        try await engine.decide(.deny, for: app)
        fixture.clock.advance(by: .seconds(60))
        try await engine.rest()
        #expect(try await engine.pending(of: app).map(\.request.identifier) == ["often"])
        #expect(fixture.presenter.presentations.all.isEmpty)
        let records = try await engine.store.records()
        #expect(
            records.contains { $0.contains("once") && $0.contains("was not allowed to notify") })
        try await engine.decide(.allow, for: app)
        fixture.clock.advance(by: .seconds(60))
        try await fixture.presenter.presentations.first(1)
        #expect(fixture.presenter.titles == ["often"])
    }

    @Test
    func `a push to a denied app shows neither its popup nor its badge`() async throws {
        let engine = try await started()
        try await engine.decide(.deny, for: app)
        let alert = Array(#"{"aps": {"alert": "Now", "badge": 4}}"#.utf8)
        let silent = Array(#"{"aps": {"badge": 5}}"#.utf8)
        _ = try await engine.push(alert, collapseIdentifier: "pushed", for: app)
        _ = try await engine.push(silent, collapseIdentifier: nil, for: app)
        try await engine.rest()
        let records = try await engine.store.records()
        try #require(!records.isEmpty)
        #expect(records[0].contains("pushed") && records[0].contains("was not allowed to notify"))
        #expect(fixture.presenter.presentations.all.isEmpty)
        try await engine.decide(.allow, for: app)
        _ = try await engine.push(silent, collapseIdentifier: nil, for: app)
        #expect(try await fixture.presenter.badges.first(1) == ["\(app) 5"])
        _ = try await engine.push(alert, collapseIdentifier: "pushed", for: app)
        #expect(try await fixture.presenter.badges.first(2) == ["\(app) 5", "\(app) 4"])
        await engine.stop()
        // In the next session the engine sends the badges to the docks again.
        let presenter = RecordingPresenter()
        let next = try await fixture.start(presenter: presenter)
        #expect(presenter.badges.all == ["\(app) 4"])
        await next.stop()
    }

    @Test
    func `if the server has no buttons, a dialog asks the question`() async throws {
        fixture.presenter.announces(["body"])
        let dialogs = RecordingDialogs()
        let engine = try await started(dialogs: dialogs)
        let closed = ask(engine)
        let dialog = try await dialogs.asked.first(1)[0]
        #expect(dialog.title == "An App")
        #expect(dialog.text.hasPrefix("An App would like to send you notifications."))
        #expect(dialog.kind == .choice(accept: "Allow", refuse: "Don\u{2019}t Allow"))
        dialogs.answer(.success(.closed))
        #expect(try await !closed.value)
        #expect(try await status(engine) == .notDetermined)
        let missing = ask(engine)
        try await dialogs.asked.first(2)
        dialogs.answer(.failure(NotificationError(.noServer, "Install zenity.")))
        await #expect(throws: NotificationError(.noServer, "Install zenity.")) {
            try await missing.value
        }
        let accepted = ask(engine)
        try await dialogs.asked.first(3)
        dialogs.answer(.success(.accepted(text: "")))
        #expect(try await accepted.value)
        #expect(fixture.presenter.presentations.all.isEmpty)
    }

    @Test
    func `a dialog that nobody answers is closed after a minute`() async throws {
        fixture.presenter.announces([])
        let dialogs = RecordingDialogs()
        let engine = try await started(dialogs: dialogs)
        let request = ask(engine)
        try await dialogs.asked.first(1)
        let deadline = fixture.clock.now().boot + 60_000_000
        try await fixture.clock.armed.first("the alarm") { $0.boot == deadline }
        fixture.clock.advance(by: .seconds(60))
        #expect(try await !request.value)
        try await dialogs.closed.first(1)
    }

    @Test
    func `a question ends if its popup is refused, the server leaves, or the engine withdraws it`()
        async throws
    {
        let engine = try await started()
        fixture.presenter.answers { _ in .outcome(.refused("too many")) }
        let refused = ask(engine)
        let error = await #expect(throws: NotificationError.self) { try await refused.value }
        #expect(error?.code == .serverRefused)
        fixture.presenter.answers { _ in .present }
        let lost = ask(engine)
        try await fixture.presenter.presentations.first(2)
        fixture.presenter.becomeUnavailable()
        let gone = await #expect(throws: NotificationError.self) { try await lost.value }
        #expect(gone?.code == .noServer)
        fixture.presenter.becomeAvailable()
        let stopped = ask(engine)
        try await fixture.presenter.presentations.first(3)
        await engine.withdrawQuestions()
        #expect(try await !stopped.value)
        await engine.stop()
        await #expect(throws: NotificationError.self) {
            try await engine.requestAuthorization(.alert, for: app)
        }
    }
}
