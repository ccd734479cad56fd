internal import Glibc
internal import NotificationModel
internal import Reactor

/// The tool's standard output and error, written at once and checked for errors.
enum Output {
    /// Writes a line to standard output.
    static func line(_ text: String) throws(ToolError) {
        try write(text + "\n")
    }

    /// Writes each text on a separate line to standard output.
    static func lines(_ texts: [String]) throws(ToolError) {
        try write(texts.map { $0 + "\n" }.joined())
    }

    /// Writes identifiers, one a line; `isPlain` leaves out those that a shell needs quoted.
    static func identifiers(_ names: [String], isPlain: Bool) throws(ToolError) {
        try lines(
            names.filter { !isPlain || ShellQuoting.isPlain($0) }.map(TerminalEscaping.line))
    }

    /// Writes text to standard output.
    static func write(_ text: String) throws(ToolError) {
        guard send(text, to: STDOUT_FILENO) else {
            throw ToolError.failure(
                "The output could not be written: \(String(cString: strerror(errno))). Check "
                    + "where standard output goes.")
        }
    }

    /// Writes a line to standard error; there is nowhere to report a failure.
    static func warn(_ text: String) {
        _ = send(text + "\n", to: STDERR_FILENO)
    }

    /// Removes cursor control for a terminal; a pipe or a file gets the text unchanged.
    private static func send(_ text: String, to descriptor: Int32) -> Bool {
        let needsCheck = text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 >= 0x7F }
        let shown =
            needsCheck && isatty(descriptor) == 1 ? TerminalEscaping.output(text) : text
        return WholeWrite.send(Array(shown.utf8)[...], to: descriptor)
    }
}

/// Prints one line on standard error if a program takes longer than a second to start.
final class DelayNotice: Sendable {
    /// The program that has not started yet.
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

    /// Prevents the line, because the program has started or the tool has given up.
    func cancel() {
        hasEnded.withLock { $0 = true }
    }
}

/// The kind of standard output: whether it is a terminal, its width, and whether it has colours.
struct Terminal: Hashable {
    /// The colours, by their meaning.
    enum Style: String {
        case heading = "1"
        case quiet = "2"
        case good = "32"
        case warning = "33"
        case bad = "31"
    }

    /// Whether it is a terminal.
    var isTerminal = false
    /// Whether colours are shown: on a terminal that knows them, unless `NO_COLOR` is set
    /// (https://no-color.org).
    var hasColours = false
    /// How many columns it has.
    var columns = 80

    /// A pipe or a file.
    init() {}

    /// Examines standard output.
    init(_ environment: ToolEnvironment) {
        isTerminal = isatty(STDOUT_FILENO) == 1
        guard isTerminal else { return }
        hasColours =
            (environment.variable("NO_COLOR") ?? "").isEmpty
            && !["dumb", ""].contains(environment.variable("TERM") ?? "")
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            columns = Int(size.ws_col)
        }
    }

    /// The text in a style, if there are colours.
    func styled(_ text: String, _ style: Style) -> String {
        hasColours && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
