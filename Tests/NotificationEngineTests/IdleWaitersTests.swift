import NotificationModel
import Reactor
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// Calls that wait until an app is idle share one query of the store, and all are answered.
@Suite(.timeLimit(.minutes(2))) struct IdleWaitersTests {
    private static let question = IdleWaiters.Question(app: .tocsin, includesPopups: true)

    @Test func `a hundred calls share the queries of the store, and one answer ends all calls`()
        async throws
    {
        let looks = Recording<Int>()
        let board = Board(looks)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 as Range<UInt64> {
                group.addTask { _ = await board.wait(number, Self.question) }
            }
            await board.full(100)
            // The store is queried once for the first call, and once for all later calls.
            #expect(await board.lookEnded(Self.question, nil))
            #expect(await !board.lookEnded(Self.question, nil))
            #expect(looks.all.count == 1)
            #expect(await board.questionsToAsk([.tocsin]) == [Self.question])
            #expect(await board.questionsToAsk([.tocsin]).isEmpty, "the query is under way")
            #expect(
                await board.lookEnded(Self.question, .success(())),
                "a query was requested during this query, so another one follows")
            #expect(await !board.lookEnded(Self.question, .success(())))
            await group.waitForAll()
        }
        #expect(await board.count == 0)
        #expect(await board.questionsToAsk(nil).isEmpty)
    }

    @Test func `the end of another app's work starts no query of the store`() async throws {
        let board = Board(Recording())
        let task = Task { await board.wait(1, Self.question) }
        await board.full(1)
        #expect(await !board.lookEnded(Self.question, nil))
        let other = try ApplicationID("org.other")
        #expect(await board.questionsToAsk([other]).isEmpty)
        await board.remove(1, Self.question)
        guard case .failure = await task.value else {
            Issue.record("a removed call must get an error")
            return
        }
        #expect(await board.questionsToAsk(nil).isEmpty)
    }

    @Test func `a cancelled wait returns and leaves no waiter`() async throws {
        let fixture = try EngineFixture(presenter: RecordingPresenter(isAvailable: false))
        let engine = try await fixture.start()
        try await engine.add(.after(1_000, "later"), attachments: [], for: .tocsin)
        for _ in 0..<20 {
            let waits = (0..<5).map { _ in
                Task.immediateDetached {
                    try await engine.waitUntilIdle(.tocsin, includingPopups: true)
                }
            }
            for wait in waits { wait.cancel() }
            for wait in waits {
                await #expect(throws: NotificationError.self) { try await wait.value }
            }
        }
        #expect(await engine.idleWaiters.count == 0)
        let wait = Task.immediateDetached {
            try await engine.waitUntilIdle(.tocsin, includingPopups: true)
        }
        try await engine.removePending(.all, of: .tocsin)
        try await wait.value
        await engine.stop()
    }

    @Test func `a cancelled request for permission withdraws its question`() async throws {
        let fixture = try EngineFixture()
        let engine = try await fixture.start()
        let request = Task.immediateDetached {
            try await engine.requestAuthorization(.all, for: .tocsin)
        }
        _ = try await fixture.presenter.presentations.first(1)
        request.cancel()
        await #expect(throws: NotificationError.self) { _ = try await request.value }
        let question = PermissionPopup.key(of: .tocsin)
        #expect(try await fixture.presenter.withdrawn.first(1) == [question])
        #expect(await engine.state.asking.isEmpty)
        #expect(await engine.permissionWaiters.isEmpty)
        await engine.stop()
    }
}

/// An actor around the waiters, so that tasks can share them.
private actor Board {
    private var waiters = IdleWaiters()
    private let looks: Recording<Int>
    private var fullness: (count: Int, end: Promise<Void>)?

    init(_ looks: Recording<Int>) {
        self.looks = looks
    }

    var count: Int { waiters.count }

    func wait(_ number: UInt64, _ question: IdleWaiters.Question) async -> IdleWaiters.Answer {
        let answer = Promise<IdleWaiters.Answer>()
        if waiters.add(number, question, answer) { looks.append(1) }
        if let fullness, waiters.count >= fullness.count {
            fullness.end.fulfill(())
            self.fullness = nil
        }
        return await answer.value()
    }

    func full(_ count: Int) async {
        guard waiters.count < count else { return }
        let end = Promise<Void>()
        fullness = (count, end)
        await end.value()
    }

    func lookEnded(_ question: IdleWaiters.Question, _ answer: IdleWaiters.Answer?) -> Bool {
        waiters.lookEnded(question, answer)
    }

    func questionsToAsk(_ apps: Set<ApplicationID>?) -> [IdleWaiters.Question] {
        waiters.questionsToAsk(of: apps)
    }

    func remove(_ number: UInt64, _ question: IdleWaiters.Question) {
        waiters.remove(number, question, .failure(NotificationError(.noDaemon, "left")))
    }
}
