import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@Suite("Posts that the last run left unanswered", .timeLimit(.minutes(2)))
struct UnansweredPostTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin

    init() throws {
        fixture = try EngineFixture()
    }

    /// Such a request once waited until another request started the server.
    @Test func `a post to a server that is gone is repeated although no server runs yet`()
        async throws
    {
        let presenter = fixture.presenter
        presenter.answers { _ in .hold }
        let first = try await fixture.start()
        presenter.emit(.serverIdentified(isPersistent: true, server: ":1.1"))
        try await first.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await first.stop(waiting: .zero)
        presenter.answers { _ in .present }
        let engine = try await fixture.start()
        await engine.untilAtRest()
        #expect(presenter.titles == ["a"], "the same server may still show it")
        presenter.emit(.serverMissing)
        await engine.untilAtRest()
        #expect(presenter.titles == ["a", "a"])
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["a"])
        await engine.stop()
    }
}
