internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin skip`: skips the next date of a request.
struct SkipCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Skip the next date of a repeating notification.",
        discussion: """
            Prints the skipped date and the date after it. Each further call skips one more date. \
            A skipped date counts as one date of '--count'.

            \(NotificationLookup.help)
            """)

    @Argument(help: NotificationLookup.argument, completion: NotificationLookup.completion)
    var identifier: String

    @OptionGroup var selection: AppSelection

    @Flag(help: "Prints one JSON object.")
    var json = false

    func run(in environment: ToolEnvironment) async throws {
        let app = try selection.resolved()
        let center = try await CenterClient.open(environment)
        let pending = try await NotificationLookup.waiting(identifier, of: app, at: center)
        let dates = try await center.service.skip(pending.request.identifier, of: app)
        try Output.line(text(dates, of: pending.request, in: environment))
    }

    func text(
        _ dates: SkippedOccurrence, of request: NotificationRequest, in environment: ToolEnvironment
    ) -> String {
        let zone = environment.zone(of: request.trigger)
        guard !json else {
            return RecordValue.identifier(
                request.identifier,
                [
                    .init("skipped", zone.rfc3339(dates.skipped)),
                    .init("nextFire", zone.rfc3339(dates.next)),
                ]
            ).text
        }
        let times = RelativeTime(now: environment.now, zone: zone)
        return "\(TerminalEscaping.line(request.identifier)): skipped "
            + "\(times.absolute(dates.skipped)), next \(times.full(dates.next))"
    }
}
