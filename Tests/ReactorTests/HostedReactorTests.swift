import Glibc
import Reactor
import TestSupport
import Testing

/// A reactor that runs on its caller's thread, and tasks that run only on that thread.
@Suite(.timeLimit(.minutes(2))) struct HostedReactorTests {
    @Test
    func `work that was submitted before the run is done first, on the caller's thread`() {
        let reactor = Reactor.hosted("hosted")
        let log = Log()
        for number in 0..<100 { reactor.perform { log.append(number) } }
        #expect(log.values.isEmpty)
        let lender = UInt(pthread_self())
        reactor.perform {
            log.append(UInt(pthread_self()) == lender ? 100 : -1)
            reactor.stop()
        }
        reactor.run()
        #expect(log.values == Array(0...100))
        #expect(!reactor.isCurrent)
    }

    @Test func `a deadline fires on a reactor that runs on its caller's thread`() {
        let reactor = Reactor.hosted("hosted")
        let log = Log()
        reactor.perform {
            reactor.deadline(after: .milliseconds(1)) {
                log.append(1)
                reactor.stop()
            }
        }
        reactor.run()
        #expect(log.values == [1])
    }

    /// This test needs a separate process, because a process has only one hook for global tasks.
    @Test func `after takeGlobalTasks, a global task always runs on the reactor's thread`()
        async
    {
        await #expect(processExitsWith: .success) {
            let reactor = Reactor.hosted("hosted")
            reactor.takeGlobalTasks()
            let log = Log()
            let counter = Counter(reactor: reactor)
            let plain = PlainActor()
            Task.detached {
                log.append(reactor.isCurrent ? 1 : -1)
                log.append(await Self.isCurrent(reactor) ? 2 : -2)
                log.append(await plain.isCurrent(reactor) ? 3 : -3)
                await counter.add(1)
                log.append(await counter.isOnReactor ? 4 : -4)
                async let child = Self.isCurrent(reactor)
                log.append(await child ? 5 : -5)
                log.append(reactor.isCurrent ? 6 : -6)
                reactor.stop()
            }
            reactor.run()
            #expect(log.values == [1, 2, 3, 4, 5, 6])
        }
    }

    @Test func `work that is submitted after the reactor's end is done on a separate thread`() async
    {
        let reactor = Reactor.hosted("hosted")
        reactor.stop()
        reactor.run()
        let threads = await withCheckedContinuation {
            (continuation: CheckedContinuation<[UInt], Never>) in
            let caller = UInt(pthread_self())
            reactor.perform { continuation.resume(returning: [caller, UInt(pthread_self())]) }
        }
        #expect(threads[0] != threads[1])
    }

    private static func isCurrent(_ reactor: Reactor) async -> Bool { reactor.isCurrent }

    private actor PlainActor {
        func isCurrent(_ reactor: Reactor) -> Bool { reactor.isCurrent }
    }
}
