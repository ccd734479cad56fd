internal import Foundation

/// A program made of a shell script, for a test that needs one.
package enum ShellScript {
    /// The line that every script begins with.
    static let begin = "#!/bin/sh\n"

    /// Writes `text` as a program at `path`, in a directory that is made if it is missing.
    ///
    /// Another process writes it. If the file were open here, a child of another test could inherit
    /// it. It would stay open for writing until that child's program begins. Until then the system
    /// refuses to start the script ("Text file busy").
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
