internal import ArgumentParser

/// `tocsin cancel`: `remove` by the name that comes to mind first.
struct CancelCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "The same as 'remove'.",
        discussion: """
            tocsin cancel tea
            tocsin cancel --all

            \(IdentifierText.help) Either all of the IDs are removed or none.
            """)

    @OptionGroup var remove: RemoveCommand

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        try await remove.perform(in: environment)
    }
}
