import CLinux
import Glibc

/// One timerfd, armed for one absolute instant of its clock; use it on the reactor's thread only.
public final class ReactorTimer {
    private let clock: TimerClock
    private let descriptor: Int32
    private let handler: (TimerEvent) -> Void
    private let reactor: Reactor
    private var watch: DescriptorWatch?

    // To disarm a timer on the wall clock, set this far expiration. A timerfd without an expiration
    // does not report that the clock was set.
    private static let farAway: Int64 = 9_000_000_000_000_000

    init(
        reactor: Reactor, clock: TimerClock, handler: @escaping (TimerEvent) -> Void
    ) throws(ReactorError) {
        let source = clock == .realtime ? CLOCK_REALTIME : CLOCK_BOOTTIME
        descriptor = timerfd_create(source, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw ReactorError(
                message: "Could not create a timer: \(SystemFailure(code: errno)). "
                    + "Close descriptors or raise the limit (ulimit -n).")
        }
        self.reactor = reactor
        self.clock = clock
        self.handler = handler
        watch = reactor.watch(descriptor, for: .readable) { [weak self] _ in self?.read() }
        arm(atMicroseconds: nil)
    }

    deinit {
        // End the watch before the close, because poll(2) must not get a closed descriptor.
        watch = nil
        close(descriptor)
    }

    /// Arms the timer for an absolute instant of its clock, in microseconds.
    ///
    /// A past instant fires at once; nil disarms the timer. A disarmed timer on the wall clock
    /// still reports `clockSet`.
    public func arm(atMicroseconds moment: Int64?) {
        guard watch != nil else { return }
        let disarmed = clock == .realtime ? Self.farAway : 0
        let microseconds = moment.map { min($0, Self.farAway) } ?? disarmed
        // The value zero would disarm the timer, so a past instant becomes the clock's first
        // nanosecond.
        let isPast = moment != nil && microseconds <= 0
        let failure = clinux_timer_arm(
            descriptor, isPast ? 0 : microseconds / 1_000_000,
            isPast ? 1 : microseconds % 1_000_000 * 1_000, clock == .realtime ? 1 : 0)
        if failure == ECANCELED {
            reactor.deadline(after: .zero) { [weak self] in self?.report(.clockSet) }
        }
    }

    /// Ends the timer; its handler does not run again.
    public func cancel() {
        watch?.cancel()
        watch = nil
    }

    private func read() {
        var expirations: UInt64 = 0
        let count = Glibc.read(descriptor, &expirations, MemoryLayout<UInt64>.size)
        if count == MemoryLayout<UInt64>.size {
            report(.expired)
        } else if errno == ECANCELED {
            report(.clockSet)
        }
    }

    private func report(_ event: TimerEvent) {
        guard watch != nil else { return }
        handler(event)
    }
}
