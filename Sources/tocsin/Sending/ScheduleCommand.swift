internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// A request that `schedule` and its short forms hand to the daemon.
struct ScheduledRequest {
    var content: ContentOptions
    var moment: ScheduleTime
    var late = LateOptions()

    /// Hands it over and prints when it fires.
    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        try checkText()
        let actions = try content.buttons()
        var (request, files) = try content.request(actions: actions, in: environment)
        request.trigger = moment.trigger
        request = try late.applied(to: request)
        let app = try content.app.resolved()
        let key = NotificationKey(app: app.id, identifier: request.identifier)
        let commands = try content.commands.commands(of: key, actions: actions, in: environment)
        var center = try await CenterClient.openOrInbox(environment)
        try content.keep(commands, of: key, in: environment)
        func handOver(to center: CenterClient) async throws(NotificationError) {
            try await center.introduce(app, with: commands, in: environment)
            try await center.requests.add(request, attachments: files, for: app.id)
        }
        do throws(NotificationError) {
            do throws(NotificationError) {
                try await handOver(to: center)
            } catch {
                guard let inbox = center.inboxOfOtherSession(after: error, in: environment) else {
                    throw error
                }
                center = inbox
                try await handOver(to: center)
            }
        } catch {
            content.withdraw(commands, in: environment)
            throw ToolError(error)
        }
        await content.tidy(after: commands, at: center, in: environment)
        let pending = PendingNotification(
            app: app.id, request: request, state: .pending,
            nextFire: max(moment.first.instant, environment.now))
        try report(pending, at: center, in: environment)
        if !center.waitsForLogin { await warn(of: center, in: environment) }
        return .done
    }

    private static func note(on center: CenterClient) -> String {
        if center.isOfOtherSession {
            return "; the notification centre of another session takes it"
        }
        guard center.waitsForLogin else { return "" }
        return "; waits for login: fires once a desktop session runs tocsind"
    }

    /// Refuses a request without a text: its popup would say nothing, and nobody would know why.
    private func checkText() throws(ToolError) {
        let texts = [content.summary, content.body, content.subtitle]
        guard texts.allSatisfy({ $0.allSatisfy(\.isWhitespace) }), content.attachments.isEmpty
        else { return }
        throw ToolError(
            .usage,
            "The title is empty; nothing was scheduled. Write what it is about behind the time, as "
                + "in 'tocsin in 20m Turn the oven off'.")
    }

    /// Says now what would keep it from being seen, or its reply from being typed, when it is due.
    private func warn(of center: CenterClient, in environment: ToolEnvironment) async {
        guard let server = await center.presenter(within: .seconds(2)) else { return }
        if !server.isAvailable {
            Output.warn(
                "tocsin: no notification server is on the bus: it is shown when one appears. Start "
                    + "the desktop's own, or install one such as dunst.")
        } else if content.reply != nil,
            let problem = ReplySupport.problem(of: server, in: environment)
        {
            Output.warn("tocsin: \(problem) \(ReplySupport.remedy)")
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
                    + Self.note(on: center))
        }
    }
}

/// `tocsin schedule`: hands a notification to the daemon, which shows it later.
struct ScheduleCommand: ParsableCommand, ToolCommand {
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

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        guard let moment = try when.moment(past: past, in: environment) else {
            throw ToolError(.usage, "The time is missing; give '--in 10m' or '--at 8am'.")
        }
        return try await ScheduledRequest(content: content, moment: moment, late: late)
            .perform(in: environment)
    }
}
