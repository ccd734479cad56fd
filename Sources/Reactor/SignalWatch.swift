internal import CLinux
internal import Glibc

/// Signals of the system as events, on the reactor's thread, in place of what they would do.
///
/// They are blocked while it is there, so make it in a program's first thread before others are
/// started. Use it on the reactor's thread only.
public final class SignalWatch {
    private let blocked: Blocked
    private var watch: DescriptorWatch?

    /// Watches signals; `handler` gets the number of one, and whether a process sent it: what a
    /// terminal sends has reached every process of its foreground group.
    public convenience init(
        _ signals: [Int32], on reactor: Reactor,
        handler: @escaping (_ signal: Int32, _ isOfProcess: Bool) -> Void
    ) throws(SystemFailure) {
        self.init(try Blocked(signals), on: reactor, handler: handler)
    }

    /// Watches signals that were blocked before there was a reactor.
    public init(
        _ blocked: Blocked, on reactor: Reactor,
        handler: @escaping (_ signal: Int32, _ isOfProcess: Bool) -> Void
    ) {
        let descriptor = blocked.descriptor
        self.blocked = blocked
        watch = reactor.watch(descriptor, for: .readable) { _ in
            var isOfProcess: Int32 = 0
            let signal = clinux_read_signal(descriptor, &isOfProcess)
            if signal > 0 { handler(signal, isOfProcess != 0) }
        }
    }

    /// Signals that are blocked for the thread that made it and those that it starts, until they are
    /// watched no more.
    public final class Blocked: Sendable {
        private let signals: [Int32]
        fileprivate let descriptor: Int32

        /// Blocks signals.
        public init(_ signals: [Int32]) throws(SystemFailure) {
            let descriptor = clinux_open_signals(signals, Int32(signals.count))
            let failure = SystemFailure(code: errno)
            self.signals = signals
            self.descriptor = descriptor
            // Without a descriptor they are better taken by the system than by nobody.
            guard descriptor >= 0 else { throw failure }
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
            var set = sigset_t()
            sigemptyset(&set)
            for signal in signals { sigaddset(&set, signal) }
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
    }
}
