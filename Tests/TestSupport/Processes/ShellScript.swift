internal import Foundation

/// Writes shell scripts that tests use as programs.
package enum ShellScript {
    /// The line that every script begins with.
    static let begin = "#!/bin/sh\n"

    /// Writes `text` as a program at `path`, in a directory that is made if it is missing.
    ///
    /// A separate process writes the script. If this process opened the file, a child of another
    /// test could inherit the descriptor, and hold it until the child's program begins. Until then
    /// the system would refuse to start the script ("Text file busy").
    package static func write(_ text: String, to path: String) async throws {
        try await RunningProgram.run(
            "sh",
            [
                "-c",
                "mkdir -p \"$3\" && printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$2\" && chmod 755 \"$2\"",
                "sh", text, path, URL(fileURLWithPath: path).deletingLastPathComponent().path,
            ])
    }
}
