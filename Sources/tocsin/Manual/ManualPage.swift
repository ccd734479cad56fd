internal import ArgumentParser
internal import NotificationModel

/// A manual page in mdoc(7), made from the definition of a command; pure.
///
/// It escapes every text, so that the page is valid mdoc.
struct ManualPage {
    var tool: CommandInformation
    /// The command; nil for the page of the tool itself.
    var command: CommandInformation?

    private var page: CommandInformation { command ?? tool }

    /// `tocsin-send.1`.
    var fileName: String { title + ".1" }

    private var title: String { command.map { "\(tool.name)-\($0.name)" } ?? tool.name }

    var text: String {
        var lines = [
            ".Dd November 2026", ".Dt \(title.uppercased()) 1", ".Os", ".Sh NAME",
            ".Nm \(title)", ".Nd \(MarkupEscaping.manual(Self.withoutPeriod(page.abstract)))",
        ]
        lines += [".Sh SYNOPSIS"] + synopsis + [".Sh DESCRIPTION"]
        lines += Self.paragraphs(
            command == nil
                ? "tocsind(1) keeps the scheduled notifications; D-Bus starts it when it is needed. "
                    + "The terminal may be closed, and the user may log out and in."
                : texts.description)
        if command == nil { lines += commands }
        if !page.arguments.isEmpty { lines += [".Sh OPTIONS"] + options }
        lines += [".Sh EXIT STATUS"] + Self.paragraphs(texts.exitStatus)
        lines += [".Sh SEE ALSO"] + seeAlso
        return lines.joined(separator: "\n") + "\n"
    }

    /// The discussion, and the exit statuses: those of the discussion, or else those of the tool.
    private var texts: (description: String, exitStatus: String) {
        let paragraphs = page.discussion.split(separator: "\n\n").map(String.init)
        let others = paragraphs.filter { !$0.hasPrefix(Self.exitMark) }
        let own = paragraphs.first { $0.hasPrefix(Self.exitMark) }
        return (
            others.joined(separator: "\n\n"),
            own.map { String($0.dropFirst(Self.exitMark.count)) } ?? Self.exitStatus
        )
    }

    private static let exitMark = "Exit status: "
    private static let exitStatus = """
        0 done, or the user clicked or replied, 1 failure, 2 the user dismissed it, 3 timed out, \
        64 usage, 65 bad time or payload, 69 no notification server, 75 no bus or daemon \
        unreachable, 77 not authorised.
        """

    private var synopsis: [String] {
        guard let command else {
            return [
                ".Nm", ".Ar command", ".Op Ar argument ...", ".Nm", ".Cm help", ".Ar command",
            ]
        }
        if let usage = command.usage {
            return usage.split(separator: "\n").flatMap { form -> [String] in
                let words = form.split(separator: " ", maxSplits: 2)
                let rest = words.dropFirst(2).map { MarkupEscaping.manual(String($0)) }
                return [".Nm tocsin", ".Cm \(command.name)"] + rest
            }
        }
        var lines = [".Nm tocsin", ".Cm \(command.name)"]
        if command.arguments.contains(where: { !$0.names.isEmpty }) {
            lines.append(".Op Ar option ...")
        }
        for argument in command.arguments where argument.names.isEmpty {
            let name = ".Ar \(argument.valueName)" + (argument.isRepeating ? " ..." : "")
            lines.append(argument.isOptional ? ".Op \(name.dropFirst())" : name)
        }
        return lines
    }

    private var commands: [String] {
        let list = tool.subcommands.flatMap { command in
            [".It Cm \(command.name)", MarkupEscaping.manual(command.abstract)]
        }
        return [
            ".Pp", "The commands; each has its own page, such as", ".Xr tocsin-send 1 :",
            ".Bl -tag -width schedule",
        ] + list + [
            ".El", ".Pp", "For another user, root runs",
            ".Dl sudo \\-u anna tocsin list",
            "which finds that user's bus and store.",
        ]
    }

    private var options: [String] {
        var lines = [".Bl -tag -width Ds"]
        for argument in page.arguments {
            let explanation = MarkupEscaping.manual(argument.explanation)
            guard !argument.names.isEmpty else {
                lines += [".It Ar \(argument.valueName)", explanation]
                continue
            }
            // The macro `Fl` writes the first dash.
            let names = argument.names.map { "Fl " + Self.flag($0.dropFirst()) }
            let value = argument.takesValue ? " Ar \(argument.valueName)" : ""
            lines += [".It \(names.joined(separator: " , "))\(value)", explanation]
        }
        return lines + [".El"]
    }

    private var seeAlso: [String] {
        command == nil
            ? [".Xr tocsind 1 ,", ".Xr notify-send 1"] : [".Xr tocsin 1 ,", ".Xr tocsind 1"]
    }

    // MARK: mdoc

    private static func flag(_ name: Substring) -> String {
        name.hasPrefix("-") ? "Fl \(name.dropFirst())" : String(name)
    }

    /// Splits a text into paragraphs; an example of a command keeps a line of its own.
    private static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n\n") {
            if !lines.isEmpty { lines.append(".Pp") }
            for line in paragraph.split(separator: "\n") {
                lines.append(
                    line.hasPrefix("tocsin ")
                        ? ".Dl \(MarkupEscaping.manualArgument(String(line)))"
                        : MarkupEscaping.manual(String(line)))
            }
        }
        return lines
    }

    private static func withoutPeriod(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

/// `tocsin manual`: writes the manual pages of all commands, made from their definitions.
struct ManualCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the manual pages into a folder.",
        shouldDisplay: false)

    @Argument(help: "The folder.")
    var folder: String

    func run(in environment: ToolEnvironment) async throws {
        let tool = try CommandInformation.tool()
        let pages =
            [ManualPage(tool: tool)]
            + tool.subcommands.map { ManualPage(tool: tool, command: $0) }
        for page in pages {
            try UserFile.write(
                page.text, to: environment.absolute(folder) + "/" + page.fileName,
                makesDirectory: true)
        }
    }
}
