internal import Glibc

/// A named pipe for the reports of programs that this process did not start.
package final class ReportPipe: Sendable {
    /// The path to which the programs write.
    package let path: String
    /// The lines that the programs wrote.
    package let lines: Recording<String>
    private let reader: RunningProgram

    /// Makes a pipe; a helper program reads the pipe until `stop()`.
    package init(_ path: String) throws {
        guard mkfifo(path, 0o600) == 0 else {
            throw HarnessError("Cannot make pipe \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
        // The reader also opens the pipe for writing. So the reader gets no end of file when a
        // program closes the pipe.
        reader = try RunningProgram("sh", ["-c", "exec cat <>\"$1\"", "sh", path])
        lines = reader.lines
    }

    /// Ends the reading.
    package func stop() async {
        await reader.stop()
    }
}
