import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

@Suite("Numbers on icons", .timeLimit(.minutes(2)))
struct BadgeTests {
    let app = ApplicationID.tocsin

    /// The dock must not keep the app's earlier number until the next start.
    @Test func `the dock shows a notification's badge that is stored after the app's own number`()
        async throws
    {
        let fixture = try EngineFixture()
        let presenter = fixture.presenter
        let held = Locked<Presentation?>(nil)
        let engine = try await fixture.start { step in
            guard step == .committed, let popup = held.withLock(\.self) else { return }
            held.withLock { $0 = nil }
            // The server answers after the commit of the app's number, and before the engine hears
            // of that commit.
            presenter.answer(popup)
        }
        // Let the start's own commits pass: the test acts at the commit of the app's number.
        await engine.untilAtRest()
        presenter.answers { _ in .hold }
        var request = NotificationRequest.sample("a")
        request.content.badge = 5
        try await engine.add(request, attachments: [], for: app)
        let popup = try await presenter.presentations.first(1)[0]
        held.withLock { $0 = popup }
        try await engine.setBadge(0, of: app)
        try await engine.rest()
        #expect(presenter.badges.all == ["\(app) 0", "\(app) 5"])
        #expect(try await engine.store.values(of: AppColumns.badge) == [app: 5])
    }

    /// The dock forgets the number when the store's former process leaves the bus.
    ///
    /// The app does not set the number again.
    @Test func `the engine that adopts a store shows the badges of that store`() async throws {
        let fixture = try EngineFixture()
        let other = StoreLayout(directory: fixture.directory.path + "/other")
        let former = try await fixture.start(presenter: RecordingPresenter(), layout: other)
        try await former.setBadge(3, of: app)
        await former.stop()
        let engine = try await fixture.start()
        await engine.adopt([other])
        #expect(fixture.presenter.badges.all == ["\(app) 3"])
    }
}
