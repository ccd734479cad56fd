internal import NotificationModel

/// How a command ended that `tocsin run` ran.
struct RunOutcome: Hashable {
    private static let titleLimit = 60

    /// Its words.
    var command: [String]
    /// Its exit status, or 128 and the number of the signal that ended it.
    var status: Int32
    /// How long it took, in seconds.
    var seconds: Double

    /// Whether it did what it should.
    var isSuccess: Bool { status == 0 }

    /// The title: the command, and whether it worked.
    var title: String {
        let text = TerminalEscaping.line(ShellQuoting.line(command))
        let short = text.count > Self.titleLimit ? text.prefix(Self.titleLimit) + "…" : text[...]
        return "\(short) \(isSuccess ? "is done" : "failed")"
    }

    /// The text: how long, and how it ended.
    var text: String {
        "after \(RelativeTime.length(seconds)), \(ending)"
    }

    private var ending: String {
        switch status {
        case 129...(128 + 64): "ended by signal \(status - 128)"
        default: "exit code \(status)"
        }
    }
}
