internal import ArgumentParser
internal import NotificationModel

/// The definition of a command, as the argument parser describes it.
struct CommandInformation {
    var name = ""
    var abstract = ""
    var discussion = ""
    var isShown = true
    var arguments: [Argument] = []
    var subcommands: [CommandInformation] = []

    private static let record: Record<CommandInformation> = Record([
        Field("commandName", \.name, ""), Field("abstract", \.abstract, ""),
        Field("discussion", \.discussion, ""), Field("shouldDisplay", \.isShown, true),
        Field("arguments", \.arguments) { Argument.record },
        Field("subcommands", \.subcommands) { record },
    ]) { CommandInformation() }

    /// The definition of the tool, with all commands that its help names.
    static func tool() throws(ToolError) -> CommandInformation {
        do throws(NotificationError) {
            let entries = try RecordJSON.entries(of: Array(Tocsin._dumpHelp().utf8), "The help")
            return try Dump.record.value(of: entries, "the help").command.shown
        } catch {
            throw ToolError.failure(
                "The descriptions of the commands cannot be read. Use '--help'.")
        }
    }

    private var shown: CommandInformation {
        var command = self
        command.arguments = arguments.filter(\.isShown)
        command.subcommands = subcommands.filter { $0.isShown && $0.name != "help" }.map(\.shown)
        return command
    }

    private struct Dump: Sendable {
        var command = CommandInformation()

        static let record = Record<Dump>([
            Field(required: "command", \.command) { CommandInformation.record }
        ]) { Dump() }
    }
}

extension CommandInformation {
    struct Argument {
        var valueName = ""
        var abstract = ""
        var isOptional = false
        var isRepeating = false
        fileprivate var isShown = true
        private var kind = ""
        private var writtenNames: [Name] = []

        fileprivate static let record = Record<Argument>([
            Field("valueName", \.valueName, ""), Field("abstract", \.abstract, ""),
            Field("isOptional", \.isOptional, false), Field("isRepeating", \.isRepeating, false),
            Field("shouldDisplay", \.isShown, true), Field("kind", \.kind, ""),
            Field("names", \.writtenNames) { Name.record },
        ]) { Argument() }

        var takesValue: Bool { kind != "flag" }

        /// `-u` and `--urgency`; empty for an argument without a name.
        var names: [String] {
            writtenNames.map { ($0.kind == "long" ? "--" : "-") + $0.name }
                .sorted { $0.count < $1.count }
        }
    }

    private struct Name: Sendable {
        var kind = ""
        var name = ""

        static let record = Record<Name>([Field("kind", \.kind, ""), Field("name", \.name, "")]) {
            Name()
        }
    }
}
