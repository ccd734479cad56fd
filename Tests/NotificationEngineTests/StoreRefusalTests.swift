import Dispatch
import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport
import Testing

/// The engine must retry a refused change for which no caller waits, or the change is lost.
@Suite("Changes that the store refuses for a while", .timeLimit(.minutes(2)))
struct StoreRefusalTests {
    let fixture: EngineFixture
    let app = ApplicationID.tocsin
    var presenter: RecordingPresenter { fixture.presenter }

    init() throws {
        fixture = try EngineFixture()
    }

    /// Makes the store refuse changes such as `DELETE ON request`, until `accept` or `endRefusal`.
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

    /// Makes the store accept all changes again, and advances the clock to the next attempt.
    private func accept(in engine: CenterEngine) async throws {
        try await endRefusal(in: engine)
        fixture.clock.advance(by: .seconds(1))
        await engine.untilAtRest()
    }

    @Test func `dates follow the time zone when the store accepts changes again`() async throws {
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

    @Test func `lost popups come back when the store accepts changes again`() async throws {
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

    @Test func `a loss of popups that is stored late does not include popups of the next server`()
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

    /// The last attempt must reach the store before the store is closed.
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

    @Test
    func `an unanswered post of the last run is listed when the store accepts changes again`()
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

    /// Shows `a` with the number 5 on the app's icon; the store refuses the number.
    private func badged(
        step: @escaping @Sendable (EngineStep) -> Void = { _ in }
    ) async throws -> CenterEngine {
        let engine = try await fixture.start(step: step)
        try await refuse("INSERT ON app", in: engine)
        var request = NotificationRequest.sample("a")
        request.content.badge = 5
        try await engine.add(request, attachments: [], for: app)
        try await presenter.presentations.first(1)
        await engine.untilAtRest()
        #expect(presenter.badges.all == ["\(app) 5"])
        #expect(try await engine.store.values(of: AppColumns.badge).isEmpty)
        return engine
    }

    @Test func `a notification's badge is stored when the store accepts changes again`()
        async throws
    {
        let engine = try await badged()
        try await accept(in: engine)
        #expect(try await engine.store.values(of: AppColumns.badge) == [app: 5])
        await engine.stop()
    }

    @Test func `a refused badge number does not replace a newer number`() async throws {
        let engine = try await badged()
        try await endRefusal(in: engine)
        try await engine.setBadge(7, of: app)
        fixture.clock.advance(by: .seconds(1))
        await engine.untilAtRest()
        #expect(presenter.badges.all.last == "\(app) 7")
        #expect(try await engine.store.values(of: AppColumns.badge) == [app: 7])
        await engine.stop()
    }

    @Test func `a refused badge number does not replace a newer number that is being stored`()
        async throws
    {
        let gate = CommitGate()
        let engine = try await badged { gate.pass($0) }
        try await endRefusal(in: engine)
        gate.close()
        async let newer: Void = engine.setBadge(7, of: app)
        try await gate.arrivals.first(1)
        fixture.clock.advance(by: .seconds(1))
        // Wait until the actor has handled the clock's event and started the retry.
        for _ in 0..<2 { await engine.takeTurn() }
        gate.open()
        try await newer
        await engine.untilAtRest()
        #expect(presenter.badges.all.last == "\(app) 7")
        #expect(try await engine.store.values(of: AppColumns.badge) == [app: 7])
        await engine.stop()
    }

    /// An update of an app may start while a process of its former version connects.
    @Test func `a failed connection does not replace the identity of a later connection`()
        async throws
    {
        let gate = CommitGate()
        let engine = try await fixture.start(step: { gate.pass($0) })
        try await refuse(
            "INSERT ON app WHEN instr(CAST(NEW.identity AS TEXT), 'Former') > 0", in: engine)
        let former = ApplicationIdentity(id: app, name: "Former")
        gate.close()
        let first = Task {
            try await engine.connect(former, asksBeforePresenting: false) { _ in }
        }
        try await gate.arrivals.first(1)
        let second = Task.immediate {
            try await engine.connect(.sample(), asksBeforePresenting: false) { _ in }
        }
        // Wait until the second connection waits for the store.
        for _ in 0..<2 { await engine.takeTurn() }
        gate.open()
        await #expect(throws: NotificationError.self) { try await first.value }
        _ = try await second.value
        #expect(try await engine.permissions().map(\.name) == ["An App"])
        #expect(try await engine.store.values(of: AppColumns.identity)[app]?.name == "An App")
        await engine.stop()
    }
}

/// Holds back the next commit while the gate is closed.
private final class CommitGate: Sendable {
    let arrivals = Recording<EngineStep>()
    private let isClosed = Locked(false)
    private let opening = DispatchSemaphore(value: 0)

    func pass(_ step: EngineStep) {
        guard step == .collected, isClosed.withLock(\.self) else { return }
        arrivals.append(step)
        opening.wait()
    }

    func close() {
        isClosed.withLock { $0 = true }
    }

    func open() {
        isClosed.withLock { $0 = false }
        opening.signal()
    }
}

extension CenterEngine {
    /// Returns after the jobs that already wait for the actor.
    fileprivate func takeTurn() {}
}
