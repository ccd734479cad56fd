internal import Foundation
internal import Glibc

/// A program in a virtual terminal; a test types on the terminal's keyboard.
package final class TerminalProgram: Sendable {
    /// The lines on the terminal, including the typed ones.
    package var lines: Recording<String> { program.lines }
    private let program: RunningProgram
    private let keyboard: String

    /// Starts a program; a named pipe in `folder` is its keyboard.
    package init(
        _ path: String, _ arguments: [String], environment: [String: String], in folder: String
    ) throws {
        keyboard = "\(folder)/keyboard-\(UUID().uuidString)"
        guard mkfifo(keyboard, 0o600) == 0 else {
            throw HarnessError("Cannot make pipe \(keyboard): \(String(cString: strerror(errno)))")
        }
        let command = ([path] + arguments).map { "'\($0)'" }.joined(separator: " ")
        // The program also opens the keyboard for writing. So the program gets no end of file when
        // `type(_:)` closes the keyboard.
        program = try RunningProgram(
            "sh", ["-c", "exec script -qefc \"$1\" /dev/null <>\"$2\"", "sh", command, keyboard],
            environment: environment)
    }

    /// Types a line and presses Return.
    package func type(_ line: String) throws {
        guard let handle = FileHandle(forWritingAtPath: keyboard) else {
            throw HarnessError("\(keyboard) cannot be written")
        }
        try handle.write(contentsOf: Data((line + "\n").utf8))
        try handle.close()
    }

    /// Its exit status.
    package func exit() async throws -> Int32 {
        let status = try await program.exit()
        try await lines.untilFinished()
        return status
    }

    package func stop() async { await program.stop() }

    /// Its output so far; for messages.
    package var said: String { program.said }
}
