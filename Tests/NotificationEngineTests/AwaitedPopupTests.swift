import NotificationModel
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("Popups that somebody waits for")
struct AwaitedPopupTests {
    @Test("Who waits for a popup hears that it left, unless the server keeps it in a list")
    func left() {
        var state = EngineState()
        let session = state.connect(.sample(), asksBeforePresenting: false, identifiers: ["a"])
        _ = state.connect(.sample(), asksBeforePresenting: false)
        let (key, other) = (NotificationKey.sample("a"), NotificationKey.sample("b"))
        #expect(state.popupLeft(key).isEmpty, "no server has told")
        _ = state.presenterMet(keepsList: false)
        #expect(state.popupLeft(key) == [.tellLeft(session, key)])
        #expect(state.popupLeft(other).isEmpty)
        _ = state.presenterMet(keepsList: true)
        #expect(state.popupLeft(key).isEmpty)
    }

    @Test("Who waits for a text and sees its dialog closed hears of a dismissal")
    func closedDialog() async throws {
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
