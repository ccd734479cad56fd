internal import Glibc

/// Standard output and standard error, if they are pipes.
enum OutputPipes {
    /// Replaces pipes by `/dev/null`; files, terminals and the journal's sockets stay.
    ///
    /// A daemon that D-Bus starts inherits the bus's pipes and outlives the bus for a while. If the
    /// daemon kept its pipe, `less` in `dbus-run-session -- … | less` would wait for the daemon's
    /// end.
    static func release() {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard null >= 0 else { return }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] where isPipe(descriptor) {
            dup2(null, descriptor)
        }
        close(null)
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
