internal import CLinux
internal import Glibc

/// Delivers the system's signals as events on the reactor's thread, in place of their usual effect.
///
/// The signals are blocked while this object exists, so make it on a program's first thread before
/// other threads start. Use it on the reactor's thread only.
public final class SignalWatch {
    private let blocked: Blocked
    private var watch: DescriptorWatch?

    /// Watches signals; `handler` gets the signal's number, and whether a process sent the signal.
    ///
    /// If no process sent the signal, the kernel sent it, for example because the user pressed
    /// Ctrl-C. The kernel sends such a signal to the terminal's whole foreground process group.
    ///
    /// - Throws: The system's error if no descriptor is free.
    public convenience init(
        _ signals: [Int32], on reactor: Reactor,
        handler: @escaping (_ signal: Int32, _ isOfProcess: Bool) -> Void
    ) throws(SystemFailure) {
        self.init(try Blocked(signals), on: reactor, handler: handler)
    }

    /// Watches signals that the program blocked before it made the reactor.
    public init(
        _ blocked: Blocked, on reactor: Reactor,
        handler: @escaping (_ signal: Int32, _ isOfProcess: Bool) -> Void
    ) {
        let descriptor = blocked.descriptor
        self.blocked = blocked
        watch = reactor.watch(descriptor, for: .readable) { _ in
            var information = signalfd_siginfo()
            let size = MemoryLayout.size(ofValue: information)
            guard read(descriptor, &information, size) == size else { return }
            // The kernel's own codes are positive; the codes of kill(2) and sigqueue(3) are not.
            handler(Int32(information.ssi_signo), information.ssi_code <= 0)
        }
    }

    /// Whether this process ignores a signal; the shell or nohup(1) may have asked for that.
    ///
    /// A watch would report the signal nevertheless, because the kernel keeps a blocked signal even
    /// if it is ignored.
    package static func isIgnored(_ signal: Int32) -> Bool {
        clinux_ignores_signal(signal) != 0
    }

    /// Keeps signals blocked until this object is released.
    ///
    /// The signals are blocked for the thread that made this object, and for the threads that this
    /// thread starts later.
    public final class Blocked: Sendable {
        private let signals: [Int32]
        fileprivate let descriptor: Int32

        /// Blocks signals.
        ///
        /// - Throws: The system's error if no descriptor is free.
        public init(_ signals: [Int32]) throws(SystemFailure) {
            var set = Self.set(of: signals)
            pthread_sigmask(SIG_BLOCK, &set, nil)
            let flags = Int32(SFD_CLOEXEC | SFD_NONBLOCK)
            let descriptor = signalfd(-1, &set, flags)
            let failure = SystemFailure(code: errno)
            self.signals = signals
            self.descriptor = descriptor
            // Without a descriptor nobody reads the signals, so `deinit` unblocks them.
            guard descriptor >= 0 else { throw failure }
        }

        private static func set(of signals: [Int32]) -> sigset_t {
            var set = sigset_t()
            sigemptyset(&set)
            for signal in signals { sigaddset(&set, signal) }
            return set
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
            var set = Self.set(of: signals)
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
        }
    }
}
