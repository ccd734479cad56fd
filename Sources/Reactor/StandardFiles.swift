internal import Glibc

/// The three files that every process begins with.
package enum StandardFiles {
    /// Opens /dev/null in the place of those that are closed.
    ///
    /// The next file that the process opens would get their number: messages would be written
    /// into it.
    package static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is the one that is missing.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
