internal import ArgumentParser
internal import Glibc
internal import NotificationModel
internal import Reactor

/// `tocsin run`: runs a command and notifies when it has ended.
///
/// Its exit status is the command's, even if the notification fails. The command reads the
/// terminal's input and gets the signals that the tool receives.
struct RunCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a command, and notify when it has ended.",
        usage: "tocsin run [OPTION ...] -- COMMAND [ARGUMENT ...]",
        discussion: """
            tocsin run -- make test
            tocsin run --on-fail --log backup.log -- ./backup.sh
            tocsin run -t 0 --id build -- make

            The notification names the command, how long it took and how it ended. The command \
            has this terminal's input and output, and gets the signals that the tool receives. \
            '--log' also writes its output and errors to a file, which is emptied first, and adds \
            a button that opens the file; the command then writes to pipes, not to the terminal.

            Exit status: that of the command, 128 plus the number of the signal that ended it, \
            126 if it cannot be run, 127 if it does not exist. If the notification fails, only \
            standard error says so.
            """)

    @Flag(help: "Notifies only if the command fails.")
    var onFail = false

    @Option(
        "Notifies only if the command took longer than this.",
        value: "span", name: .customLong("over"))
    var minimum: String?

    @Option("Writes the command's output to this file, too.", value: "file")
    var log: String?

    @OptionGroup var look: LookOptions

    @OptionGroup var sound: SoundOption

    @Option(
        "The identifier; a pending notification that has it is replaced.",
        value: "id", name: .customLong("id"))
    var identifier: String?

    @OptionGroup var app: SenderOptions

    @Argument(parsing: .postTerminator, help: "The command and its arguments.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else {
            throw ValidationError("The command is missing; give it after '--', as in '-- make'")
        }
        guard identifier?.isEmpty != true else {
            throw ValidationError(
                "The value of '--id' is empty; write an identifier, or leave '--id' out for a "
                    + "new one")
        }
        guard log == nil || app.appID == nil else {
            throw ValidationError(
                "'--log' excludes '--app': the named app gets the clicks on its notification, so "
                    + "tocsin could not open the log; leave one of the options out")
        }
    }

    func perform(in environment: ToolEnvironment) async throws -> ToolStatus {
        // Read the options first: the command may take hours, and a mistake would lose its result.
        let app = try app.resolved()
        let plan = try RunPlan(self, in: environment)
        let outcome = try await plan.run(on: environment.reactor)
        if plan.isWanted(outcome) {
            do {
                try await notify(of: outcome, as: app, by: plan, in: environment)
            } catch {
                Output.warn(ToolError(error).text)
            }
        }
        return ToolStatus(rawValue: outcome.status)
    }

    private func notify(
        of outcome: RunOutcome, as app: (id: ApplicationID, identity: ApplicationIdentity?),
        by plan: RunPlan, in environment: ToolEnvironment
    ) async throws {
        var ended = environment
        ended.now = ToolEnvironment.now()
        var content = RequestTag.content(outcome.title, outcome.text, at: ended.now)
        content.interruptionLevel = look.level.value
        content.sound = sound.resolved(in: environment)
        content.desktop = look.desktop(in: environment)
        // Without a log, a click on the tool's own notification does nothing, so its popup is not
        // clickable. Another app's popup stays clickable, because that app may handle the click.
        if app.id == .tocsin || app.identity != nil { content.desktop?.offersClick = false }
        let identifier =
            self.identifier.map(ArgumentSanitizer.cleaned) ?? RequestTag.newIdentifier()
        var outgoing = OutgoingRequest(
            request: NotificationRequest(identifier: identifier, content: content), app: app,
            isNew: self.identifier == nil, environment: ended)
        let center = try await CenterClient.open(ended)
        if let log = plan.log, URLOpener.isInstalled(in: environment) {
            let opening = URLOpener.command(for: log, in: environment)
            outgoing.commands = ClickCommands(
                key: outgoing.key, directory: environment.directory, created: ended.now,
                click: opening, actions: ["log": opening])
            content.desktop?.offersClick = true
            content.actions = [NotificationAction(identifier: "log", title: "Open log")]
            content.reportsDismissal = true
            outgoing.request.content = content
        } else if plan.log != nil {
            Output.warn(URLOpener.warning("the log is not opened by a click"))
        }
        let former = try outgoing.keepCommands()
        do {
            try await outgoing.introduce(to: center)
            try await Self.send(outgoing, to: center)
        } catch {
            outgoing.withdrawCommands(former, after: error)
            throw error
        }
        await outgoing.tidyCommands(at: center)
    }

    private static func send(
        _ outgoing: OutgoingRequest, to center: CenterClient
    ) async throws {
        do {
            try await center.send(outgoing.request, for: outgoing.app.id)
        } catch {
            guard ToolError(error).status == .noServer else { throw error }
            try await center.requests.add(outgoing.request, attachments: [], for: outgoing.app.id)
            Output.warn(
                "tocsin: no notification server answers; the result is shown when one does")
        }
    }
}
