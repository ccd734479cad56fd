internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// A request that `schedule` and its short forms send to the daemon.
struct ScheduledRequest {
    var content: ContentOptions
    var moment: ScheduleTime
    var late = LateOptions()

    /// Sends the request and prints when it fires.
    func run(in environment: ToolEnvironment) async throws {
        try checkText()
        var outgoing = try content.outgoing(in: environment)
        outgoing.request.trigger = moment.trigger
        try late.apply(to: &outgoing.request)
        var center = try await CenterClient.openOrInbox(environment)
        content.commands.warnOfMissingOpener(in: environment)
        try outgoing.keepCommands()
        do {
            center = try await add(outgoing, to: center)
        } catch {
            outgoing.withdrawCommands()
            throw error
        }
        await outgoing.tidyCommands(at: center)
        let pending = PendingNotification(
            app: outgoing.app.id, request: outgoing.request, state: .pending,
            nextFire: max(moment.first.instant, environment.now))
        try report(pending, at: center, in: environment)
        if !center.waitsForLogin { try await warn(of: center, in: environment) }
    }

    /// Adds the request; returns the centre that took it, or the inbox in its place.
    private func add(
        _ outgoing: OutgoingRequest, to center: CenterClient
    ) async throws(NotificationError) -> CenterClient {
        do throws(NotificationError) {
            try await outgoing.introduce(to: center)
            try await center.requests.add(
                outgoing.request, attachments: outgoing.files, for: outgoing.app.id)
            return center
        } catch {
            let inbox = center.inboxOfOtherSession(after: error, in: outgoing.environment)
            guard let inbox else { throw error }
            return try await add(outgoing, to: inbox)
        }
    }

    private static func remark(on center: CenterClient) -> String {
        if center.isOfOtherSession {
            return "; the notification centre of another session takes it"
        }
        guard center.waitsForLogin else { return "" }
        return "; waits for login: fires once a desktop session runs tocsind"
    }

    /// Refuses a request without text: the user would see an empty popup and not know why.
    private func checkText() throws(ToolError) {
        let texts = [content.summary, content.body, content.subtitle]
        guard texts.allSatisfy({ $0.allSatisfy(\.isWhitespace) }), content.attachments.isEmpty
        else { return }
        throw ToolError.usage(
            "The title is empty; nothing was scheduled. Write what it is about behind the time, as "
                + "in 'tocsin in 20m Turn the oven off'.")
    }

    /// Warns now about obstacles at the due time: no server to show it, or no field for a reply.
    private func warn(
        of center: CenterClient, in environment: ToolEnvironment
    ) async throws(ToolError) {
        guard let server = await center.presenter(within: .seconds(2)) else { return }
        if !server.isAvailable {
            Output.warn(
                "tocsin: no notification server is on the bus: it is shown when one appears. Start "
                    + "the desktop's own, or install one such as dunst.")
        } else if content.reply != nil {
            try ReplySupport.report(
                ReplySupport.problem(of: server, in: environment), waits: false)
        }
    }

    private func report(
        _ pending: PendingNotification, at center: CenterClient, in environment: ToolEnvironment
    ) throws(ToolError) {
        if content.json {
            let format = NotificationJSON(
                zone: environment.zone, waitsForLogin: center.waitsForLogin)
            try Output.line(format.object(.pending(pending)).text)
        } else if content.printID {
            try Output.line(pending.request.identifier)
        } else {
            try Output.line(
                TerminalEscaping.line(pending.request.identifier) + ": "
                    + moment.line(now: environment.now)
                    + Self.remark(on: center))
        }
    }
}

/// `tocsin schedule`: sends a notification to the daemon, which shows it later.
struct ScheduleCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Show a notification later; returns at once.",
        discussion: """
            tocsin schedule "Tea is ready" --in 3m
            tocsin schedule Call "Anna, about the tea" --at "tomorrow 8am" --action done=Done
            tocsin schedule Standup --every "weekday at 9:30" --until 2027-01-01

            \(TimeHelp.text)
            """)

    @OptionGroup var content: ContentOptions

    @OptionGroup var when: WhenOptions

    @OptionGroup var late: LateOptions

    @OptionGroup var past: PastOption

    func validate() throws {
        guard !when.given.isEmpty else {
            throw ValidationError(
                "The time is missing; give '--in 10m', '--at 8am' or '--every \"day at 9\"'")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        guard let moment = try when.moment(past: past, in: environment) else {
            throw ToolError.usage("The time is missing; give '--in 10m' or '--at 8am'.")
        }
        try await ScheduledRequest(content: content, moment: moment, late: late)
            .run(in: environment)
    }
}
