internal import ArgumentParser

/// `tocsin schedule`: hands a notification to the daemon, which shows it later.
struct ScheduleCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Show a notification later; returns at once.",
        discussion: """
            tocsin schedule "Tea is ready" --in 3m
            tocsin schedule Call "Anna, about the tea" --at "tomorrow 8am" --action done=Done
            tocsin schedule Standup --every "weekday at 9:30" --until 2027-01-01

            \(TimeHelp.text)
            """)

    @OptionGroup var content: ContentOptions

    @OptionGroup var when: WhenOptions

    @OptionGroup var late: LateOptions

    @OptionGroup var past: PastOption

    func validate() throws {
        guard !when.given.isEmpty else {
            throw ValidationError(
                "The time is missing; give '--in 10m', '--at 8am' or '--every \"day at 9\"'")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        guard let moment = try when.moment(past: past, in: environment) else {
            throw ToolError(.usage, "The time is missing; give '--in 10m' or '--at 8am'.")
        }
        return try await ScheduledRequest(content: content, moment: moment, late: late)
            .perform(in: environment)
    }
}
