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
            throw ToolError(timeAlone(reader) ?? error)
        }
        let content = content.titled(with: words)
        try checkQuotes(reader, title: content.summary)
        return try await ScheduledRequest(
            content: content, moment: moment, late: late
        ).perform(in: environment)
    }

    /// What is said of a time where a rule is wanted: on which days, nobody can tell.
    private func timeAlone(_ reader: MomentReader) -> TimeTextError? {
        guard (try? reader.words("day at \(rule)")) != nil else { return nil }
        return TimeTextError(
            text: rule, range: 0..<max(1, rule.count),
            problem: "A time alone does not say which days",
            remedy: "write 'day at \(rule)' or 'weekday at \(rule)'")
    }

    /// A rule without quotes would be cut behind its first word, and its rest be a title.
    private func checkQuotes(_ reader: MomentReader, title: String) throws(ToolError) {
        guard title.hasPrefix("at ") else { return }
        let words = title.split(separator: " ").prefix(3).map(String.init)
        for count in 2...3 where count <= words.count {
            let longer = ([rule] + words.prefix(count)).joined(separator: " ")
            guard (try? reader.words(longer)) != nil else { continue }
            throw ToolError(
                .usage,
                "The rule would be '\(rule)' and the title '\(title)'; nothing was scheduled. Put "
                    + "quotes around the rule: tocsin every \"\(longer)\" …")
        }
    }
}
