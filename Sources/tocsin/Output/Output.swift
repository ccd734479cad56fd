internal import CenterInterface
internal import Glibc

/// The tool's standard output and error, written at once and checked.
enum Output {
    /// Writes a line to standard output.
    static func line(_ text: String) throws(ToolError) {
        try write(text + "\n")
    }

    /// Writes text to standard output.
    static func write(_ text: String) throws(ToolError) {
        guard send(text, to: STDOUT_FILENO) else {
            throw ToolError(
                .failure,
                "The output could not be written: \(String(cString: strerror(errno))). Check "
                    + "where standard output goes.")
        }
    }

    /// Writes a line to standard error; there is nowhere to report that it failed.
    static func warn(_ text: String) {
        _ = send(text + "\n", to: STDERR_FILENO)
    }

    private static func send(_ text: String, to descriptor: Int32) -> Bool {
        WholeWrite.send(Array(text.utf8)[...], to: descriptor)
    }
}
