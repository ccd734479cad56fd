internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin snooze`: makes a notification come again later.
struct SnoozeCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Have a notification come again later.",
        usage: "tocsin snooze [ID] SPAN [--app ID] [--json]",
        discussion: """
            A delivered notification leaves the screen and comes again after SPAN, with its \
            buttons and attachments. Without an ID, the newest delivered notification is snoozed. \
            For a pending notification, SPAN delays only the next date. If that date is past \
            and the notification waits for a notification server, SPAN counts from now. Examples: \
            'tocsin snooze 10m', 'tocsin snooze tea 1h30m'.

            \(NotificationLookup.help)
            """)

    @Argument(
        help: ArgumentHelp(
            "An ID and a length of time such as '10m'. Without an ID, write the length as one word: '1h30m'.",
            valueName: "id-span"),
        completion: NotificationLookup.completion)
    var words: [String] = []

    @OptionGroup var selection: AppSelection

    @Flag(help: "Prints one JSON object.")
    var json = false

    func validate() throws {
        guard !words.isEmpty else {
            throw ValidationError("The length of time is missing; give one such as '10m'")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let (text, span) = try request()
        let app = try selection.resolved()
        let center = try await CenterClient.open(environment)
        let identifier = try await identifier(text, of: app, at: center)
        let date = try await center.service.snooze(identifier, of: app, for: span.seconds)
        try Output.line(self.text(identifier, date, in: environment))
    }

    /// Reads the words: a length of time, or an identifier and a length of time.
    func request() throws(ToolError) -> (identifier: String?, span: Span) {
        let rest = words.dropFirst().joined(separator: " ")
        if !rest.isEmpty, let span = try? Span(rest) { return (words[0], span) }
        if let span = try? Span(words.joined(separator: " ")) { return (nil, span) }
        let isAlone = words.count == 1
        return try translatingErrors {
            (isAlone ? nil : words[0], try Span(isAlone ? words[0] : rest))
        }
    }

    private func identifier(
        _ text: String?, of app: ApplicationID, at center: CenterClient
    ) async throws -> String {
        guard let text else { return try await newest(of: app, at: center) }
        let candidates = try await NotificationLookup.present(text, of: app, at: center)
        return try NotificationLookup.choose(text, among: candidates, \.request).key.identifier
    }

    private func newest(
        of app: ApplicationID, at center: CenterClient
    ) async throws -> String {
        let page = try await center.service.deliveredPage(ListQuery(limit: 1), of: app)
        guard let newest = page.notifications.first else {
            throw ToolError(
                missing: "A delivered notification",
                "Nothing of \(app) is delivered, so give the ID of a pending notification: "
                    + "'tocsin list' shows the identifiers.")
        }
        return newest.request.identifier
    }

    func text(_ identifier: String, _ date: Instant, in environment: ToolEnvironment) -> String {
        guard !json else {
            return RecordValue.identifier(
                identifier, [.init("nextFire", environment.zone.rfc3339(date))]
            ).text
        }
        let times = RelativeTime(environment)
        return "\(TerminalEscaping.line(identifier)): \(times.full(date))"
    }
}
