import Reactor
import TestSupport
import Testing

/// A value that another thread gives to a waiting task.
@Suite(.timeLimit(.minutes(2))) struct PromiseTests {
    /// An actor on a reactor that records on which thread its tasks resumed.
    private actor Waiter: ReactorActor {
        nonisolated let reactor: Reactor
        let log = Recording<Int>()
        /// Gets an element for each task that is about to wait.
        let arrivals = Recording<Int>()

        init() throws {
            reactor = try Reactor(name: "waiter")
        }

        deinit {
            reactor.stop()
        }

        func wait(for promises: [Promise<Int>]) async {
            let tasks = promises.map { promise in
                Task {
                    arrivals.append(1)
                    let value = await promise.value()
                    log.append(reactor.isCurrent ? value : -1)
                }
            }
            for task in tasks { await task.value }
        }

        /// Returns after the jobs that already wait for the actor.
        func takeTurn() {}
    }

    @Test func `tasks resume in the order in which another thread gave the values`() async throws {
        let (waiter, giver) = (try Waiter(), try Reactor(name: "giver"))
        defer { giver.stop() }
        let promises = (0..<1_000).map { _ in Promise<Int>() }
        async let end: Void = waiter.wait(for: promises)
        try await waiter.arrivals.first(1_000)
        await waiter.takeTurn()
        giver.perform {
            for (index, promise) in promises.enumerated().reversed() { promise.fulfill(index) }
        }
        await end
        #expect(waiter.log.all == Array((0..<1_000).reversed()))
    }

    @Test func `a fulfilled promise gives its first value at once, and keeps it`() async throws {
        let promise = Promise<Int>()
        promise.fulfill(1)
        promise.fulfill(2)
        #expect(await promise.value() == 1)
        #expect(await promise.value() == 1)
        let waiter = try Waiter()
        await waiter.wait(for: [promise])
        #expect(waiter.log.all == [1])
    }

    @Test func `every task that waits gets the value`() async throws {
        let (waiter, promise) = (try Waiter(), Promise<Int>())
        async let end: Void = waiter.wait(for: [promise, promise, promise])
        try await waiter.arrivals.first(3)
        await waiter.takeTurn()
        promise.fulfill(7)
        await end
        #expect(waiter.log.all == [7, 7, 7])
    }
}
