import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Reactor

@Suite(.timeLimit(.minutes(2))) struct ReactorTests {
    @Test func `work is done in the order of the calls on one thread`() async {
        let reactor = Reactor.started("order")
        defer { reactor.stop() }
        let log = Log()
        for number in 0..<1_000 { reactor.perform { log.append(number) } }
        await settle(reactor)
        #expect(log.values == Array(0..<1_000))
        #expect(!reactor.isCurrent)
    }

    @Test func `all work of many threads is done, in each thread's order`() async {
        let reactor = Reactor.started()
        defer { reactor.stop() }
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for number in 0..<2_000 {
                        reactor.perform { log.append(worker * 10_000 + number) }
                    }
                }
            }
        }
        await settle(reactor)
        for worker in 0..<8 {
            let own = log.values.filter { $0 / 10_000 == worker }.map { $0 % 10_000 }
            #expect(own == Array(0..<2_000))
        }
    }

    @Test func `an actor runs on the reactor, and a handler on the reactor enters the actor`() async
    {
        let reactor = Reactor.started()
        defer { reactor.stop() }
        let counter = Counter(reactor: reactor)
        await counter.add(1)
        await withCheckedContinuation { continuation in
            reactor.perform {
                counter.assumeIsolated { $0.add(2) }
                continuation.resume()
            }
        }
        #expect(await counter.total == 3)
        #expect(await counter.isOnReactor)
    }

    @Test func `a watch reports data until it is cancelled`() async throws {
        let reactor = Reactor.started()
        defer { reactor.stop() }
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { for end in [reading, writing] { close(end) } }
        let log = Log()
        let holder = Holder<DescriptorWatch>()
        await onReactor(reactor) {
            holder.value = reactor.watch(reading, for: .readable) { events in
                var byte: UInt8 = 0
                if events.contains(.readable), read(reading, &byte, 1) == 1 {
                    log.append(Int(byte))
                }
            }
        }
        for byte in UInt8(1)...3 {
            let one = [byte]
            #expect(write(writing, one, 1) == 1)
        }
        await log.wait(for: 3)
        #expect(log.values == [1, 2, 3])
        await onReactor(reactor) {
            holder.value?.cancel()
            holder.value = nil
        }
        let one: [UInt8] = [4]
        #expect(write(writing, one, 1) == 1)
        // After these two calls, the reactor has polled twice.
        await onReactor(reactor) {}
        await onReactor(reactor) {}
        #expect(log.values == [1, 2, 3])
    }

    @Test func `a watch ends with its object, on whichever thread the object is released`() async {
        let reactor = Reactor.started()
        defer { reactor.stop() }
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let log = Log()
        let holder = Holder<DescriptorWatch>()
        await onReactor(reactor) {
            holder.value = reactor.watch(reading, for: .readable) { _ in log.append(1) }
        }
        holder.value = nil
        await settle(reactor)
        close(writing)
        await onReactor(reactor) {}
        await onReactor(reactor) {}
        #expect(log.values.isEmpty)
        close(reading)
    }

    @Test func `deadlines fire in their order, and a cancelled deadline never fires`() async {
        let reactor = Reactor.started()
        defer { reactor.stop() }
        let log = Log()
        await onReactor(reactor) {
            reactor.deadline(after: .milliseconds(20)) { log.append(3) }
            reactor.deadline(after: .milliseconds(10)) { log.append(1) }
            let cancelled = reactor.deadline(after: .milliseconds(12)) { log.append(99) }
            reactor.deadline(after: .milliseconds(10)) { log.append(2) }
            reactor.deadline(after: .seconds(-5)) { log.append(0) }
            reactor.deadline(after: .seconds(Int64.max)) { log.append(98) }
            cancelled.cancel()
            cancelled.cancel()
        }
        await log.wait(for: 4)
        #expect(log.values == [0, 1, 2, 3])
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `deadlines are sorted by their due time, and then by age`(seed: UInt64) {
        let reactor = Reactor.started()
        defer { reactor.stop() }
        var random = SeededGenerator(seed: seed)
        var list = DeadlineList()
        var expected: [Deadline] = []
        for sequence in UInt64(0)..<2_000 {
            let deadline = Deadline(
                reactor: reactor, due: .random(in: 0..<300, using: &random), sequence: sequence
            ) {}
            list.insert(deadline)
            expected.append(deadline)
            if sequence % 3 == 0, let victim = expected.randomElement(using: &random) {
                list.remove(victim)
                list.remove(victim)
                expected.removeAll { $0 === victim }
            }
        }
        expected.sort { ($0.due, $0.sequence) < ($1.due, $1.sequence) }
        var found: [UInt64] = []
        while let earliest = list.earliest {
            list.remove(earliest)
            found.append(earliest.sequence)
        }
        #expect(found == expected.map(\.sequence))
    }

    @Test func `a stopped reactor drops deadlines and still finishes tasks`() async {
        let reactor = Reactor.started()
        let counter = Counter(reactor: reactor)
        let log = Log()
        await onReactor(reactor) {
            reactor.deadline(after: .zero) { log.append(1) }
            reactor.stop()
        }
        reactor.stop()
        await counter.add(5)
        await settle(reactor)
        #expect(await counter.total == 5)
        #expect(log.values.isEmpty)
    }

    @Test func `a call from another thread than the reactor's stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let reactor = Reactor.started()
            reactor.deadline(after: .zero) {}
        }
    }
}
