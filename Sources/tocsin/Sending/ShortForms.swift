internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// A first argument that gives the time; each conforming type makes a short form of `schedule`.
protocol LeadingTime {
    static var configuration: CommandConfiguration { get }
    static var argument: ArgumentHelp { get }

    /// Reads the time; if the title begins with words of the time, removes them from the title.
    static func read(
        _ text: String, before texts: inout TextArguments, by parser: ScheduleTimeParser
    ) throws(ToolError) -> ScheduleTime

    /// `time` or `rule`, for messages.
    static var noun: String { get }

    /// Reads a text that is only the time.
    static func whole(
        _ text: String, by parser: ScheduleTimeParser
    ) throws(TimeTextError) -> ScheduleTime
}

/// A short form of `schedule`: its first argument is the time, and the title follows.
struct ShortForm<Time: LeadingTime>: ParsableCommand, PlainCommand {
    static var configuration: CommandConfiguration { Time.configuration }

    @Argument(help: Time.argument)
    var time: String

    @Argument(
        help: ArgumentHelp(
            "The words of the title; '-' reads a text, as above.", valueName: "summary"))
    var words: [String]

    @OptionGroup var content: ContentOptions

    @OptionGroup var bounds: BoundsOptions

    @OptionGroup var late: LateOptions

    @OptionGroup var past: PastOption

    func validate() throws {
        if Time.self != LeadingRule.self, let bound = bounds.bound {
            throw ValidationError("'\(bound)' belongs to a rule; give it with 'tocsin every'")
        }
    }

    func run(in environment: ToolEnvironment) async throws {
        let parser = try ScheduleTimeParser(bounds, past: past, in: environment)
        let (moment, texts) = try read(by: parser)
        try await ScheduledRequest(texts, content, at: moment, late: late, in: environment)
            .run(in: environment)
    }

    /// Reads the time and the title.
    ///
    /// Refuses a title whose first words continue the time, as in `at 8am friday Tea`. Such a
    /// notification would be shown at another time than the user wrote.
    func read(
        by parser: ScheduleTimeParser
    ) throws(ToolError) -> (moment: ScheduleTime, texts: TextArguments) {
        var texts = TextArguments.titled(with: words)
        let moment: ScheduleTime
        do throws(ToolError) {
            moment = try Time.read(time, before: &texts, by: parser)
        } catch {
            throw missingQuotes(title: texts.summary, by: parser) ?? error
        }
        if let error = missingQuotes(moment, title: texts.summary, by: parser) { throw error }
        return (moment, texts)
    }

    /// The error for a title whose first words continue the time; nil for any other title.
    ///
    /// `moment` is the time without these words; nil if the time cannot be read without them. An
    /// argument with a blank is not a word of the time, because the user put quotes around it.
    /// The tool cannot see quotes around a single word, so the remedy for a title of one word names
    /// another command.
    private func missingQuotes(
        _ moment: ScheduleTime? = nil, title: String, by parser: ScheduleTimeParser
    ) -> ToolError? {
        let words = words.filter { !$0.isEmpty }
        let start = words.indices.prefix(Self.mostWords).first {
            TextArguments.titled(with: Array(words[$0...])).summary == title
        }
        guard let start, !time.isEmpty else { return nil }
        let taken = ([time] + words[..<start]).joined(separator: " ")
        let others = words[start...].prefix(Self.mostWords)
            .prefix { !$0.contains(where: \.isWhitespace) }
        let alternative =
            moment == nil
            ? ""
            : title.contains(" ")
                ? ", or put quotes around the title" : ", or use 'tocsin schedule' for this title"
        for count in stride(from: others.count, to: 0, by: -1) {
            let longer = ([taken] + others.prefix(count)).joined(separator: " ")
            do throws(TimeTextError) {
                let other = try Time.whole(longer, by: parser)
                if let moment, other.trigger == moment.trigger { continue }
            } catch var error {
                // The words are a time that has passed, or '--tz' contradicts their zone.
                guard error.kind != .notUnderstood else { continue }
                error.remedy += alternative
                return ToolError(error)
            }
            return ToolError.usage(
                "The \(Time.noun) would be \(taken.quotedForMessage()) and the title "
                    + "\(title.quotedForMessage()); nothing was scheduled. Put quotes around the "
                    + "\(Time.noun): tocsin \(Self.configuration.commandName ?? "") "
                    + "\"\(longer)\" …\(alternative)")
        }
        return nil
    }

    /// The most words that a time can have after its first word, as in
    /// `2 weeks on monday and friday at 9`.
    private static var mostWords: Int { 8 }
}

/// `tocsin in`: the short form of `schedule --in`.
typealias InCommand = ShortForm<LeadingSpan>
/// `tocsin at`: the short form of `schedule --at`.
typealias AtCommand = ShortForm<LeadingDate>
/// `tocsin every`: the short form of `schedule --every`.
typealias EveryCommand = ShortForm<LeadingRule>

/// The help of the short forms about their words.
private enum ShortFormHelp {
    static let words = """
        All words after the time are the title. If the last one is '-', the text below the title \
        is read from standard input; a single '-' reads both.
        """
}

/// The length of time of `tocsin in`.
enum LeadingSpan: LeadingTime {
    static let configuration = CommandConfiguration(
        commandName: "in", abstract: "Show a notification after a length of time.",
        usage: "tocsin in SPAN WORD ... [-] [OPTION ...]",
        discussion: """
            tocsin in 20m Turn the oven off

            \(ShortFormHelp.words)

            \(TimeHelp.text)
            """)
    static let argument = ArgumentHelp("How long from now.", valueName: "span")

    /// Reads a length of time; if the argument is only a number, the next word may be its unit.
    static func read(
        _ text: String, before texts: inout TextArguments, by parser: ScheduleTimeParser
    ) throws(ToolError) -> ScheduleTime {
        try texts.takeTime(text, wordLimit: text.isNumber ? 1 : 0, parser.span)
    }

    static let noun = "time"

    static func whole(
        _ text: String, by parser: ScheduleTimeParser
    ) throws(TimeTextError) -> ScheduleTime {
        try parser.span(text)
    }
}

/// The time of `tocsin at`.
enum LeadingDate: LeadingTime {
    static let configuration = CommandConfiguration(
        commandName: "at", abstract: "Show a notification at a time.",
        usage: "tocsin at TIME WORD ... [-] [OPTION ...]",
        discussion: """
            tocsin at "fri 15:00" Water the plants
            tocsin at "tomorrow 8am" - <note.txt

            \(ShortFormHelp.words)

            \(TimeHelp.text)
            """)
    static let argument = ArgumentHelp("When.", valueName: "time")

    static func read(
        _ text: String, before texts: inout TextArguments, by parser: ScheduleTimeParser
    ) throws(ToolError) -> ScheduleTime {
        try texts.takeTime(text, wordLimit: 3, parser.time)
    }

    static let noun = "time"

    static func whole(
        _ text: String, by parser: ScheduleTimeParser
    ) throws(TimeTextError) -> ScheduleTime {
        try parser.time(text)
    }
}

/// The rule of `tocsin every`.
enum LeadingRule: LeadingTime {
    static let configuration = CommandConfiguration(
        commandName: "every", abstract: "Show a notification again and again.",
        usage: "tocsin every RULE WORD ... [-] [OPTION ...]",
        discussion: """
            tocsin every "weekday at 9:30" Standup --id standup

            \(ShortFormHelp.words)

            \(TimeHelp.text)
            """)
    static let argument = ArgumentHelp("By which rule.", valueName: "rule")

    /// Reads a rule; if the argument is only a number, the next word may be its unit.
    static func read(
        _ text: String, before texts: inout TextArguments, by parser: ScheduleTimeParser
    ) throws(ToolError) -> ScheduleTime {
        do throws(ToolError) {
            return try texts.takeTime(text, wordLimit: text.isNumber ? 1 : 0, parser.words)
        } catch {
            throw timeAlone(text, parser).map { ToolError($0) } ?? error
        }
    }

    static let noun = "rule"

    static func whole(
        _ text: String, by parser: ScheduleTimeParser
    ) throws(TimeTextError) -> ScheduleTime {
        try parser.words(text)
    }

    /// The error for a time in place of a rule, such as `9:30`; nil for any other text.
    private static func timeAlone(_ rule: String, _ parser: ScheduleTimeParser) -> TimeTextError? {
        guard (try? parser.words("day at \(rule)")) != nil else { return nil }
        return TimeTextError(
            text: rule, range: 0..<max(1, rule.count),
            problem: "A time alone does not say which days",
            remedy: "write 'day at \(rule)' or 'weekday at \(rule)'")
    }
}

extension String {
    /// Whether the text is a number without a unit.
    fileprivate var isNumber: Bool {
        !isEmpty && allSatisfy { $0.isNumber || $0 == "." }
    }
}

extension TextArguments {
    /// Reads a time; if the text alone is no time, moves the first words of the title to the text.
    ///
    /// Users leave out the quotes: `in 20 minutes Tea`, `at tomorrow 8am Tea`. The name of a zone
    /// after the time belongs to the time.
    fileprivate mutating func takeTime(
        _ text: String, wordLimit: Int,
        _ read: (String) throws(TimeTextError) -> ScheduleTime
    ) throws(ToolError) -> ScheduleTime {
        let words = summary.split(separator: " ", omittingEmptySubsequences: false)
        func longer(_ count: Int) -> String {
            ([Substring(text)] + words.prefix(count)).joined(separator: " ")
        }
        for count in 0...min(words.count, wordLimit) {
            guard let moment = try? read(longer(count)) else { continue }
            let next = words.dropFirst(count).first ?? ""
            var zoned: ScheduleTime?
            if next.contains("/"), next.first?.isLetter == true {
                do throws(TimeTextError) {
                    zoned = try read(longer(count + 1))
                } catch {
                    // The word is a zone. The time has passed there, or '--tz' contradicts it.
                    if error.kind != .notUnderstood { throw ToolError(error) }
                }
            }
            summary = words.dropFirst(zoned == nil ? count : count + 1).joined(separator: " ")
            return zoned ?? moment
        }
        return try translatingErrors { try read(text) }
    }
}
