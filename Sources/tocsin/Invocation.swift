internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

/// What a command line asks for.
enum Invocation {
    /// A command to perform.
    case command(any ToolCommand)
    /// A text to print: help or the version.
    case text(String)

    /// Reads a command line; what is wrong with it is one line with its remedy.
    static func parse(_ arguments: [String]) throws(ToolError) -> Invocation {
        if let command = PlainSend(arguments) { return .command(command) }
        try checkSign(arguments)
        if let command = named(arguments) { return .command(command) }
        do {
            var parsed = try Tocsin.parseAsRoot(arguments)
            if let command = parsed as? any ToolCommand { return .command(command) }
            // The parser's own commands, which throw the help that was asked for.
            try parsed.run()
            return .text(Tocsin.helpMessage(columns: columns))
        } catch {
            guard Tocsin.exitCode(for: error) != .success else {
                let text = Tocsin.fullMessage(for: error, columns: columns)
                let isScript = arguments.first == "--generate-completion-script"
                return .text(isScript ? CompletionScript.completed(text, commands: shown) : text)
            }
            throw ToolError(.usage, message(Tocsin.message(for: error), arguments))
        }
    }

    /// The command that the first argument names, if it accepts the others.
    ///
    /// From the root the parser builds the options of every command first, which takes longer
    /// than sending. What is not accepted is read again from there, for the message that fits.
    private static func named(_ arguments: [String]) -> (any ToolCommand)? {
        let type = Tocsin.configuration.subcommands.first {
            $0.configuration.commandName == arguments.first
        }
        guard let type else { return nil }
        return try? type.parse(Array(arguments.dropFirst())) as? any ToolCommand
    }

    private static let columns = 100

    /// The names of the commands that the help has.
    private static var shown: [String] {
        Tocsin.configuration.subcommands.compactMap {
            $0.configuration.shouldDisplay ? $0.configuration.commandName : nil
        }
    }

    /// The short forms take a time first, and one with a minus sign would be taken for an option.
    private static func checkSign(_ arguments: [String]) throws(ToolError) {
        guard arguments.count > 1, ["in", "at", "every"].contains(arguments[0]) else { return }
        let text = arguments[1]
        guard text.hasPrefix("-"), text.dropFirst().first?.isNumber == true else { return }
        throw ToolError(
            TimeTextError(
                text: text, range: 0..<1, problem: "A time does not begin with '-'",
                remedy: "write a length of time from now on, such as '10m', or a date"))
    }

    /// For a first word that is no command.
    private static func unknownCommand(_ word: String) -> String {
        let hint = KnownWords.hint(for: word.lowercased(), among: shown + ["help"])
            .map { " Did you mean '\($0)'?" }
        return "There is no command \(TerminalEscaping.line(word).quotedForMessage())."
            + (hint ?? "") + " See 'tocsin --help'."
    }

    private static func message(_ problem: String, _ arguments: [String]) -> String {
        let line = problem.split(whereSeparator: \.isNewline)
            .map { $0.drop { $0 == " " } }.joined(separator: " ")
        let names = Tocsin.configuration.subcommands.compactMap { $0.configuration.commandName }
        if let word = arguments.first, !word.hasPrefix("-"), !names.contains(word), word != "help" {
            return unknownCommand(word)
        }
        let command = arguments.first.flatMap { names.contains($0) ? "tocsin \($0)" : nil }
        let mark = line.last.map { ".?!".contains($0) } == true ? "" : "."
        let isDash = problem.contains("<summary>") && arguments.contains { $0.hasPrefix("-") }
        let dash = isDash ? " A text that begins with '-' goes after '--'." : ""
        let isReply =
            problem.contains("<summary>")
            && arguments.contains { $0 == "--reply" || $0 == "--reply=" }
        let reply = isReply ? " Write '--reply' after the title, or '--reply=TEXT'." : ""
        return "\(line)\(mark)\(dash)\(reply) See '\(command ?? "tocsin") --help'."
    }
}
