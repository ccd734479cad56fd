internal import Glibc

/// The three files that every process begins with.
package enum StandardFiles {
    /// Opens /dev/null in place of each closed standard file.
    ///
    /// The next file that the process opens could otherwise get the number of a standard file.
    /// Messages would then be written into that file.
    package static func openMissing() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open(2) returns the lowest free number, which is this missing descriptor.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
