import CLinux
import Glibc

/// Starts detached threads, for a reactor or for work that may block.
package enum ReactorThread {
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) {
            self.run = run
        }
    }

    /// Runs `body` on a new thread that receives no asynchronous signal of the program except
    /// SIGPROF.
    ///
    /// The handlers of the blocked signals run on the program's other threads.
    ///
    /// The result is false, with the reason in `errno`, if no thread can start.
    package static func starts(name: String, body: @escaping () -> Void) -> Bool {
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
        let argument = Unmanaged.passRetained(Body(named))
        var thread = pthread_t()
        let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            if let body = $0 { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
            return nil
        }
        let status = pthread_create(&thread, nil, enter, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            errno = status
            return false
        }
        pthread_detach(thread)
        return true
    }
}
