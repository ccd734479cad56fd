import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// An action that requires authentication runs when the user unlocks the session.
@Suite("Answers while the session is locked", .timeLimit(.minutes(2)))
struct DeferredResponseTests {
    private static let category = NotificationCategory(
        identifier: "door",
        actions: [
            NotificationAction(
                identifier: "open", title: "Open",
                options: [.authenticationRequired, .foreground]),
            NotificationAction(identifier: "ring", title: "Ring"),
            NotificationAction(
                identifier: "say", title: "Say", options: .authenticationRequired,
                textInput: .init(buttonTitle: "Send", placeholder: "")),
        ])

    private let fixture: EngineFixture
    private let lock = RecordingLock()
    private let launcher = RecordingLauncher()
    private let app = ApplicationID.tocsin
    private var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    private func started() async throws -> CenterEngine {
        try await fixture.start(lock: lock, launcher: launcher)
    }

    private func connect(
        _ engine: CenterEngine, as app: ApplicationID = .tocsin
    ) async throws -> Recording<NotificationResponse> {
        let responses = Recording<NotificationResponse>()
        _ = try await engine.connect(.sample(app), asksBeforePresenting: false) { event in
            if case .response(let response) = event { responses.append(response) }
        }
        return responses
    }

    /// Shows a notification for each of these actions, and responds to them in order.
    private func answer(
        _ actions: [NotificationResponse.Action], of app: ApplicationID = .tocsin,
        _ engine: CenterEngine
    ) async throws {
        try await engine.setCategories([Self.category], of: app)
        for action in actions {
            let name = "\(presenter.presentations.all.count)"
            try await engine.add(
                .sample(name, category: "door"), attachments: [], for: app)
            try await presenter.presentations.wait(for: name) {
                $0.contains { $0.notification.request.identifier == name }
            }
            await engine.untilAtRest()
            presenter.respond(NotificationKey(app: app, identifier: name), action)
            try await engine.rest()
        }
    }

    @Test func `an action that requires authentication reaches its app at the unlock`() async throws
    {
        let engine = try await started()
        let responses = try await connect(engine)
        lock.lock()
        try await answer([.custom("open")], engine)
        #expect(responses.all.isEmpty)
        #expect(
            try await engine.delivered(of: app).isEmpty,
            "an answered notification is not in the list")
        #expect(try await engine.status().responseCount == 1)
        lock.lock(false)
        let response = try await responses.first(1)[0]
        #expect(response.action == .custom("open"))
        try await engine.acknowledge(response.id, of: app)
        #expect(try await engine.status().responseCount == 0)
    }

    @Test func `a response that needs no unlock, or comes in an unlocked session, is not deferred`()
        async throws
    {
        let engine = try await started()
        let responses = try await connect(engine)
        lock.lock()
        try await answer([.custom("ring"), .standard], engine)
        #expect(try await responses.first(2).map(\.action) == [.custom("ring"), .standard])
        lock.lock(false)
        try await answer([.custom("open")], engine)
        #expect(try await responses.first(3).last?.action == .custom("open"))
    }

    @Test func `a deferred response defers only the later responses of the same app`()
        async throws
    {
        let other = try ApplicationID("org.example.Other")
        let engine = try await started()
        let responses = try await connect(engine)
        let others = try await connect(engine, as: other)
        lock.lock()
        let given: [NotificationResponse.Action] = [
            .custom("ring"), .reply("say", text: "hello"), .custom("ring"), .custom("open"),
        ]
        try await answer(given, engine)
        try await answer([.custom("ring")], of: other, engine)
        #expect(try await others.first(1).map(\.action) == [.custom("ring")])
        #expect(responses.all.map(\.action) == [.custom("ring")])
        lock.lock(false)
        #expect(try await responses.first(4).map(\.action) == given)
        #expect(responses.all.map(\.id) == responses.all.map(\.id).sorted())
    }

    @Test
    func `an app that connects while the session is locked gets the response after the unlock`()
        async throws
    {
        let engine = try await started()
        lock.lock()
        try await answer([.custom("open")], engine)
        let responses = try await connect(engine)
        try await engine.rest()
        #expect(responses.all.isEmpty)
        lock.lock(false)
        #expect(try await responses.first(1).map(\.action) == [.custom("open")])
    }

    @Test func `an app that has quit is started at the unlock`() async throws {
        let engine = try await started()
        lock.lock()
        try await answer([.custom("open")], engine)
        #expect(launcher.requests.all.isEmpty)
        lock.lock(false)
        let order = try await launcher.requests.first(1)[0]
        #expect(order.response?.action == .custom("open") && order.mode == .foreground)
    }

    @Test
    func `after a restart of the engine a deferred response still waits for the unlock`()
        async throws
    {
        lock.lock()
        var engine = try await started()
        try await answer([.custom("open"), .custom("ring")], engine)
        await engine.stop()
        engine = try await started()
        let responses = try await connect(engine)
        try await engine.rest()
        #expect(responses.all.isEmpty)
        lock.lock(false)
        #expect(
            try await responses.first(2).map(\.action) == [.custom("open"), .custom("ring")])
    }

    @Test func `an unlock while no engine runs releases the response after the next start`()
        async throws
    {
        lock.lock()
        var engine = try await started()
        try await answer([.custom("open")], engine)
        await engine.stop()
        lock.lock(false)
        engine = try await started()
        #expect(
            launcher.requests.all.isEmpty,
            "after its start, the engine gives the app two seconds to connect")
        fixture.clock.advance(by: .seconds(3))
        #expect(try await launcher.requests.first(1)[0].response?.action == .custom("open"))
        let responses = try await connect(engine)
        #expect(try await responses.first(1).map(\.action) == [.custom("open")])
    }

    @Test func `an engine that starts without knowing the lock state releases no response`()
        async throws
    {
        lock.lock()
        var engine = try await started()
        try await answer([.custom("open")], engine)
        await engine.stop()
        lock.keepQuiet()
        engine = try await started()
        let responses = try await connect(engine)
        try await engine.rest()
        #expect(responses.all.isEmpty)
        lock.lock(false)
        #expect(try await responses.first(1).map(\.action) == [.custom("open")])
    }

    @Test func `a response given before the lock state is known waits for the unlock`()
        async throws
    {
        lock.keepQuiet()
        let engine = try await started()
        let responses = try await connect(engine)
        try await answer([.custom("open")], engine)
        #expect(responses.all.isEmpty)
        #expect(try await engine.status().responseCount == 1)
        lock.lock()
        try await engine.rest()
        #expect(responses.all.isEmpty)
        lock.lock(false)
        #expect(try await responses.first(1).map(\.action) == [.custom("open")])
    }

    @Test func `a reply typed into a dialog is deferred too`() async throws {
        let dialogs = RecordingDialogs()
        let steps = Recording<EngineStep>()
        let engine = try await fixture.start(dialogs: dialogs, lock: lock) { steps.append($0) }
        let responses = try await connect(engine)
        lock.lock()
        try await answer([.custom("say")], engine)
        let dialog = try await dialogs.asked.first(1)[0]
        #expect(dialog.text == "Say", "the dialog hides the texts that the popup hides")
        dialogs.answer(.success(.accepted(text: "hello")))
        // The engine answers `status` after it has stored the response.
        try await steps.first("the response") { $0 == .responding }
        #expect(try await engine.status().responseCount == 1)
        #expect(responses.all.isEmpty)
        lock.lock(false)
        #expect(try await responses.first(1).map(\.action) == [.reply("say", text: "hello")])
    }

    @Test func `a watcher gets a deferred response only after the unlock`() async throws {
        let engine = try await started()
        let changes = Recording<ServiceChange>()
        _ = try await engine.watch(nil) { changes.append($0) }
        lock.lock()
        try await answer([.custom("open")], engine)
        @Sendable func isAnswer(_ change: ServiceChange) -> Bool {
            if case .answer = change { true } else { false }
        }
        #expect(!changes.all.contains(where: isAnswer))
        lock.lock(false)
        try await changes.wait(for: "the answer") { $0.contains(where: isAnswer) }
    }
}
