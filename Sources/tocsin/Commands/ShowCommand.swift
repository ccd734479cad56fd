internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// `tocsin show`: everything about one notification, and why it is not shown.
struct ShowCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all about one notification, and why it did not show.",
        discussion: """
            What it says, when it fires next, what keeps it from being shown, which of its dates \
            came to nothing, and what the notification server lacks for it. What is gone because it \
            was refused, too late or not allowed is told of for seven days.

            With '--json' the object that 'export' writes, and "next" (the next dates), "reasons" \
            (why it is not shown), "lacks", "commands" and "records": objects with date, due, reason \
            (refused, late, denied, skipped, damaged or failed) and message. The state of what is \
            gone is "ended".

            \(IdentifierText.help)
            """)

    @Argument(
        help: ArgumentHelp("Which one.", valueName: "id"), completion: IdentifierText.completion)
    var identifier: String

    @Option(name: [.customShort("n"), .customLong("number")], help: "How many of its next dates.")
    var number = 3

    @OptionGroup var selection: AppSelection

    @Flag(help: "Prints one JSON object.")
    var json = false

    func validate() throws {
        guard (1...1_000).contains(number) else {
            throw ValidationError("'-n' is \(number); give a number from 1 to 1000")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let app = try selection.resolved()
        let center = try await Center.openOrInbox(environment, reading: true)
        let found = try await Found.find(identifier, of: app, at: center)
        let report = try await report(found, at: center, in: environment)
        if json {
            try Output.line(try report.object().text)
        } else {
            try Output.write(report.text)
        }
        return .done
    }

    private func report(
        _ found: Found, at center: Center, in environment: ToolEnvironment
    ) async throws(ToolError) -> ShowReport {
        do throws(NotificationError) {
            let permission =
                center.waitsForLogin
                ? nil : try await center.service.settings(of: found.app).permission
            let content = found.request.content
            let categories =
                center.waitsForLogin ? [] : try await center.service.categories(of: found.app)
            let known = categories.first { $0.identifier == content.categoryIdentifier }
            let zone = environment.zone
            return ShowReport(
                found: found, category: content.category(over: known),
                commands: (try? CommandFile(environment).read())?[found.key],
                dates: found.dates(number, in: environment),
                dateZone: environment.zone(of: found.request.trigger),
                explanation: Explanation(
                    status: try await center.status(), permission: permission,
                    times: RelativeTime(now: environment.now, zone: zone)),
                records: try await center.records(
                    of: found.app, identifiers: [found.request.identifier]))
        } catch {
            throw ToolError(error)
        }
    }
}

extension Found {
    /// The app and identifier.
    fileprivate var key: NotificationKey {
        NotificationKey(app: app, identifier: request.identifier)
    }

    /// The next dates of what waits.
    fileprivate func dates(_ number: Int, in environment: ToolEnvironment) -> [Occurrence] {
        guard case .pending(let pending) = self else { return [] }
        return Upcoming(in: environment).dates(of: pending, limit: number)
    }
}
