internal import ArgumentParser
internal import NotificationModel

/// The definition of a command, as the argument parser describes it.
struct CommandInformation {
    var name = ""
    var abstract = ""
    var discussion = ""
    /// The forms of the command, one a line; nil if they follow from its arguments and options.
    var usage: String?
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
            var tool = try Dump.record.value(of: entries, "the help").command.shown
            for index in tool.subcommands.indices {
                tool.subcommands[index].usage = usage(of: tool.subcommands[index].name)
            }
            return tool
        } catch {
            throw ToolError.failure(
                "The descriptions of the commands cannot be read. Use '--help'.")
        }
    }

    /// The usage in a command's configuration; the parser's dump lacks it.
    private static func usage(of name: String) -> String? {
        Tocsin.configuration.subcommands.first { $0.configuration.commandName == name }?
            .configuration.usage
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
        private var defaultValue = ""
        private var allValues: [String] = []
        fileprivate var isShown = true
        private var kind = ""
        private var writtenNames: [Name] = []

        fileprivate static let record = Record<Argument>([
            Field("valueName", \.valueName, ""), Field("abstract", \.abstract, ""),
            Field("isOptional", \.isOptional, false), Field("isRepeating", \.isRepeating, false),
            Field("defaultValue", \.defaultValue, ""), Field("allValues", \.allValues, []),
            Field("shouldDisplay", \.isShown, true), Field("kind", \.kind, ""),
            Field("names", \.writtenNames) { Name.record },
        ]) { Argument() }

        var takesValue: Bool { kind != "flag" }

        /// The abstract with the values and the default, as the help has it.
        var explanation: String {
            let values = allValues.isEmpty ? [] : ["values: " + allValues.joined(separator: ", ")]
            let usual = defaultValue.isEmpty ? [] : ["default: \(defaultValue)"]
            let facts = (values + usual).joined(separator: "; ")
            return facts.isEmpty ? abstract : "\(abstract) (\(facts))"
        }

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
