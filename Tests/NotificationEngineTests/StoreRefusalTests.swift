import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// The engine once only logged a refused change for which no caller waited, and so lost it.
@Suite("Changes that the store refuses for a while", .timeLimit(.minutes(2)))
struct StoreRefusalTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    /// Makes the store refuse changes such as `DELETE ON request`, until `accept`.
    private func refuse(_ changes: String, in engine: CenterEngine) async throws {
        try await engine.store.change("changed") { database in
            try database.execute(
                sql: """
                    CREATE TEMP TRIGGER refusal BEFORE \(changes)
                    BEGIN SELECT RAISE(ABORT, 'refused by the test'); END
                    """)
        }
    }

    /// Makes the store accept all changes again.
    private func endRefusal(in engine: CenterEngine) async throws {
        try await engine.store.change("changed") { database in
            try database.execute(sql: "DROP TRIGGER refusal")
        }
    }

    /// Makes the store accept all changes again, and lets the time of the next attempt come.
    private func accept(in engine: CenterEngine) async throws {
        try await endRefusal(in: engine)
        fixture.clock.advance(by: .seconds(1))
        await engine.untilAtRest()
    }

    @Test func `dates follow the time zone once the store accepts the change`() async throws {
        let engine = try await fixture.start()
        try await engine.add(.sample("a", .daily(at: 14)), attachments: [], for: app)
        await engine.untilAtRest()
        let before = try await engine.pending(of: app).map(\.nextFire)
        try await refuse("UPDATE ON request", in: engine)
        fixture.clock.setTimeZone("Europe/London")
        await engine.untilAtRest()
        #expect(try await engine.pending(of: app).map(\.nextFire) == before)
        try await accept(in: engine)
        let later = before.map { $0?.adding(microseconds: 3_600_000_000) }
        #expect(try await engine.pending(of: app).map(\.nextFire) == later)
        await engine.stop()
    }

    /// The identifiers of the popups that came back, in order.
    private var restored: [String] {
        presenter.presentations.all.filter(\.isRestored).map(\.notification.request.identifier)
    }

    /// Starts an engine that has shown `a`.
    private func shown() async throws -> CenterEngine {
        let engine = try await fixture.start()
        try await engine.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        return engine
    }

    @Test func `popups come back when the store accepts that their server lost them`() async throws
    {
        let engine = try await shown()
        try await refuse("UPDATE ON notification", in: engine)
        presenter.becomeUnavailable()
        presenter.becomeAvailable(isPersistent: true)
        await engine.untilAtRest()
        #expect(restored.isEmpty)
        try await accept(in: engine)
        #expect(restored == ["a"])
        await engine.stop()
    }

    @Test func `a loss that is stored late does not concern popups of the next server`()
        async throws
    {
        let engine = try await shown()
        let events = Recording<ServiceEvent>()
        _ = try await engine.connect(.sample(), asksBeforePresenting: true) { events.append($0) }
        try await engine.add(.sample("b"), attachments: [], for: app)
        guard case .willPresent(let token, _) = try await events.first(1)[0] else {
            Issue.record("the app was not asked about b")
            return
        }
        try await refuse("UPDATE ON notification", in: engine)
        let retry = fixture.clock.now().boot + 1_000_000
        presenter.becomeUnavailable()
        try await fixture.clock.armed.first("the retry") { $0.boot == retry }
        presenter.becomeAvailable()
        presenter.emit(.serverIdentified(isPersistent: true, server: ":1.11"))
        await engine.answer(token, with: .all)
        try await presenter.presentations.first(2)
        try await accept(in: engine)
        #expect(restored == ["a"])
        await engine.stop()
    }

    /// The store was once closed before the last attempt reached it.
    @Test func `a response that the store refused is stored when the engine stops`() async throws {
        let engine = try await shown()
        try await refuse("INSERT ON response", in: engine)
        presenter.respond(.sample("a"))
        await engine.untilAtRest()
        #expect(try await engine.status().responseCount == 0)
        try await endRefusal(in: engine)
        await engine.stop()
        let next = try await fixture.start()
        #expect(try await next.status().responseCount == 1)
        await next.stop()
    }

    @Test func `a post that the last run left unanswered is settled when the store accepts it`()
        async throws
    {
        let server = PresenterEvent.serverIdentified(isPersistent: true, server: ":1.1")
        presenter.answers { _ in .hold }
        let first = try await fixture.start()
        presenter.emit(server)
        try await first.add(.sample("a"), attachments: [], for: app)
        try await presenter.presentations.first(1)
        await first.stop(waiting: .zero)
        let engine = try await fixture.start()
        try await refuse("DELETE ON request", in: engine)
        presenter.emit(server)
        await engine.untilAtRest()
        #expect(try await engine.delivered(of: app).isEmpty)
        try await accept(in: engine)
        #expect(try await engine.delivered(of: app).map(\.request.identifier) == ["a"])
        #expect(try await engine.pending(of: app).isEmpty)
        #expect(presenter.titles == ["a"])
        await engine.stop()
    }
}
