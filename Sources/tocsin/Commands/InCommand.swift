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
        let moment: Moment
        do throws(TimeTextError) {
            moment = try time(reader, &content)
        } catch {
            throw ToolError(error)
        }
        return try await ScheduledRequest(content: content, moment: moment, late: late)
            .perform(in: environment)
    }

    /// The time; `20 minutes` without quotes takes its unit from the beginning of the title, as a
    /// number alone is no time.
    private func time(
        _ reader: MomentReader, _ content: inout ContentOptions
    ) throws(TimeTextError) -> Moment {
        do throws(TimeTextError) {
            return try reader.span(span)
        } catch {
            let words = content.summary.split(separator: " ", omittingEmptySubsequences: false)
            guard span.allSatisfy({ $0.isNumber || $0 == "." }), let unit = words.first,
                let moment = try? reader.span("\(span) \(unit)")
            else { throw error }
            content.summary = words.dropFirst().joined(separator: " ")
            return moment
        }
    }
}
