internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin next`: prints the dates of a time or a rule, and schedules nothing.
struct NextCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "Print the next dates of a time or a rule.",
        usage: "tocsin next WHEN [-n COUNT] [--after TIME] [--tz ZONE] [--json]",
        discussion: """
            WHEN is one of the time options of 'schedule', or a text that such an option takes. \
            If a clock change shifts a date, the reason is printed with it.

            \(TimeHelp.text)

            Exit status: 0 printed, 65 a time or rule that cannot be read or never comes.
            """)

    @Argument(help: "A time, a rule, a calendar or a cron expression.")
    var text: String?

    @OptionGroup var when: WhenOptions

    @Option(
        name: [.customShort("n"), .customLong("number")],
        help: ArgumentHelp("How many dates.", valueName: "count"))
    var number = 1

    @Option("The time after which the dates begin; now by default.", value: "time")
    var after: String?

    @Flag(help: "Prints one JSON object a line.")
    var json = false

    func validate() throws {
        guard (text == nil) != when.given.isEmpty else {
            throw ValidationError(
                text == nil
                    ? "The time is missing; give one such as 'weekday at 9:30'"
                    : "A text and '\(when.given[0])' exclude each other; give one")
        }
        guard Limits.forecast.contains(number) else {
            throw ValidationError(
                "'-n' is \(number); give a number from 1 to \(Limits.forecast.most)")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        try Output.write(try lines(in: environment).map { $0 + "\n" }.joined())
    }

    func lines(in environment: ToolEnvironment) throws(ToolError) -> [String] {
        let start = try start(in: environment)
        let moment = try moment(after: start, in: environment)
        let dates = moment.dates(after: start, limit: number)
        let shown = RelativeTime(now: environment.now, zone: moment.zone)
        return dates.map { json ? shown.object($0).text : shown.line($0) }
    }

    /// The instant after which the dates begin, in the past or the future.
    ///
    /// A day without a time means its beginning.
    private func start(in environment: ToolEnvironment) throws(ToolError) -> Instant {
        guard let after else { return environment.now }
        let isDate = ScheduleTimeParser.isDate(after)
        let zone = try when.bounds.resolvedZone(in: environment)
        return try translatingErrors {
            try environment.instant(
                of: isDate ? after + " 0:00" : after, zone: zone, isPastAllowed: true)
        }
    }

    private func moment(
        after start: Instant, in environment: ToolEnvironment
    ) throws(ToolError) -> ScheduleTime {
        if let moment = try when.moment(after: start, in: environment) { return moment }
        let reader = try ScheduleTimeParser(when.bounds, after: start, in: environment)
        let text = text ?? ""
        return try translatingErrors {
            let moment = try reader.any(text)
            try reader.checkBounds(of: moment, text)
            return moment
        }
    }
}
