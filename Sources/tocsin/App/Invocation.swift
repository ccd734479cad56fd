internal import ArgumentParser
internal import NotificationModel
internal import NotificationSchedule

enum Invocation {
    case command(any ToolCommand)
    /// A text to print: help or the version.
    case text(String)

    /// Reads a command line; the message of the error is one line with a remedy.
    static func parse(_ arguments: [String]) throws(ToolError) -> Invocation {
        if let command = PlainSend(arguments) { return .command(command) }
        try checkSign(arguments)
        try checkHelp(arguments)
        if let command = named(arguments) { return .command(command) }
        do {
            var parsed = try Tocsin.parseAsRoot(arguments)
            if let command = parsed as? any ToolCommand { return .command(command) }
            // The parser's own commands, such as `help`, throw the text to print.
            try parsed.run()
            return .text(Tocsin.helpMessage(columns: columns))
        } catch {
            guard Tocsin.exitCode(for: error) != .success else {
                let text = Tocsin.fullMessage(for: error, columns: columns)
                let isScript = arguments.first == "--generate-completion-script"
                return .text(isScript ? CompletionScript.completed(text, commands: shown) : text)
            }
            throw ToolError.usage(message(Tocsin.message(for: error), arguments))
        }
    }

    /// The command that the first argument names, if it accepts the other arguments.
    ///
    /// A parser that starts at the root builds the options of every command, which takes longer
    /// than sending. If the command rejects its arguments, the caller parses them again from the
    /// root, because only the error of that parse has the right message.
    private static func named(_ arguments: [String]) -> (any ToolCommand)? {
        let type = Tocsin.configuration.subcommands.first {
            $0.configuration.commandName == arguments.first
        }
        guard let type else { return nil }
        return try? type.parse(Array(arguments.dropFirst())) as? any ToolCommand
    }

    private static let columns = 100

    /// The names of all commands.
    private static var names: [String] {
        Tocsin.configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// The names of the commands that the help lists.
    private static var shown: [String] {
        Tocsin.configuration.subcommands.compactMap {
            $0.configuration.shouldDisplay ? $0.configuration.commandName : nil
        }
    }

    /// The positions of the arguments that may begin a time, for each command.
    private static let timePlaces = [
        "in": [1], "at": [1], "every": [1], "next": [1], "move": [2], "snooze": [1, 2],
    ]

    /// Rejects a time with a minus sign, because the parser would read it as an option.
    private static func checkSign(_ arguments: [String]) throws(ToolError) {
        let places = timePlaces[arguments.first ?? ""] ?? []
        // After '--', a text with a minus sign may be an identifier.
        let texts = places.filter { $0 < arguments.count && !arguments[..<$0].contains("--") }
            .map { arguments[$0] }
        guard let text = texts.first(where: isNegative) else { return }
        throw ToolError(
            TimeTextError(
                text: text, range: 0..<1, problem: "A time does not begin with '-'",
                remedy: "write a length of time from now, such as '10m', or a date"))
    }

    /// Rejects `help` for an unknown command, because the parser would print the whole tool's help.
    private static func checkHelp(_ arguments: [String]) throws(ToolError) {
        guard arguments.first == "help", let word = arguments.dropFirst().first,
            !word.hasPrefix("-"), word != "help", !names.contains(word)
        else { return }
        throw ToolError.usage(unknownCommand(word))
    }

    private static func isNegative(_ text: String) -> Bool {
        text.hasPrefix("-") && text.dropFirst().first?.isNumber == true
    }

    private static func unknownCommand(_ word: String) -> String {
        let hint = KnownWords.hint(for: word.lowercased(), among: shown + ["help"])
            .map { " Did you mean '\($0)'?" }
        return "There is no command \(TerminalEscaping.line(word).quotedForMessage())."
            + (hint ?? "") + " See 'tocsin --help'."
    }

    /// Whether the parser may have read an ID that begins with '-' as an option.
    ///
    /// In the commands that take an ID, the options begin with two minus signs, except for `-h`,
    /// and `-n` of `show`.
    private static func lacksIdentifier(_ line: String, _ arguments: [String]) -> Bool {
        let isShow = arguments.first == "show"
        let hasDash = arguments.contains { argument in
            if isShow, argument == "-n" || argument.hasPrefix("-n=") { return false }
            return argument.hasPrefix("-") && !argument.hasPrefix("--")
        }
        return hasDash
            && ["show", "remove", "cancel", "move", "skip", "snooze"].contains(arguments.first)
            && (line.hasPrefix("Missing expected argument") || line.contains(" missing; give ")
                || line.hasPrefix("Unknown option '-") && !line.hasPrefix("Unknown option '--"))
    }

    private static func message(_ problem: String, _ arguments: [String]) -> String {
        let line = problem.split(whereSeparator: \.isNewline)
            .map { $0.drop { $0 == " " } }.joined(separator: " ")
        if let word = arguments.first, !word.hasPrefix("-"), !names.contains(word), word != "help" {
            return unknownCommand(word)
        }
        let command = arguments.first.flatMap { names.contains($0) ? "tocsin \($0)" : nil }
        let mark = line.last.map { ".?!".contains($0) } == true ? "" : "."
        let lacksTitle = problem.contains("<summary>")
        let isID = !lacksTitle && lacksIdentifier(line, arguments)
        let isDash = isID || lacksTitle && arguments.contains { $0.hasPrefix("-") }
        let dash =
            isDash ? " \(isID ? "An ID" : "A text") that begins with '-' goes after '--'." : ""
        // The parser reads a negative number as an option, and then misses the value.
        let isSigned =
            !isDash && line.hasPrefix("Missing") && arguments.contains(where: isNegative)
        let sign = isSigned ? " A negative number cannot be used here." : ""
        let isReply = lacksTitle && arguments.contains { ["--reply", "--reply="].contains($0) }
        let reply = isReply ? " Write '--reply' after the title, or '--reply=TEXT'." : ""
        return "\(line)\(mark)\(dash)\(sign)\(reply) See '\(command ?? "tocsin") --help'."
    }
}

/// Checks that the command line is UTF-8, and removes control characters from its texts.
enum ArgumentSanitizer {
    /// Returns the arguments; throws an error if an argument is not UTF-8.
    ///
    /// Swift replaces invalid bytes by U+FFFD. The raw bytes are read only if U+FFFD occurs.
    static func checked(
        _ arguments: [String],
        bytes: () -> [ArraySlice<UInt8>] = {
            Array(ProcessFile.strings("/proc/self/cmdline").dropFirst())
        }
    ) throws(ToolError) -> [String] {
        guard arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else {
            return arguments
        }
        for (index, raw) in bytes().enumerated() where String(validating: raw, as: UTF8.self) == nil
        {
            throw ToolError.usage(
                "Argument \(index + 1) is not valid UTF-8. Convert the text, for example with "
                    + "'iconv -f latin1 -t utf-8'.")
        }
        return arguments
    }

    /// Removes control characters, which no server shows and D-Bus may refuse; line feeds and tabs
    /// stay.
    static func cleaned(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnwanted) else { return text }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text.unicodeScalars.filter { !isUnwanted($0) })
        return String(result)
    }

    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 && scalar != "\n" && scalar != "\t")
            || (0x7F...0x9F).contains(scalar.value)
    }
}

/// Makes the parser's completion scripts offer the names of commands after `tocsin help`.
enum CompletionScript {
    private static let zshStub = "'*:subcommands:'"
    private static let bashStub = "_tocsin_help() {\n"
    private static let fishOffer = "complete -c 'tocsin' -n '__tocsin_should_offer_completions_for_"

    /// The completed script; a script of unknown form stays unchanged.
    static func completed(_ script: String, commands: [String]) -> String {
        let names = commands.joined(separator: " ")
        if script.hasPrefix("#compdef") {
            return script.replacing(zshStub, with: "'*:subcommands:(\(names))'")
        }
        if script.contains(fishOffer) {
            let line = "\(fishOffer)positional \"tocsin help\" -ge 1' -fa '\(names)'\n"
            return script.hasSuffix("\n") ? script + line : script + "\n" + line
        }
        return script.replacing(
            bashStub,
            with: bashStub + "    COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))\n")
    }
}
