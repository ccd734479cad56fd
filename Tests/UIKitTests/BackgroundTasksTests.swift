import Testing
import UIKit

/// The time of background tasks, at instants that the test chooses.
@Suite struct BackgroundTasksTests {
    private let start = ContinuousClock.now
    private var tasks = BackgroundTasks()

    private func at(_ seconds: Int) -> BackgroundTasks.Instant { start + .seconds(seconds) }

    @Test mutating func `a task in the foreground has no deadline`() {
        #expect(tasks.start(now: start) == 1)
        #expect(tasks.remaining(now: at(1000)) == nil)
        #expect(tasks.nextDeadline == nil)
        #expect(tasks.removeExpired(now: at(1000)) == [])
        #expect(!tasks.isEmpty)
    }

    @Test mutating func `a task has 30 seconds after the app enters the background`() {
        let id = tasks.start(now: start)
        tasks.enterBackground(now: at(100))
        #expect(tasks.remaining(now: at(110)) == .seconds(20))
        #expect(tasks.removeExpired(now: at(129)) == [])
        #expect(tasks.removeExpired(now: at(130)) == [id])
        #expect(tasks.isEmpty)
        let wasRunning = tasks.finish(id)
        #expect(!wasRunning)
    }

    @Test mutating func `a task that starts in the background has its own 30 seconds`() {
        let first = tasks.start(now: start)
        tasks.enterBackground(now: start)
        let second = tasks.start(now: at(20))
        #expect(tasks.nextDeadline == at(30))
        #expect(tasks.removeExpired(now: at(40)) == [first])
        #expect(tasks.remaining(now: at(40)) == .seconds(10))
        let wasRunning = tasks.finish(second)
        #expect(wasRunning)
        #expect(tasks.remaining(now: at(60)) == .seconds(30))
    }

    @Test mutating func `a return to the foreground stops the countdown`() {
        _ = tasks.start(now: start)
        tasks.enterBackground(now: start)
        tasks.enterForeground()
        #expect(tasks.remaining(now: at(60)) == nil)
        #expect(tasks.removeExpired(now: at(60)) == [])
        tasks.enterBackground(now: at(60))
        #expect(tasks.remaining(now: at(60)) == .seconds(30))
    }

    @Test mutating func `when the process is asked to end, each task has at most 5 seconds`() {
        let first = tasks.start(now: start)
        tasks.enterBackground(now: start)
        tasks.limit(now: at(28))
        let second = tasks.start(now: at(28))
        #expect(tasks.remaining(now: at(28)) == .seconds(2))
        #expect(tasks.removeExpired(now: at(33)) == [first, second])
    }

    @Test mutating func `a sleep ends every task`() {
        let ids = [tasks.start(now: start), tasks.start(now: start)]
        #expect(tasks.removeAll() == ids)
        #expect(tasks.isEmpty)
    }
}
