/// A subcommand; its status is the tool's.
protocol ToolCommand {
    /// Does the work.
    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus
}
