internal import ArgumentParser
internal import NotificationSchedule

/// `tocsin in`: `schedule --in`, in short.
struct InCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "in", abstract: "Show a notification after a length of time.",
        discussion: """
            tocsin in 20m Turn the oven off

            \(TimeHelp.text)
            """)

    @Argument(help: "How long from now.")
    var span: String

    @OptionGroup var content: ContentOptions

    @Argument(help: "More words of the title.")
    var words: [String] = []

    @OptionGroup var bounds: BoundsOptions

    @OptionGroup var late: LateOptions

    @OptionGroup var past: PastOption

    func validate() throws {
        if let bound = bounds.bound {
            throw ValidationError("'\(bound)' belongs to a rule; give it with 'tocsin every'")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let reader = try MomentReader(bounds, past: past, in: environment)
        var content = content.titled(with: words)
        // A number alone is no length of time; its unit may be the next word.
        let isNumber = span.allSatisfy { $0.isNumber || $0 == "." }
        let moment = try LeadingTime(text: span, limit: isNumber ? 1 : 0).read(before: &content) {
            text throws(TimeTextError) in try reader.span(text)
        }
        return try await ScheduledRequest(content: content, moment: moment, late: late)
            .perform(in: environment)
    }
}
