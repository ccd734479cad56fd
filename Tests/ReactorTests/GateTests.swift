import Reactor
import TestSupport
import Testing

/// The gate at which an actor's tasks wait, and the queue of work that they share.
@Suite(.timeLimit(.minutes(2))) struct GateTests {
    /// An actor with a gate, a queue of work, and a log of its tasks.
    ///
    /// It runs on a reactor, which resumes tasks in order.
    private actor Stage: ReactorActor {
        nonisolated let reactor: Reactor
        var gate = AsyncGate<Int>()
        var drain = SerialDrain<Int>()
        let log = Recording<Int>()
        /// Gets an element for each task that is about to wait.
        let arrivals = Recording<Int>()

        init() throws {
            reactor = try Reactor(name: "gate")
        }

        deinit {
            reactor.stop()
        }

        func waitAtGate(adding number: Int) async {
            let promise = gate.valuePromise()
            arrivals.append(number)
            log.append(await promise.value() + number)
        }

        func change(_ change: @Sendable (inout AsyncGate<Int>) -> Void) {
            change(&gate)
        }

        /// Works through a queue; the element 1 adds two more elements.
        func work(_ elements: [Int], suspending: Bool) async {
            drain.waiting += elements
            guard drain.startDraining() else { return }
            while let element = drain.next() {
                if element == 1 { await work([11, 12], suspending: suspending) }
                if suspending { await Task.yield() }
                log.append(element)
            }
        }
    }

    @Test func `tasks at a closed gate pass in their order when the gate opens`() async throws {
        let stage = try Stage()
        let tasks = (0..<20).map { number in
            Task.immediate { await stage.waitAtGate(adding: number) }
        }
        try await stage.arrivals.wait(for: "the tasks") { $0.count == 20 }
        #expect(stage.log.all.isEmpty)
        let order = stage.arrivals.all
        await stage.change { $0.open(100) }
        for task in tasks { await task.value }
        #expect(stage.log.all == order.map { $0 + 100 })
    }

    @Test func `an open gate lets a task pass with the last value of the gate`() async throws {
        let stage = try Stage()
        await stage.change { $0.open(1) }
        await stage.change { $0.open(2) }
        await stage.waitAtGate(adding: 0)
        #expect(stage.log.all == [2])
    }

    @Test func `a closed gate that has released one task makes the next task wait`() async throws {
        let stage = try Stage()
        await stage.change { gate in
            gate.open(1)
            gate.close()
        }
        let first = Task { await stage.waitAtGate(adding: 0) }
        try await stage.arrivals.wait(for: "the first task") { $0.count == 1 }
        await stage.change { $0.release(5) }
        await first.value
        let second = Task { await stage.waitAtGate(adding: 0) }
        try await stage.arrivals.wait(for: "the second task") { $0.count == 2 }
        #expect(await stage.gate.hasWaiters)
        #expect(await !stage.gate.isOpen)
        await stage.change { $0.open(7) }
        await second.value
        #expect(stage.log.all == [5, 7])
    }

    @Test(arguments: [false, true])
    func `a running drain also does the work that is added during the run`(
        suspending: Bool
    ) async throws {
        let stage = try Stage()
        await stage.work([0, 1, 2], suspending: suspending)
        #expect(stage.log.all == [0, 1, 2, 11, 12])
        await stage.work([3], suspending: suspending)
        #expect(stage.log.all.last == 3)
    }

    @Test func `a drain ends when its remaining elements are removed`() {
        var drain = SerialDrain<Int>()
        let beginsEmpty = drain.startDraining()
        drain.waiting = [1, 2, 3]
        let begins = [drain.startDraining(), drain.startDraining()]
        #expect(!beginsEmpty)
        #expect(begins == [true, false])
        let first = drain.next()
        let removed = drain.removeAll()
        let second = drain.next()
        #expect(first == 1)
        #expect(removed == [2, 3])
        #expect(second == nil)
        drain.waiting = [4]
        let beginsAgain = drain.startDraining()
        #expect(beginsAgain)
    }

    @Test func `a drain ends in a pause, and begins again after the pause`() {
        var drain = SerialDrain<Int>()
        drain.waiting = [1, 2]
        let begins = drain.startDraining()
        let first = drain.next()
        drain.isPaused = true
        let inPause = drain.next()
        let beginsInPause = drain.startDraining()
        drain.isPaused = false
        let beginsAfterwards = drain.startDraining()
        let second = drain.next()
        #expect([begins, beginsInPause, beginsAfterwards] == [true, false, true])
        #expect([first, inPause, second] == [1, nil, 2])
    }
}
