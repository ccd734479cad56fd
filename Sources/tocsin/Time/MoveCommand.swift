internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin move`: gives a pending request another time.
struct MoveCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Give a pending notification another time.",
        usage: "tocsin move ID WHEN [--app ID] [--past-ok] [--json]",
        discussion: """
            WHEN is a SPAN, a TIME, a RULE, a SPEC or an EXPR, as below: 'tocsin move tea 10m', \
            'tocsin move tea tomorrow 8am', 'tocsin move standup "weekday at 10"'; or it is one of \
            the options '--in' to '--cron'. A length of time such as '10m' is one date, \
            counted from now; for a rule, give '--every 10m'. The notification keeps its content \
            and its identifier.

            \(NotificationLookup.help)

            \(TimeHelp.text)
            """)

    @Argument(help: NotificationLookup.argument, completion: NotificationLookup.completion)
    var identifier: String

    @Argument(help: "The new time or rule: WHEN, as above.")
    var words: [String] = []

    @OptionGroup var when: WhenOptions

    @OptionGroup var past: PastOption

    @OptionGroup var selection: AppSelection

    @Flag(help: "Prints one JSON object.")
    var json = false

    func validate() throws {
        guard words.isEmpty != when.given.isEmpty else {
            throw ValidationError(
                words.isEmpty
                    ? "The time is missing; give one such as '10m' or 'tomorrow 8am'"
                    : "A text and '\(when.given[0])' exclude each other; give one")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let moment = try moment(in: environment)
        let app = try selection.resolved()
        let center = try await CenterClient.openOrInbox(environment, reading: true)
        var pending = try await NotificationLookup.waiting(identifier, of: app, at: center)
        pending.request = Self.moved(pending.request, to: moment, at: environment.now)
        let files = try pending.request.content.attachments.map { try OpenFile(path: $0.path) }
        // The identifier stays the same, so this call replaces the pending request.
        try await center.requests.add(pending.request, attachments: files, for: app)
        pending.state = .pending
        pending.nextFire = max(moment.first.instant, environment.now)
        let format = NotificationJSON(
            zone: environment.zone, waitsForLogin: center.waitsForLogin)
        try Output.line(
            json ? format.object(.pending(pending)).text : text(pending, moment, in: environment))
    }

    /// The request with another time; if the tool made it, its creation time becomes `now`.
    static func moved(
        _ request: NotificationRequest, to moment: ScheduleTime, at now: Instant
    ) -> NotificationRequest {
        var request = request
        request.trigger = moment.trigger
        // The centre counts the moved request as its newest, and so must the ID 'last', which
        // compares creation times.
        if RequestTag.creation(of: request) != nil {
            request.content.userInfo[RequestTag.created] = .date(now)
        }
        return request
    }

    /// The time of the options or the words.
    ///
    /// Among the words, `10m` fires once, as in `tocsin in`, although `10m` is also a rule.
    func moment(in environment: ToolEnvironment) throws(ToolError) -> ScheduleTime {
        if let moment = try when.moment(past: past, in: environment) { return moment }
        let text = words.joined(separator: " ")
        let reader = try ScheduleTimeParser(when.bounds, past: past, in: environment)
        return try translatingErrors {
            let span = try? reader.span(text)
            let moment = try span == nil ? reader.any(text) : reader.span(text)
            try reader.checkBounds(of: moment, text)
            return moment
        }
    }

    private func text(
        _ pending: PendingNotification, _ moment: ScheduleTime, in environment: ToolEnvironment
    ) -> String {
        let identifier = TerminalEscaping.line(pending.request.identifier)
        return "\(identifier): \(moment.line(now: environment.now))"
    }
}
