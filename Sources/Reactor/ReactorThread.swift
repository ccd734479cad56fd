import CLinux
import Glibc

/// Starts the detached thread of a reactor.
enum ReactorThread {
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) {
            self.run = run
        }
    }

    /// Runs `body` on a new thread that takes none of the program's asynchronous signals: their
    /// handlers belong to the threads of the program.
    static func start(name: String, body: @escaping () -> Void) {
        var blocked = sigset_t()
        var previous = sigset_t()
        sigfillset(&blocked)
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
            sigdelset(&blocked, signal)
        }
        pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let named = {
            clinux_name_thread(String(name.prefix(15)))
            body()
        }
        let argument = Unmanaged.passRetained(Body(named)).toOpaque()
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, enter, argument)
        precondition(status == 0, "no thread for the reactor: \(String(cString: strerror(status)))")
        pthread_detach(thread)
    }

    private static let enter:
        @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }
}
