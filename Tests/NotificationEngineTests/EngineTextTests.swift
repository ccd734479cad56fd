import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Replies that are typed into a dialog", .timeLimit(.minutes(2)))
struct EngineTextTests {
    let fixture: EngineFixture
    let dialogs = RecordingDialogs()
    let events = Recording<ServiceEvent>()
    private let key = NotificationKey.sample("mail")

    init() throws {
        fixture = try EngineFixture()
    }

    private func shown() async throws -> CenterEngine {
        let engine = try await fixture.start(dialogs: dialogs)
        _ = try await engine.connect(.sample(), asksBeforePresenting: false) { [events] in
            events.append($0)
        }
        let comment = NotificationAction(
            identifier: "comment", title: "Comment",
            textInput: .init(buttonTitle: "Send", placeholder: "What do you think?"))
        try await engine.setCategories(
            [
                NotificationCategory(
                    identifier: "mail",
                    actions: [comment, NotificationAction(identifier: "like", title: "Like")],
                    options: .customDismissAction)
            ], of: .tocsin)
        try await engine.add(
            .sample("mail", title: "News", category: "mail"), attachments: [], for: .tocsin)
        try await fixture.presenter.presentations.first(1)
        try await engine.rest()
        return engine
    }

    private func response() async throws -> NotificationResponse.Action {
        let event = try await events.first(1)[0]
        guard case .response(let response) = event else { throw HarnessError("\(event)") }
        return response.action
    }

    @Test
    func `a click on a text action opens a dialog, and the typed text is the response`()
        async throws
    {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"), activationToken: "token")
        let dialog = try await dialogs.asked.first(1)[0]
        #expect(dialog.kind == .text(accept: "Send"))
        #expect(dialog.title == "An App")
        #expect(dialog.text == "News\nWhat do you think?")
        // While the dialog is open, the engine handles other requests.
        try await engine.add(.sample("other"), attachments: [], for: .tocsin)
        try await fixture.presenter.presentations.first(2)
        #expect(try await engine.delivered(of: .tocsin).map(\.request.identifier).contains("mail"))
        dialogs.answer(.success(.accepted(text: "Great\nnews")))
        #expect(try await response() == .reply("comment", text: "Great\nnews"))
        try await engine.rest()
        #expect(try await engine.delivered(of: .tocsin).map(\.request.identifier) == ["other"])
    }

    /// The retry must neither ask the user again nor answer another notification.
    @Test func `a text that is stored at the second try answers the notification of its dialog`()
        async throws
    {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        fixture.clock.advance(by: .seconds(5))
        try await engine.add(.sample("mail", title: "Newer"), attachments: [], for: .tocsin)
        try await fixture.presenter.presentations.first(2)
        try await engine.rest()
        let store = await engine.store
        // The trigger fails like a file system with a temporary error.
        try await store.change("changed") {
            try $0.execute(
                sql: """
                    CREATE TEMP TRIGGER failing BEFORE INSERT ON main.response BEGIN
                      SELECT RAISE(ABORT, 'failing');
                    END
                    """)
        }
        let retry = fixture.clock.now().boot + Duration.seconds(1).wholeMicroseconds
        dialogs.answer(.success(.accepted(text: "Great")))
        try await fixture.clock.armed.first("the next try") { $0.boot == retry }
        try await store.change("changed") { try $0.execute(sql: "DROP TRIGGER failing") }
        fixture.clock.advance(by: .seconds(1))
        #expect(try await response() == .reply("comment", text: "Great"))
        guard case .response(let answered) = events.all.first else {
            throw HarnessError("there is no response")
        }
        #expect(answered.notification.request.content.title == "News")
        #expect(dialogs.asked.all.count == 1)
        let delivered = try await engine.delivered(of: .tocsin)
        #expect(delivered.map(\.request.content.title) == ["Newer"])
    }

    @Test
    func `a closed dialog removes its notification without a response`() async throws {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        dialogs.answer(.success(.closed))
        try await engine.rest()
        #expect(try await engine.delivered(of: .tocsin).isEmpty)
        #expect(events.all.isEmpty)
        #expect(try await engine.status().responseCount == 0)
    }

    @Test
    func `if no dialog can be shown, a click on a text action is a response without a text`()
        async throws
    {
        let engine = try await shown()
        defer { withExtendedLifetime(engine) {} }
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        dialogs.answer(.failure(NotificationError(.noServer, "Install zenity.")))
        #expect(try await response() == .reply("comment", text: nil))
    }

    @Test(
        arguments: [
            .custom("like"), .reply("comment", text: "Great"),
        ] as [NotificationResponse.Action])
    func `an action without a text field, or a text that the server asked for, opens no dialog`(
        action: NotificationResponse.Action
    ) async throws {
        let engine = try await shown()
        defer { withExtendedLifetime(engine) {} }
        fixture.presenter.respond(key, action)
        #expect(try await response() == action)
        #expect(dialogs.asked.all.isEmpty)
    }

    @Test func `a reply on an earlier run's popup belongs to the action with a text field`()
        async throws
    {
        let engine = try await shown()
        defer { withExtendedLifetime(engine) {} }
        let reply = NotificationResponse.Action.reply(
            NotificationResponse.Action.unknownButton, text: "Great")
        fixture.presenter.respond(key, reply)
        #expect(try await response() == .reply("comment", text: "Great"))
    }

    @Test
    func `a wait until an app is idle also waits for an open dialog`() async throws {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        let idle = Recording<Bool>()
        let waiting = Task.immediate {
            try await engine.waitUntilIdle(.tocsin, includingPopups: true)
            idle.append(true)
        }
        // The second call returns after the engine has checked whether the app is idle.
        for _ in 0..<2 { try await engine.rest() }
        #expect(idle.all.isEmpty)
        dialogs.answer(.success(.closed))
        try await waiting.value
        #expect(idle.all == [true])
    }

    @Test
    func `a dialog that the engine withdraws is closed, and its notification stays delivered`()
        async throws
    {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        await engine.withdrawQuestions()
        #expect(dialogs.closed.all.count == 1)
        try await engine.rest()
        #expect(try await engine.delivered(of: .tocsin).map(\.request.identifier) == ["mail"])
    }

    /// A reply to a removed notification would be lost.
    @Test func `a dialog is closed when the app removes its notification`() async throws {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        try await engine.removeDelivered(.all, of: .tocsin)
        #expect(dialogs.closed.all.count == 1)
        try await engine.rest()
        #expect(events.all.isEmpty)
    }

    @Test func `a click on a text action opens no dialog if the notification is being removed`()
        async throws
    {
        let engine = try await shown()
        try await engine.removeDelivered(clicking: key, on: fixture.presenter)
        try await engine.rest()
        #expect(dialogs.asked.all.isEmpty)
        #expect(events.all.isEmpty)
    }

    /// If the engine treated the dialog as one that it closed, the reply would be lost.
    @Test
    func `a reply that is sent just before the engine withdraws its dialog is the response`()
        async throws
    {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        await engine.withdrawQuestions(afterAnswering: dialogs, "Great")
        #expect(try await response() == .reply("comment", text: "Great"))
        #expect(dialogs.closed.all.isEmpty)
        try await engine.rest()
        #expect(try await engine.delivered(of: .tocsin).isEmpty)
    }

    @Test
    func `a stopping engine closes its text dialog, and the notification stays delivered`()
        async throws
    {
        let engine = try await shown()
        fixture.presenter.respond(key, .custom("comment"))
        try await dialogs.asked.first(1)
        await engine.stop()
        #expect(dialogs.closed.all.count == 1)
        let next = try await fixture.start(dialogs: dialogs)
        #expect(try await next.delivered(of: .tocsin).map(\.request.identifier) == ["mail"])
    }
}

extension CenterEngine {
    /// Answers a dialog, and withdraws the questions before the engine can handle the answer.
    fileprivate func withdrawQuestions(
        afterAnswering dialogs: RecordingDialogs, _ text: String
    ) async {
        dialogs.answer(.success(.accepted(text: text)))
        await withdrawQuestions()
    }

    /// Removes the delivered notifications; the user clicks before the store reports the removal.
    fileprivate func removeDelivered(
        clicking key: NotificationKey, on presenter: RecordingPresenter
    ) async throws {
        let removal = Task.immediate { try await self.removeDelivered(.all, of: key.app) }
        presenter.respond(key, .custom("comment"))
        try await removal.value
    }
}
