internal import Glibc
internal import NotificationModel
internal import NotificationSchedule
internal import Reactor

/// The plan of `tocsin run`, read from its options.
struct RunPlan {
    /// The signals that the tool forwards to the command, unless the tool ignores them.
    ///
    /// If a key such as Ctrl-C causes the signal, the tool does not forward it, because the
    /// terminal sends it to the command, too.
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    private let options: RunCommand
    private let minimum: Double
    /// The absolute path of the log file for the command's output.
    let log: String?
    private let logDescriptor: Int32

    /// Reads the options, and opens the log.
    init(_ options: RunCommand, in environment: ToolEnvironment) throws(ToolError) {
        self.options = options
        minimum = try translatingErrors { try options.minimum.map { try Span($0).seconds } ?? 0 }
        log = options.log.map(environment.absolute)
        logDescriptor =
            log.map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) } ?? -1
        guard log == nil || logDescriptor >= 0 else {
            throw ToolError.failure(
                "The log \((options.log ?? "").quotedForMessage()) cannot be written: "
                    + "\(String(cString: strerror(errno))). The command was not run; give another "
                    + "file.")
        }
    }

    func isWanted(_ outcome: RunOutcome) -> Bool {
        outcome.seconds >= minimum && !(options.onFail && outcome.isSuccess)
    }

    func run(on reactor: Reactor) async throws(ToolError) -> RunOutcome {
        // Use a clock that runs during a suspend, because the user also waits then.
        let start = ContinuousClock.now
        // While a process ignores SIGCHLD, the kernel keeps no status of its children. The tool may
        // inherit this setting from the program that started it.
        signal(SIGCHLD, SIG_DFL)
        var running: ForegroundProgram?
        let forwarded = Self.signals.filter { !SignalWatch.isIgnored($0) }
        let watch = try? SignalWatch(forwarded, on: reactor) { signal, isOfProcess in
            if isOfProcess { running?.signal(signal) }
        }
        let program: ForegroundProgram
        do throws(SystemFailure) {
            program = try ForegroundProgram(
                options.command, capturesOutput: log != nil, on: reactor)
        } catch {
            throw ToolError(
                ToolStatus(rawValue: error.code == ENOENT ? 127 : 126),
                "The command \(options.command[0].quotedForMessage()) could not be run: \(error). Check "
                    + "its name and PATH.")
        }
        // If the reader of the output is gone, a write must fail instead of ending the tool by
        // SIGPIPE. The command then ends as it would without the tool.
        if log != nil { signal(SIGPIPE, SIG_IGN) }
        running = program
        var logError: Int32 = 0
        let status = await program.waitForEnd { [logDescriptor] stream, bytes in
            if logError == 0, !WholeWrite.send(bytes[...], to: logDescriptor) { logError = errno }
            return WholeWrite.send(
                bytes[...], to: stream == .output ? STDOUT_FILENO : STDERR_FILENO)
        }
        withExtendedLifetime(watch) {}
        // Some file systems report a failed write only here.
        if logDescriptor >= 0, close(logDescriptor) != 0, logError == 0 { logError = errno }
        if logError != 0 { warnOfLog(logError) }
        return RunOutcome(
            command: options.command, status: status, signal: program.endingSignal,
            seconds: (ContinuousClock.now - start) / .seconds(1))
    }

    private func warnOfLog(_ error: Int32) {
        Output.warn(
            "tocsin: the log \((options.log ?? "").quotedForMessage()) is not complete: "
                + "\(String(cString: strerror(error))). The command went on without it.")
    }
}

/// The outcome of a command that `tocsin run` ran.
struct RunOutcome: Hashable {
    private static let titleLimit = 60

    var command: [String]
    /// The command's exit status, or 128 plus the number of the signal that ended the command.
    var status: Int32
    /// The signal that ended the command, or 0.
    ///
    /// `status` alone cannot tell, because a command may itself exit with 128 plus a number.
    var signal: Int32 = 0
    var seconds: Double

    var isSuccess: Bool { status == 0 }

    /// The title of the notification.
    var title: String {
        let text = TerminalEscaping.line(ShellQuoting.line(command))
        let short = text.count > Self.titleLimit ? text.prefix(Self.titleLimit) + "…" : text[...]
        return "\(short) \(isSuccess ? "is done" : "failed")"
    }

    /// The text of the notification.
    var text: String {
        "after \(RelativeTime.length(seconds)), \(ending)"
    }

    private var ending: String {
        signal == 0 ? "exit code \(status)" : "ended by signal \(signal)"
    }
}
