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
        let reader = try ScheduleTimeParser(bounds, past: past, in: environment)
        let moment: ScheduleTime
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
    private func timeAlone(_ reader: ScheduleTimeParser) -> TimeTextError? {
        guard (try? reader.words("day at \(rule)")) != nil else { return nil }
        return TimeTextError(
            text: rule, range: 0..<max(1, rule.count),
            problem: "A time alone does not say which days",
            remedy: "write 'day at \(rule)' or 'weekday at \(rule)'")
    }

    /// A rule without quotes would be cut behind its first word, and its rest be a title.
    private func checkQuotes(_ reader: ScheduleTimeParser, title: String) throws(ToolError) {
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
        let reader = try ScheduleTimeParser(bounds, past: past, in: environment)
        var content = content.titled(with: words)
        let moment = try LeadingTime(text: time, limit: 3).read(before: &content) {
            text throws(TimeTextError) in try reader.time(text)
        }
        return try await ScheduledRequest(content: content, moment: moment, late: late)
            .perform(in: environment)
    }
}

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
        let reader = try ScheduleTimeParser(bounds, past: past, in: environment)
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

/// A time before a title, which goes on in the title's first words where it was written without
/// quotes: `in 20 minutes Tea`, `at tomorrow 8am Tea`.
struct LeadingTime {
    var text: String
    /// How many words of the title may belong to it.
    var limit: Int

    /// Reads it alone, or with as few words as make it a time, which are taken from the title.
    func read(
        before content: inout ContentOptions,
        _ moment: (String) throws(TimeTextError) -> ScheduleTime
    ) throws(ToolError) -> ScheduleTime {
        do throws(TimeTextError) {
            return try moment(text)
        } catch {
            let words = content.summary.split(separator: " ", omittingEmptySubsequences: false)
            for count in 1..<min(words.count, limit) + 1 {
                let longer = ([Substring(text)] + words.prefix(count)).joined(separator: " ")
                guard let moment = try? moment(longer) else { continue }
                content.summary = words.dropFirst(count).joined(separator: " ")
                return moment
            }
            throw ToolError(error)
        }
    }
}
