internal import CenterInterface
internal import Glibc
internal import NotificationModel
internal import Reactor

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

    /// A terminal gets nothing that moves its cursor; a pipe or a file gets the text as it is.
    private static func send(_ text: String, to descriptor: Int32) -> Bool {
        let needsCheck = text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 >= 0x7F }
        let shown =
            needsCheck && isatty(descriptor) == 1 ? TerminalEscaping.output(text) : text
        return WholeWrite.send(Array(shown.utf8)[...], to: descriptor)
    }
}

/// One line on standard error where something that is being started takes longer than a second.
final class PatienceNotice: Sendable {
    /// What is waited for.
    enum Subject: String {
        case centre = "the notification centre and the notification server"
        case server = "the notification server"
    }

    private let hasEnded = Locked(false)

    init(for subject: Subject, on reactor: Reactor) {
        let hasEnded = hasEnded
        reactor.perform {
            reactor.deadline(after: .seconds(1)) {
                guard !hasEnded.withLock({ $0 }) else { return }
                Output.warn("tocsin: waiting for \(subject.rawValue) to start")
            }
        }
    }

    /// It is there, or was given up.
    func end() {
        hasEnded.withLock { $0 = true }
    }
}
