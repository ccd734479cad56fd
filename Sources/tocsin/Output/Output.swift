internal import Glibc
internal import NotificationModel
internal import Reactor

/// The tool's standard output and standard error, both without a buffer.
enum Output {
    static func line(_ text: String) throws(ToolError) {
        try write(text + "\n")
    }

    static func lines(_ texts: [String]) throws(ToolError) {
        try write(texts.map { $0 + "\n" }.joined())
    }

    /// Writes the identifiers, one on each line.
    ///
    /// `isPlain` leaves out identifiers that need quotes in a shell.
    static func identifiers(_ names: [String], isPlain: Bool) throws(ToolError) {
        try lines(
            names.filter { !isPlain || ShellQuoting.isPlain($0) }.map(TerminalEscaping.line))
    }

    static func write(_ text: String) throws(ToolError) {
        guard send(text, to: STDOUT_FILENO) else {
            throw ToolError.failure(
                "The output could not be written: \(String(cString: strerror(errno))). Check "
                    + "where standard output goes.")
        }
    }

    /// Writes a line to standard error; ignores a failure, because there is no place to report it.
    static func warn(_ text: String) {
        _ = send(text + "\n", to: STDERR_FILENO)
    }

    /// Warns if the value of an option means a file that cannot be read.
    ///
    /// A text without a slash means a file if it has one of the endings. An unreadable file is no
    /// error, because a notification without its icon or its sound still has its text.
    static func warnOfUnreadableFile(_ value: String, of option: String, endings: [String] = []) {
        let path = FileURI.path(of: value) ?? value
        let hasEnding = endings.contains { path.lowercased().hasSuffix($0) }
        guard path.hasPrefix("/") || hasEnding && !path.contains("/"), access(path, R_OK) != 0
        else { return }
        let reason = String(cString: strerror(errno))
        warn(
            "tocsin: the file \(path.quotedForMessage()) of '\(option)' cannot be read: \(reason). "
                + "The option has no effect until the file can be read; check the path.")
    }

    /// Writes the text; for a terminal, without control characters that move its cursor.
    private static func send(_ text: String, to descriptor: Int32) -> Bool {
        let shown = isatty(descriptor) == 1 ? TerminalEscaping.output(text) : text
        return WholeWrite.send(Array(shown.utf8)[...], to: descriptor)
    }
}

/// Prints one line on standard error if a program takes longer than a second to start.
final class DelayNotice: Sendable {
    enum Subject: String {
        case centre = "the notification centre and the notification server"
        case server = "the notification server"
    }

    private let hasEnded = Locked(false)

    init(for subject: Subject, on reactor: Reactor) {
        let hasEnded = hasEnded
        reactor.perform(after: .seconds(1)) {
            guard !hasEnded.withLock({ $0 }) else { return }
            Output.warn("tocsin: waiting for \(subject.rawValue) to start")
        }
    }

    /// Prevents the line, because the tool no longer waits.
    func cancel() {
        hasEnded.withLock { $0 = true }
    }
}

/// The properties of standard output.
struct Terminal: Hashable {
    enum Style: String {
        case heading = "1"
        case quiet = "2"
        case good = "32"
        case warning = "33"
        case bad = "31"
    }

    var isTerminal = false
    /// Whether texts are coloured: on a terminal with colours, unless `NO_COLOR` is set
    /// (https://no-color.org).
    var hasColours = false

    /// The properties of a pipe or a file.
    init() {}

    init(_ environment: ToolEnvironment) {
        isTerminal = isatty(STDOUT_FILENO) == 1
        guard isTerminal else { return }
        hasColours =
            (environment.variable("NO_COLOR") ?? "").isEmpty
            && !["dumb", ""].contains(environment.variable("TERM") ?? "")
    }

    func styled(_ text: String, _ style: Style) -> String {
        hasColours && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
