internal import ArgumentParser
internal import NotificationSchedule

/// `tocsin at`: `schedule --at`, in short.
struct AtCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "at", abstract: "Show a notification at a time.",
        discussion: """
            tocsin at "fri 15:00" Water the plants
            tocsin at "tomorrow 8am" - <note.txt

            \(TimeHelp.text)
            """)

    @Argument(help: "When.")
    var time: String

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
        let moment = try LeadingTime(text: time, limit: 3).read(before: &content) {
            text throws(TimeTextError) in try reader.time(text)
        }
        return try await ScheduledRequest(content: content, moment: moment, late: late)
            .perform(in: environment)
    }
}
