internal import ArgumentParser

/// `tocsin manual`: writes the manual pages of all commands, made of their definitions.
struct ManualCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the manual pages into a folder.",
        shouldDisplay: false)

    @Argument(help: "The folder.")
    var folder: String

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        let tool = try CommandInformation.tool()
        let pages =
            [ManualPage(tool: tool)]
            + tool.subcommands.map { ManualPage(tool: tool, command: $0) }
        for page in pages {
            try UserFile.write(
                page.text, to: environment.absolute(folder) + "/" + page.fileName)
        }
        return .done
    }
}
