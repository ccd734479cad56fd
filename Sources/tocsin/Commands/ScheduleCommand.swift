internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin schedule`: hands a notification to the daemon, which shows it later.
struct ScheduleCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Show a notification later; returns at once.",
        discussion: """
            SPAN: 10m, 1h30m, 90s, 2 days ('m' is minutes). TIME: 8am, 20:15, noon, midnight, \
            tonight, tomorrow 8am, fri 15:00, 2026-12-24 18:00, 2026-12-24T18:00:00+01:00, \
            @1790000000, now + 10 minutes.

            A time without a day is its next occurrence. The time it resolved to is printed.
            """)

    @OptionGroup var content: ContentOptions

    @Option(
        name: .customLong("in"), parsing: .unconditional,
        help: ArgumentHelp("After this length of time.", valueName: "span"))
    var span: String?

    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: ArgumentHelp("At this time.", valueName: "time"))
    var time: String?

    func validate() throws {
        guard (span == nil) != (time == nil) else {
            throw ValidationError(
                span == nil
                    ? "The time is missing; give '--in 10m' or '--at 8am'"
                    : "'--in' and '--at' exclude each other; give one")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let (trigger, date) = try trigger(in: environment)
        let actions = try ActionText.parse(content.actions)
        let category = actions.isEmpty ? nil : ToolCategory.category(actions)
        var (request, files) = try content.request(hints: [], category: category, in: environment)
        request.trigger = trigger
        let app = try content.app.resolved()
        let center = try await Center.open(environment)
        do throws(NotificationError) {
            if let identity = app.identity {
                _ = try await center.service.connect(identity, asksBeforePresenting: false) { _ in }
            }
            if let category {
                try await center.provide(category, of: app.id, in: environment)
            }
            try await center.service.add(request, attachments: files, for: app.id)
        } catch {
            throw ToolError(error)
        }
        let pending = PendingNotification(
            app: app.id, request: request, state: .pending, nextFire: date)
        try report(pending, date, in: environment)
        return .done
    }

    private func trigger(
        in environment: ToolEnvironment
    ) throws(ToolError) -> (NotificationTrigger, Instant) {
        do throws(TimeTextError) {
            if let span {
                let length = try Span(span)
                return (
                    .interval(seconds: length.seconds, repeats: false),
                    environment.now.adding(microseconds: length.microseconds)
                )
            }
            let date = try TimePhrase.resolve(
                time ?? "", now: environment.now, zone: environment.zone)
            return (.at(date), date)
        } catch {
            throw ToolError(error)
        }
    }

    private func report(
        _ pending: PendingNotification, _ date: Instant, in environment: ToolEnvironment
    ) throws(ToolError) {
        if content.json {
            try Output.line(NotificationJSON(zone: environment.zone).object(pending).text)
        } else if content.printID {
            try Output.line(pending.request.identifier)
        } else {
            let times = RelativeTime(now: environment.now, zone: environment.zone)
            try Output.line(
                "\(ArgumentText.printable(pending.request.identifier)): "
                    + "\(times.absolute(date)) (\(times.distance(date)))")
        }
    }
}
