internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// The report of `tocsin show`.
struct ShowReport {
    var found: ListedNotification
    /// The category of the content, with the content's own buttons.
    var category: NotificationCategory?
    var commands: ClickCommands?
    var dates: [Occurrence]
    /// The zone of the trigger, in which `dates` are printed.
    var dateZone: ZoneRules
    var explanation: Explanation
    /// The records of dates that were not shown, newest first.
    var records: [NotificationRecord] = []

    private var times: RelativeTime { explanation.times }

    private var reasons: [String] {
        switch found {
        case .pending(let pending): explanation.obstacles(to: pending)
        case .delivered: explanation.silence
        case .ended: times.lines(Array(records.prefix(1)))
        }
    }

    /// The dates that were not shown.
    ///
    /// If the notification has ended, `reasons` has the newest date, so this list leaves it out.
    private var missed: [String] {
        guard case .ended = found else { return times.lines(records) }
        return times.lines(Array(records.dropFirst()))
    }

    private var lacks: [String] {
        if case .ended = found { return [] }
        return explanation.missing(for: found.request.content, category)
    }

    var text: String {
        let content = found.request.content
        var table = TextTable(heading: ["Notification", found.request.identifier])
        func add(_ name: String, _ text: String) {
            for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
                table.add([index == 0 ? name : "", String(line)])
            }
        }
        add("App", found.key.app.rawValue)
        add("Title", content.title)
        add("Subtitle", content.subtitle)
        add("Text", content.body)
        add("State", state)
        if case .ended = found {} else { add("When", times.text(of: found.request.trigger)) }
        for (index, date) in dates.enumerated() {
            table.add([
                index == 0 ? "Next" : "",
                RelativeTime(now: times.now, zone: dateZone).line(date),
            ])
        }
        add("Late", explanation.lateness(found.request) ?? "")
        add("Level", content.interruptionLevel == .active ? "" : content.interruptionLevel.name)
        add("Buttons", buttons)
        for attachment in content.attachments { add("Attachment", attachment.path) }
        add("Runs", commands?.text ?? "")
        for reason in reasons { add("Not shown", reason) }
        for line in missed { add("Missed", line) }
        for lack in lacks { add("Lacks", lack) }
        return table.text
    }

    private var state: String {
        switch found {
        case .pending(let pending):
            pending.state == .presenting ? "on its way to the server" : "waits"
        case .delivered(let delivered):
            "delivered \(times.full(delivered.date))"
        case .ended: "neither pending nor delivered"
        }
    }

    private var buttons: String {
        (category?.actions ?? []).map { "\($0.title) (\($0.identifier))" }.joined(separator: ", ")
    }

    /// The object of `--json`: the object of `export`, with further members.
    func object() throws(ToolError) -> RecordValue {
        let format = NotificationJSON(
            zone: times.zone,
            waitsForLogin: explanation.status.hosting == InboxService.hosting)
        return .record(
            format.members(found, isWhole: true) + [
                .init("next", dates.map { times.zone.rfc3339($0.instant) }),
                .init("reasons", reasons), .init("lacks", lacks),
                .init("commands", commands?.object ?? .null),
                .init("records", .list(records.map(times.object))),
            ])
    }
}

/// `tocsin show`: shows everything about one notification, and why it is not shown.
struct ShowCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything about one notification, and why it was not shown.",
        discussion: """
            Prints the notification's texts, its next dates, the reasons why it is not shown, its \
            missed dates, and the features that the notification server lacks for it. A \
            notification that was refused, too late or not allowed is found here for seven days.

            '--json' prints the object that 'export' writes, with "next" (the next dates), \
            "reasons" (why it is not shown), "lacks", "commands" and "records" added. Each record \
            has date, due, reason (refused, late, denied, skipped, damaged or failed) and \
            message. The state is "ended" if the notification is neither pending nor delivered.

            \(NotificationLookup.help)
            """)

    @Argument(help: NotificationLookup.argument, completion: NotificationLookup.completion)
    var identifier: String

    @Option(
        name: [.customShort("n"), .customLong("number")], help: "How many next dates are printed.")
    var number = 3

    @OptionGroup var selection: AppSelection

    @Flag(help: "Prints one JSON object.")
    var json = false

    func validate() throws {
        guard Limits.shownDates.contains(number) else {
            throw ValidationError(
                "'-n' is \(number); give a number from 1 to \(Limits.shownDates.most)")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let app = try selection.resolved()
        let center = try await CenterClient.openOrInbox(environment, reading: true)
        let found = try await NotificationLookup.anywhere(identifier, of: app, at: center)
        let report = try await report(found, at: center, in: environment)
        if json {
            try Output.line(try report.object().text)
        } else {
            try Output.write(report.text)
        }
    }

    private func report(
        _ found: ListedNotification, at center: CenterClient, in environment: ToolEnvironment
    ) async throws -> ShowReport {
        let (app, content) = (found.key.app, found.request.content)
        // The calls run at the same time, because each call waits for a round trip.
        async let permission =
            center.waitsForLogin ? nil : center.service.settings(of: app).permission
        async let categories = center.waitsForLogin ? [] : center.service.categories(of: app)
        async let status = center.status()
        async let records = center.records(of: app, identifiers: [found.key.identifier])
        let known = try await categories.first { $0.identifier == content.categoryIdentifier }
        return ShowReport(
            found: found, category: content.category(over: known),
            commands: (try? CommandFile(environment).read())?[found.key],
            dates: found.dates(number, in: environment),
            dateZone: environment.zone(of: found.request.trigger),
            explanation: Explanation(
                status: try await status, permission: try await permission,
                times: RelativeTime(environment)),
            records: try await records)
    }
}

extension ListedNotification {
    fileprivate func dates(_ number: Int, in environment: ToolEnvironment) -> [Occurrence] {
        guard case .pending(let pending) = self else { return [] }
        return FireDateForecast(environment: environment).dates(of: pending, limit: number)
    }
}
