internal import ArgumentParser
internal import NotificationSchedule

/// `tocsin every`: `schedule --every`, in short.
struct EveryCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "every", abstract: "Show a notification again and again.",
        discussion: """
            tocsin every "weekday at 9:30" Standup --id standup

            \(TimeHelp.text)
            """)

    @Argument(help: "By which rule.")
    var rule: String

    @OptionGroup var content: ContentOptions

    @Argument(help: "More words of the title.")
    var words: [String] = []

    @OptionGroup var bounds: BoundsOptions

    @OptionGroup var late: LateOptions

    @OptionGroup var past: PastOption

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let reader = try MomentReader(bounds, past: past, in: environment)
        let moment: Moment
        do throws(TimeTextError) {
            moment = try reader.words(rule)
        } catch {
            throw ToolError(error)
        }
        return try await ScheduledRequest(
            content: content.titled(with: words), moment: moment, late: late
        ).perform(in: environment)
    }
}
