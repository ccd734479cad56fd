import Reactor
import Testing

@testable import UserNotifications

/// The report that nothing serves the main queue of a program.
@Suite struct MainQueueWatchTests {
    /// Delays that end when the test ends them.
    private final class Delays: Sendable {
        private let waiting = Locked<[@Sendable () -> Void]>([])

        var work: DelayedWork {
            DelayedWork { [waiting] _, work in waiting.withLock { $0.append(work) } }
        }

        var count: Int { waiting.withLock { $0.count } }

        func endAll() {
            let works = waiting.withLock { works in
                defer { works = [] }
                return works
            }
            for work in works { work() }
        }
    }

    private let delays = Delays()
    private let reports = Locked(0)

    private func watch(hasDelegate: Bool = true) -> MainQueueWatch {
        MainQueueWatch(delays: delays.work) { [reports] in
            if hasDelegate { reports.withLock { $0 += 1 } }
            return hasDelegate
        }
    }

    @Test func `an event that the main queue does not handle is reported once`() {
        let watch = watch()
        watch.eventSent()
        delays.endAll()
        watch.eventSent()
        delays.endAll()
        #expect(reports.withLock(\.self) == 1)
        #expect(delays.count == 0)
    }

    @Test func `events that the main queue handles are never reported`() {
        let watch = watch()
        for _ in 0..<3 {
            watch.eventSent()
            watch.eventSent()
            watch.eventTaken()
            watch.eventTaken()
            delays.endAll()
        }
        #expect(reports.withLock(\.self) == 0)
        #expect(delays.count == 0, "no timer runs while no event waits")
    }

    @Test func `a main queue that a program stops serving is reported`() {
        let watch = watch()
        watch.eventSent()
        watch.eventTaken()
        watch.eventSent()
        delays.endAll()
        #expect(reports.withLock(\.self) == 0)
        #expect(delays.count == 1)
        delays.endAll()
        #expect(reports.withLock(\.self) == 1)
    }

    @Test func `without a delegate nothing is reported, and the next event is watched`() {
        let silent = watch(hasDelegate: false)
        silent.eventSent()
        delays.endAll()
        silent.eventSent()
        #expect(delays.count == 1)
        delays.endAll()
        #expect(reports.withLock(\.self) == 0)
    }

    /// The event starts no watch, so the present watch must check the event before it ends.
    @Test func `an event that comes while a check looks for a delegate is watched`() {
        let sender = Sender()
        let watch = MainQueueWatch(delays: delays.work) {
            sender.send()
            return false
        }
        sender.set(watch)
        watch.eventSent()
        delays.endAll()
        #expect(delays.count == 1)
        delays.endAll()
        #expect(delays.count == 0, "the second check sends no event, so no third check follows")
    }

    /// Sends one event from within a report.
    private final class Sender: Sendable {
        private let watch = Locked<MainQueueWatch?>(nil)

        func set(_ watch: MainQueueWatch) { self.watch.withLock { $0 = watch } }

        func send() {
            let watch = self.watch.withLock { watch in
                defer { watch = nil }
                return watch
            }
            watch?.eventSent()
        }
    }
}
