internal import Glibc

/// What standard output is: whether a person reads it, how wide it is, and whether it has colours.
struct Terminal: Hashable {
    /// The colours that are used, by what they say.
    enum Style: String {
        case heading = "1"
        case quiet = "2"
        case good = "32"
        case warning = "33"
        case bad = "31"
    }

    /// Whether it is one.
    var isTerminal = false
    /// Whether colours are shown: on a terminal that knows them, unless `NO_COLOR` is set
    /// (https://no-color.org).
    var hasColours = false
    /// How many columns it has.
    var columns = 80

    /// What is no terminal.
    init() {}

    /// Looks at standard output.
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

    /// The text in a style, where there are colours.
    func styled(_ text: String, _ style: Style) -> String {
        hasColours && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
