internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// When a notification is to be shown, in one of five ways.
struct WhenOptions: ParsableArguments {
    @Option(
        name: .customLong("in"), parsing: .unconditional,
        help: ArgumentHelp("After this length of time.", valueName: "span"))
    var span: String?

    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: ArgumentHelp("At this time.", valueName: "time"))
    var time: String?

    @Option(
        name: .customLong("every"), parsing: .unconditional,
        help: ArgumentHelp("Again and again, by a rule in words.", valueName: "rule"))
    var rule: String?

    @Option(
        name: .customLong("on-calendar"), parsing: .unconditional,
        help: ArgumentHelp("By a calendar expression of systemd.", valueName: "spec"))
    var calendar: String?

    @Option(
        name: .customLong("cron"), parsing: .unconditional,
        help: ArgumentHelp("By a cron expression of five fields.", valueName: "expr"))
    var cron: String?

    @OptionGroup var bounds: BoundsOptions

    /// The ways that are given, by name.
    var given: [String] {
        [
            (span, "--in"), (time, "--at"), (rule, "--every"), (calendar, "--on-calendar"),
            (cron, "--cron"),
        ].filter { $0.0 != nil }.map(\.1)
    }

    func validate() throws {
        guard given.count <= 1 else {
            throw ValidationError("'\(given[0])' and '\(given[1])' exclude each other; give one")
        }
        if let bound = bounds.bound, span != nil || time != nil {
            throw ValidationError("'\(bound)' belongs to a rule; give it with '--every'")
        }
    }

    /// What the option that is given says; nil where none is.
    func moment(
        after now: Instant? = nil, past: PastOption? = nil, in environment: ToolEnvironment
    ) throws(ToolError) -> Moment? {
        let reader = try MomentReader(bounds, after: now, past: past, in: environment)
        do throws(TimeTextError) {
            if let span { return try reader.span(span) }
            if let time { return try reader.time(time) }
            if let rule { return try reader.words(rule) }
            if let calendar { return try reader.calendar(calendar) }
            if let cron { return try reader.cron(cron) }
            return nil
        } catch {
            throw ToolError(error)
        }
    }
}
