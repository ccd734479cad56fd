internal import Glibc

/// Standard output and error, where whoever started the process reads them through pipes.
enum OutputPipes {
    /// Lets go of those that are pipes; files, terminals and the journal's sockets stay.
    ///
    /// A daemon that D-Bus starts has the pipes of the bus. It outlives the bus for a while, and
    /// the reader of `dbus-run-session -- … | less` would wait for its end as long.
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
