internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// The five options for the time of a notification; they exclude each other.
struct WhenOptions: ParsableArguments {
    @Option("After this length of time.", value: "span", name: .customLong("in"))
    var span: String?

    @Option("At this time.", value: "time", name: .customLong("at"))
    var time: String?

    @Option("Again and again, by a rule in words.", value: "rule", name: .customLong("every"))
    var rule: String?

    @Option("By a calendar expression of systemd.", value: "spec", name: .customLong("on-calendar"))
    var calendar: String?

    @Option("By a cron expression of five fields.", value: "expr", name: .customLong("cron"))
    var cron: String?

    @OptionGroup var bounds: BoundsOptions

    private var ways:
        [(
            name: String, text: String?,
            read: (ScheduleTimeParser) -> (String) throws(TimeTextError) -> ScheduleTime
        )]
    {
        [
            ("--in", span, ScheduleTimeParser.span), ("--at", time, ScheduleTimeParser.time),
            ("--every", rule, ScheduleTimeParser.words),
            ("--on-calendar", calendar, ScheduleTimeParser.calendar),
            ("--cron", cron, ScheduleTimeParser.cron),
        ]
    }

    var given: [String] { ways.filter { $0.text != nil }.map(\.name) }

    func validate() throws {
        guard given.count <= 1 else {
            throw ValidationError("'\(given[0])' and '\(given[1])' exclude each other; give one")
        }
        if let bound = bounds.bound, span != nil || time != nil {
            throw ValidationError("'\(bound)' belongs to a rule; give it with '--every'")
        }
    }

    /// The time of the given option; nil if no option is given.
    func moment(
        after now: Instant? = nil, past: PastOption? = nil, in environment: ToolEnvironment
    ) throws(ToolError) -> ScheduleTime? {
        let reader = try ScheduleTimeParser(bounds, after: now, past: past, in: environment)
        return try translatingErrors {
            for way in ways {
                if let text = way.text { return try way.read(reader)(text) }
            }
            return nil
        }
    }
}

/// The zone of the given times, and the end of a rule.
struct BoundsOptions: ParsableArguments {
    @Option("The time zone, such as Europe/Berlin.", value: "zone", name: .customLong("tz"))
    var zone: String?

    @Option("The last time or the last day at which a rule may fire.", value: "time")
    var until: String?

    @Option(help: ArgumentHelp("How many times a rule fires.", valueName: "number"))
    var count: Int?

    /// The name of a given option that bounds a rule; nil if no such option is given.
    var bound: String? { until != nil ? "--until" : count != nil ? "--count" : nil }

    /// The zone of `--tz`; the user's zone without the option.
    func resolvedZone(in environment: ToolEnvironment) throws(ToolError) -> ZoneRules {
        guard let zone else { return environment.zone }
        guard let found = environment.rules(named: zone) else {
            throw ToolError.data(
                "There is no time zone \(zone.quotedForMessage()). Write its name as in "
                    + "/usr/share/zoneinfo, such as 'Europe/Berlin'.")
        }
        return found
    }

    func validate() throws {
        if let count, count < 1 {
            throw ValidationError("'--count' is \(count); give a number of at least 1")
        }
    }
}

/// The option that shows a notification now if its time is past.
struct PastOption: ParsableArguments {
    @Flag(name: .customLong("past-ok"), help: "Shows a notification now if its time is past.")
    var isOK = false
}

struct LateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Dates missed while the machine is off or asleep: "
                + "'once' shows one notification late, 'skip' skips the dates.",
            valueName: "once|skip"))
    var catchUp = NamedOption(value: CatchUp.once)

    @Option("Skips a date that is late by more than this length of time.", value: "span")
    var grace: String?

    func apply(to request: inout NotificationRequest) throws(ToolError) {
        request.catchUp = catchUp.value
        request.grace = try translatingErrors { try grace.map { try Span($0).seconds } }
    }
}

/// The help of several commands about times and rules.
enum TimeHelp {
    static let text = """
        SPAN: 10m, 1h30m, 90s, 2 days ('m' is minutes). TIME: 8am, 20:15, noon, midnight, \
        tonight, tomorrow 8am, fri 15:00, 2026-12-24 18:00, tomorrow 10am America/New_York, \
        2026-12-24T18:00:00+01:00, @1790000000, now + 10 minutes. A time without a day is its next \
        occurrence.

        RULE: 15m, day at 9, weekday at 9:30, weekend at 10, mon,wed at 9, 2 weeks on friday at \
        9, month on the 1st, month on the last day at 18:00, first monday of month at 10, last \
        friday of month at 17:00, year on december 24 at 18:00. SPEC: as in systemd.time(7), \
        'Mon..Fri *-*-* 9:30 Europe/Berlin'. EXPR: as in crontab(5), '30 9 * * 1-5', '@daily'.

        If a spring clock change removes a time, the notification fires at the end of the gap (a \
        SPEC skips that time). If an autumn change repeats a time, the notification fires once. \
        An EXPR whose minute or hour begins with '*' does not fire at a removed time, and fires \
        twice at a repeated time. The resulting date is printed.
        """
}
