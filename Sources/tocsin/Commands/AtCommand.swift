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
        let moment: Moment
        do throws(TimeTextError) {
            moment = try time(reader, &content)
        } catch {
            throw ToolError(error)
        }
        return try await ScheduledRequest(content: content, moment: moment, late: late)
            .perform(in: environment)
    }

    /// The time; `tomorrow 8am` without quotes takes as few words as make it one from the beginning
    /// of the title, as a day alone is no time.
    private func time(
        _ reader: MomentReader, _ content: inout ContentOptions
    ) throws(TimeTextError) -> Moment {
        do throws(TimeTextError) {
            return try reader.time(time)
        } catch {
            let words = content.summary.split(separator: " ", omittingEmptySubsequences: false)
            for count in 1..<max(min(words.count, 4), 1) {
                let text = ([Substring(time)] + words.prefix(count)).joined(separator: " ")
                guard let moment = try? reader.time(text) else { continue }
                content.summary = words.dropFirst(count).joined(separator: " ")
                return moment
            }
            throw error
        }
    }
}
