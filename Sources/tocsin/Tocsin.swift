internal import ArgumentParser
internal import Glibc

/// The command-line tool.
@main
struct Tocsin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tocsin",
        abstract: "Notifications that survive: now, later, and their answers.",
        version: "0.1.0",
        subcommands: [
            SendCommand.self, ScheduleCommand.self, ListCommand.self, RemoveCommand.self,
            DoctorCommand.self,
        ])

    /// Runs the tool; the process ends with the command's status.
    static func main() async {
        Glibc.exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs one command line.
    static func run(_ arguments: [String]) async -> ToolStatus {
        do throws(ToolError) {
            let checked = try ArgumentText.checked(arguments) {
                Array(ProcessFile.strings("/proc/self/cmdline").dropFirst())
            }
            switch try Invocation.parse(checked) {
            case .text(let text):
                try Output.line(text)
                return .done
            case .command(let command):
                return try await command.perform(in: .current())
            }
        } catch {
            Output.warn(error.text)
            return error.status
        }
    }
}
