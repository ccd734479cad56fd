import Glibc
import Reactor
import TestSupport
import Testing

/// Work that may hang: its caller gets an answer by the deadline, and other owners' work goes on.
@Suite(.timeLimit(.minutes(2))) final class HangingWorkTests {
    private let reactor = Reactor.started("test")
    private var ends: [Int32] = [-1, -1]

    init() {
        _ = pipe(&ends)
    }

    deinit {
        for end in ends where end >= 0 { close(end) }
        reactor.stop()
    }

    /// Reads from a pipe that nobody writes to, as from a file system that is gone.
    private func hang() -> @Sendable () -> Int {
        let end = ends[0]
        return {
            var byte: UInt8 = 0
            return read(end, &byte, 1)
        }
    }

    @Test func `work gives its result`() async {
        let files = HangingWork(reactor: reactor)
        for number in 0..<50 {
            #expect(await files.result(for: "a", within: .seconds(60)) { number } == number)
        }
    }

    @Test func `work that hangs is given up, and later work of its owner fails at once`() async {
        let files = HangingWork(reactor: reactor)
        let late = Log()
        let given = await files.result(for: "a", within: .milliseconds(20), hang()) { count in
            late.append(count)
        }
        #expect(given == nil)
        // A call that waits for this deadline fails the test by its time limit.
        #expect(await files.result(for: "a", within: .seconds(3_600)) { 1 } == nil)
        #expect(await files.result(for: "b", within: .seconds(60)) { 1 } == 1)
        _ = write(ends[1], "x", 1)
        await late.wait(for: 1)
        #expect(
            late.values == [1],
            "the caller gets the late result, so that it can remove what the work made")
    }

    @Test func `work beyond the number of threads waits, and all of it is done`() async {
        let files = HangingWork(reactor: reactor)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<400 {
                group.addTask {
                    await files.result(for: "\(number % 7)", within: .seconds(60)) { 1 } ?? 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 400)
    }

    /// The system refuses new threads, as it does at the limit of processes.
    @Test func `if no new thread can start, all work is done, and work that hangs is given up`()
        async
    {
        let files = HangingWork(reactor: reactor) { _ in false }
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask {
                    await files.result(for: "\(number % 7)", within: .seconds(60)) { 1 } ?? 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(sum == 100)
        #expect(await files.result(for: "a", within: .milliseconds(20), hang()) == nil)
        #expect(
            await files.result(for: "b", within: .milliseconds(20)) { 1 } == nil,
            "without new threads, one job runs at a time")
        // This work waits, and runs when the hanging work has ended.
        async let after = files.result(for: "c", within: .seconds(60)) { 1 }
        _ = write(ends[1], "x", 1)
        #expect(await after == 1)
    }

    /// After the result nil, the caller expects no effect of the work.
    @Test func `work whose thread begins only after the deadline is never done`() async throws {
        let bodies = Recording<@Sendable () -> Void>()
        let files = HangingWork(reactor: reactor) { body in
            bodies.append(body)
            return true
        }
        let done = Log()
        let given = await files.result(for: "a", within: .milliseconds(20)) {
            done.append(1)
            return 1
        }
        #expect(given == nil)
        #expect(bodies.all.count == 1)
        for body in bodies.all { body() }
        #expect(done.values.isEmpty)
        // The thread is free again, and no work of the owner counts as hanging.
        async let next = files.result(for: "a", within: .seconds(60)) { 2 }
        try await bodies.wait(for: "the next thread") { $0.count == 2 }
        bodies.all.last?()
        #expect(await next == 2)
    }

    @Test func `work of another owner is done although the work of many owners hangs`() async {
        let files = HangingWork(reactor: reactor)
        let hang = hang()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    for _ in 0..<8 {
                        _ = await files.result(for: "\(number)", within: .milliseconds(20), hang)
                    }
                }
            }
        }
        #expect(await files.result(for: "other", within: .seconds(60)) { 1 } == 1)
        for _ in 0..<12 { _ = write(ends[1], "x", 1) }
    }
}
