internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// A request that `schedule` or one of its short forms sends to the daemon.
struct ScheduledRequest {
    var texts: TextArguments
    var content: ContentOptions
    var trigger: NotificationTrigger?
    /// The first date; nil if the request waits for a region.
    var date: Instant?
    /// The time at which the request fires, as a text for the user.
    var timeText: String
    var late = LateOptions()

    init(
        _ texts: TextArguments, _ content: ContentOptions, at moment: ScheduleTime,
        late: LateOptions, in environment: ToolEnvironment
    ) {
        self.init(
            texts: texts, content: content, trigger: moment.trigger,
            date: max(moment.first.instant, environment.now),
            timeText: moment.line(now: environment.now), late: late)
    }

    /// Makes a request that fires once, when the device crosses the boundary of a region.
    init(
        _ texts: TextArguments, _ content: ContentOptions, at region: NotificationRegion,
        late: LateOptions
    ) {
        self.init(
            texts: texts, content: content, trigger: .region(region, repeats: false),
            timeText: region.text, late: late)
    }

    private init(
        texts: TextArguments, content: ContentOptions, trigger: NotificationTrigger?,
        date: Instant? = nil, timeText: String, late: LateOptions
    ) {
        self.texts = texts
        self.content = content
        self.trigger = trigger
        self.date = date
        self.timeText = timeText
        self.late = late
    }

    func run(in environment: ToolEnvironment) async throws {
        try checkText()
        var outgoing = try content.outgoing(texts, in: environment)
        outgoing.request.trigger = trigger
        try late.apply(to: &outgoing.request)
        var center = try await CenterClient.openOrInbox(environment)
        content.commands.warnOfMissingOpener(in: environment)
        let former = try outgoing.keepCommands()
        do {
            center = try await add(outgoing, to: center)
        } catch {
            outgoing.withdrawCommands(former, after: error)
            throw error
        }
        await outgoing.tidyCommands(at: center)
        let pending = PendingNotification(
            app: outgoing.app.id, request: outgoing.request, state: .pending, nextFire: date)
        try report(pending, at: center, in: environment)
        if !center.waitsForLogin { try await warn(of: center, in: environment) }
    }

    /// Adds the request, and returns the client through which it was added.
    ///
    /// If the daemon serves another session, that client is a client of the inbox.
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
        return "; waits for login: fires when a desktop session runs tocsind"
    }

    /// Refuses a request without any text, attachment or sound.
    private func checkText() throws(ToolError) {
        guard content.isEmpty(with: texts) else { return }
        throw ToolError.usage(
            "The title is empty; nothing was scheduled. Write a title after the time, as in "
                + "'tocsin in 20m Turn the oven off'.")
    }

    /// Warns if there is no server to show the notification, or no field for its reply.
    private func warn(
        of center: CenterClient, in environment: ToolEnvironment
    ) async throws(ToolError) {
        guard let server = await center.presenter(within: .seconds(2)) else { return }
        if !server.isAvailable {
            Output.warn(
                "tocsin: no notification server is on the bus; the notification is shown when a "
                    + "server appears. Start the desktop's own, or install one such as dunst.")
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
                TerminalEscaping.line(pending.request.identifier) + ": " + timeText
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
            tocsin schedule "Buy milk" --near 52.52,13.405 --radius 200

            A place needs GeoClue, which 'tocsin doctor' reports on. The notification is shown once, \
            when the device has crossed the circle and stayed for 20 seconds on the other side. A \
            device that is already there must leave first. With Wi-Fi alone, a radius below 200 m \
            is often too small to tell.

            \(TimeHelp.text)
            """)

    @OptionGroup var texts: TextArguments

    @OptionGroup var content: ContentOptions

    @OptionGroup var when: WhenOptions

    @OptionGroup var place: PlaceOptions

    @OptionGroup var late: LateOptions

    @OptionGroup var past: PastOption

    func validate() throws {
        guard !when.given.isEmpty || place.near != nil else {
            throw ValidationError(
                "The time is missing; give '--in 10m', '--at 8am' or '--every \"day at 9\"'")
        }
        if let time = when.given.first ?? when.bounds.bound {
            try ValidationError.check(true, time, excludes: place.near != nil, "--near")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        if let region = try place.region() {
            return try await ScheduledRequest(texts, content, at: region, late: late)
                .run(in: environment)
        }
        guard let moment = try when.moment(past: past, in: environment) else {
            throw ToolError.usage("The time is missing; give '--in 10m' or '--at 8am'.")
        }
        try await ScheduledRequest(texts, content, at: moment, late: late, in: environment)
            .run(in: environment)
    }
}
