internal import ArgumentParser
internal import NotificationModel

/// The definition of a command, as the argument parser describes it.
struct CommandInformation {
    /// One option or argument.
    struct Argument {
        /// `-u, --urgency`; empty for what has no name.
        var names: [String]
        var valueName: String
        var abstract: String
        var takesValue: Bool
        var isOptional: Bool
        var isRepeating: Bool
    }

    private static let maximumDepth = 32

    var name: String
    var abstract: String
    var discussion: String
    var arguments: [Argument]
    var subcommands: [CommandInformation]

    /// The tool, with all commands that its help names.
    static func tool() throws(ToolError) -> CommandInformation {
        let value = try? JSONReader.value(
            of: Array(Tocsin._dumpHelp().utf8), maximumDepth: maximumDepth)
        guard case .dictionary(let values)? = value ?? nil,
            case .dictionary(let command)? = values["command"]
        else {
            throw ToolError(
                .failure, "The commands are described in a form that is not known. Use '--help'.")
        }
        return CommandInformation(command)
    }

    private init(_ values: [String: PropertyListValue]) {
        name = values.text("commandName") ?? ""
        abstract = values.text("abstract") ?? ""
        discussion = values.text("discussion") ?? ""
        arguments = Self.list(values["arguments"]).filter(Self.isShown).map { Argument($0) }
        subcommands = Self.list(values["subcommands"]).filter(Self.isShown).map { Self($0) }
            .filter { $0.name != "help" }
    }

    private static func list(_ value: PropertyListValue?) -> [[String: PropertyListValue]] {
        guard case .array(let elements)? = value else { return [] }
        return elements.compactMap { element in
            if case .dictionary(let values) = element { return values }
            return nil
        }
    }

    private static func isShown(_ values: [String: PropertyListValue]) -> Bool {
        values["shouldDisplay"] != .boolean(false)
    }
}

extension CommandInformation.Argument {
    fileprivate init(_ values: [String: PropertyListValue]) {
        var names: [String] = []
        if case .array(let elements)? = values["names"] {
            for case .dictionary(let name) in elements {
                let dash = name.text("kind") == "long" ? "--" : "-"
                names.append(dash + (name.text("name") ?? ""))
            }
        }
        self.init(
            names: names.sorted { $0.count < $1.count },
            valueName: values.text("valueName") ?? "", abstract: values.text("abstract") ?? "",
            takesValue: values.text("kind") != "flag",
            isOptional: values["isOptional"] == .boolean(true),
            isRepeating: values["isRepeating"] == .boolean(true))
    }
}

extension [String: PropertyListValue] {
    /// The text of a key; nil where it has none.
    fileprivate func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { return text }
        return nil
    }
}
