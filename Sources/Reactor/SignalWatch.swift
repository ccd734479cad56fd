internal import CLinux
internal import Glibc

/// Signals of the system as events, on the reactor's thread, in place of what they would do.
///
/// They are blocked while it is there, so make it in a program's first thread before others are
/// started. Use it on the reactor's thread only.
public final class SignalWatch {
    private let signals: [Int32]
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// Watches signals; `handler` gets the number of one, and whether a process sent it: what a
    /// terminal sends has reached every process of its foreground group.
    public init(
        _ signals: [Int32], on reactor: Reactor,
        handler: @escaping (_ signal: Int32, _ isOfProcess: Bool) -> Void
    ) throws(SystemFailure) {
        let descriptor = clinux_open_signals(signals, Int32(signals.count))
        guard descriptor >= 0 else { throw SystemFailure(code: errno) }
        self.descriptor = descriptor
        self.signals = signals
        watch = reactor.watch(descriptor, for: .readable) { _ in
            var isOfProcess: Int32 = 0
            let signal = clinux_read_signal(descriptor, &isOfProcess)
            if signal > 0 { handler(signal, isOfProcess != 0) }
        }
    }

    deinit {
        watch = nil
        close(descriptor)
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
