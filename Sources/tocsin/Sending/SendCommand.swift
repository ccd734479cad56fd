internal import ArgumentParser
internal import NotificationModel

/// `tocsin send`: shows a notification now.
///
/// The centre shows the notification; without a usable centre, the tool posts it directly. A
/// notification that cannot be shown now is not stored for later.
struct SendCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Show a notification now.",
        discussion: """
            tocsin send "Build finished" "all green" --open report.html
            tocsin send "Deploy?" --action yes=Yes --action no=No --wait
            tocsin send "Your name?" --reply --wait

            Exit status: 0 sent (with --wait: answered); 1 no reply can be typed here, or another \
            failure; 2 dismissed; 3 not answered in time, removed by another program, or the \
            popup was closed, lost or refused by its server; 69 no notification server (nothing \
            is kept); 75 no bus or daemon.

            In three cases the tool calls this session's notification server without the daemon: \
            no daemon can be started, the disk is full, or the daemon serves another session.
            """,
        helpNames: .long)

    @OptionGroup var texts: TextArguments

    @OptionGroup var content: ContentOptions

    @Option("The same as '--hint'.", value: "type:name:value", name: .customShort("h"))
    var hints: [String] = []

    @Flag(
        name: .shortAndLong,
        help: """
            Waits for the answer and prints it: the action's id, 'default', or the typed text. \
            '--expire-time' limits the wait.
            """)
    var wait = false

    func validate() throws {
        guard !wait || content.commands.isEmpty else {
            throw ValidationError(
                "'--wait' excludes '--on-click', '--open' and '--on'; run the command when "
                    + "'tocsin send --wait' has ended"
            )
        }
    }

    func perform(in environment: ToolEnvironment) async throws -> ToolStatus {
        guard !content.isEmpty(with: texts, waits: wait) else {
            throw ToolError.usage(
                "The title is empty; nothing was sent. Write a title, as in 'tocsin send \"Tea is "
                    + "ready\"'.")
        }
        var content = content
        content.hints += hints
        let outgoing = try content.outgoing(texts, waits: wait, in: environment)
        let center = try await CenterClient.open(environment, followsStore: false)
        let waiting: ResponseWait?
        do {
            waiting = try await send(outgoing, to: center)
        } catch {
            let post = try await DirectPost(
                outgoing.request, for: outgoing.app.identity ?? Self.identity(outgoing.app.id),
                after: error, on: center.connection, in: environment)
            let answer = try await post.perform(waits: wait, within: limit) {
                try printIdentifier(of: outgoing.request)
            }
            return try report(outgoing.request, answer)
        }
        // The notification is sent, so a later error must not post it again.
        try printIdentifier(of: outgoing.request)
        return try report(outgoing.request, try await waiting?.answer(within: limit))
    }

    /// Sends the notification; with `--wait`, returns the wait for its response.
    private func send(
        _ outgoing: OutgoingRequest, to center: CenterClient
    ) async throws -> ResponseWait? {
        if content.reply != nil {
            // If the user cannot type, this warns; with `--wait`, it throws, and nothing is sent.
            let server = try await center.status().presenter
            try ReplySupport.report(
                ReplySupport.problem(of: server, in: outgoing.environment), waits: wait)
        }
        content.commands.warnOfMissingOpener(in: outgoing.environment)
        let former = try outgoing.keepCommands()
        var waiting: ResponseWait?
        do {
            if wait {
                // Without `--app-name`, the tool does not know the app's name.
                let app = outgoing.app
                let identity = app.identity ?? ApplicationIdentity(id: app.id, name: "")
                waiting = try await ResponseWait(outgoing, as: identity, at: center)
            } else {
                try await outgoing.introduce(to: center)
            }
            try await center.send(
                outgoing.request, attachments: outgoing.files, for: outgoing.app.id)
        } catch {
            outgoing.withdrawCommands(former, after: error)
            throw error
        }
        await outgoing.tidyCommands(at: center)
        return waiting
    }

    /// How long to wait for a response; nil without a positive `--expire-time`.
    ///
    /// Without a limit, the wait may be long. If the server keeps a list of notifications, the user
    /// can respond after the popup has closed.
    private var limit: Duration? {
        content.look.expireTime.flatMap { $0 > 0 ? .milliseconds($0) : nil }
    }

    /// Prints the identifier for `--print-id`; the object of `--json` has it, too.
    private func printIdentifier(of request: NotificationRequest) throws(ToolError) {
        if content.printID, !content.json { try Output.line(request.identifier) }
    }

    /// Prints the outcome; if there was no wait, prints the identifier for `--json`.
    private func report(
        _ request: NotificationRequest, _ answer: WaitOutcome?
    ) throws(ToolError) -> ToolStatus {
        guard let answer else {
            if content.json { try Output.line(RecordValue.identifier(request.identifier).text) }
            return .done
        }
        // The user pressed the button for a reply, but could not type a text.
        if content.reply != nil,
            answer == .response(.reply(ActionOption.replyIdentifier, text: nil))
        {
            throw ReplySupport.wasNotTyped()
        }
        if content.json {
            try Output.line(answer.object(identifier: request.identifier).text)
        } else if let text = answer.text, !isClickInsteadOfReply(answer) {
            try Output.line(text)
        }
        return isClickInsteadOfReply(answer) ? .dismissed : answer.status
    }

    /// Whether the user clicked on the popup although the notification asks for a reply.
    ///
    /// Some servers report such a click even if the request does not offer it.
    private func isClickInsteadOfReply(_ answer: WaitOutcome) -> Bool {
        content.reply != nil && answer == .response(.standard)
    }

    fileprivate static func identity(_ app: ApplicationID) -> ApplicationIdentity {
        ApplicationIdentity(id: app, name: app == .tocsin ? "Tocsin" : app.rawValue)
    }
}

/// `tocsin send SUMMARY [BODY]` without any option.
///
/// Scripts call this command thousands of times, so it bypasses the parser, whose set-up takes
/// longer than the sending. A test checks that both commands make the same request.
struct PlainSend: ToolCommand {
    var summary: String
    var body: String

    /// Makes the command; nil if the arguments need the parser.
    init?(_ arguments: [String]) {
        guard (2...3).contains(arguments.count), arguments[0] == "send",
            !arguments.contains(where: { $0.hasPrefix("-") }),
            !arguments.dropFirst().allSatisfy({ $0.allSatisfy(\.isWhitespace) })
        else { return nil }
        summary = arguments[1]
        body = arguments.count == 3 ? arguments[2] : ""
    }

    func request(in environment: ToolEnvironment) -> NotificationRequest {
        let content = RequestTag.content(summary, body, at: environment.now)
        return NotificationRequest(identifier: RequestTag.newIdentifier(), content: content)
    }

    func perform(in environment: ToolEnvironment) async throws -> ToolStatus {
        let center = try await CenterClient.open(environment, ahead: true, followsStore: false)
        let request = request(in: environment)
        do {
            try await center.send(request, for: .tocsin)
        } catch {
            _ = try await DirectPost(
                request, for: SendCommand.identity(.tocsin), after: error, on: center.connection,
                in: environment
            ).perform()
        }
        return .done
    }
}
