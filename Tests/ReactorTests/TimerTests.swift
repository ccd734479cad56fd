import Glibc
import Reactor
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct TimerTests {
    @Test(arguments: [TimerClock.realtime, .boottime])
    func `a timer fires at its moment and not before`(clock: TimerClock) async {
        let (reactor, log, holder) = (Reactor.started(), Log(), Holder<ReactorTimer>())
        let due = now(clock) + 20_000
        await onReactor(reactor) {
            holder.value = try? reactor.timer(clock) { event in
                log.append(event == .expired && now(clock) >= due ? 1 : 0)
            }
            holder.value?.arm(atMicroseconds: due)
            recordLateness(in: log, on: reactor)
        }
        await log.wait(for: 1)
        #expect(log.values == [1])
        await stopReactor(reactor, holder)
    }

    @Test(arguments: [TimerClock.realtime, .boottime], [Int64.min, -1, 0, 1])
    func `a timer for a moment in the past fires at once`(clock: TimerClock, moment: Int64) async {
        let (reactor, log, holder) = (Reactor.started(), Log(), Holder<ReactorTimer>())
        await onReactor(reactor) {
            holder.value = try? reactor.timer(clock) { log.append($0 == .expired ? 1 : 0) }
            holder.value?.arm(atMicroseconds: moment)
            recordLateness(in: log, on: reactor)
        }
        await log.wait(for: 1)
        #expect(log.values == [1])
        await stopReactor(reactor, holder)
    }

    @Test(arguments: [TimerClock.realtime, .boottime])
    func `a disarmed or cancelled timer does not fire`(clock: TimerClock) async {
        let (reactor, log, holder) = (Reactor.started(), Log(), Holder<ReactorTimer>())
        let (second, witness) = (Holder<ReactorTimer>(), Log())
        await onReactor(reactor) {
            let due = now(clock) + 5_000
            holder.value = try? reactor.timer(clock) { _ in log.append(1) }
            holder.value?.arm(atMicroseconds: due)
            holder.value?.arm(atMicroseconds: nil)
            second.value = try? reactor.timer(clock) { _ in log.append(2) }
            second.value?.arm(atMicroseconds: .max)
            second.value?.arm(atMicroseconds: due)
            second.value?.cancel()
            second.value?.arm(atMicroseconds: 1)
            reactor.deadline(after: .milliseconds(10)) { witness.append(1) }
        }
        await witness.wait(for: 1)
        #expect(log.values.isEmpty)
        await onReactor(reactor) { second.value = nil }
        await stopReactor(reactor, holder)
    }

    private func stopReactor(_ reactor: Reactor, _ holder: Holder<ReactorTimer>) async {
        await onReactor(reactor) { holder.value = nil }
        reactor.stop()
    }
}

/// Appends 2 to the log if the log is still empty after half a second.
///
/// If the reactor's thread stalls, the timer and the first deadline may be due together. The second
/// deadline waits for one more turn of the reactor's loop, which handles the timer first.
private func recordLateness(in log: Log, on reactor: Reactor) {
    reactor.deadline(after: .milliseconds(500)) {
        reactor.deadline(after: .zero) {
            if log.values.isEmpty { log.append(2) }
        }
    }
}

private func now(_ clock: TimerClock) -> Int64 {
    var time = timespec()
    clock_gettime(clock == .realtime ? CLOCK_REALTIME : CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}
