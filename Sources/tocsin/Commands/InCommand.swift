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
        let moment: Moment
        do throws(TimeTextError) {
            moment = try reader.span(span)
        } catch {
            throw ToolError(error)
        }
        return try await ScheduledRequest(
            content: content.titled(with: words), moment: moment, late: late
        ).perform(in: environment)
    }
}
