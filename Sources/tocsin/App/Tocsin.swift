internal import ArgumentParser
internal import Glibc
internal import NotificationModel
internal import Reactor

@main
struct Tocsin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tocsin",
        abstract: "Send notifications now or later, and get the answers.",
        version: Version.current,
        subcommands: [RespondCommand.self, ManualCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Sending",
                subcommands: [
                    SendCommand.self, InCommand.self, AtCommand.self, EveryCommand.self,
                    ScheduleCommand.self, RunCommand.self,
                ]),
            CommandGroup(
                name: "Agenda",
                subcommands: [
                    ListCommand.self, ShowCommand.self, MissedCommand.self, RemoveCommand.self,
                    CancelCommand.self, MoveCommand.self, SkipCommand.self, SnoozeCommand.self,
                    NextCommand.self, WatchCommand.self,
                ]),
            CommandGroup(
                name: "Other",
                subcommands: [
                    ImportCommand.self, ExportCommand.self, RegisterCommand.self,
                    PushCommand.self, SettingsCommand.self, BadgeCommand.self,
                    DoctorCommand.self,
                ]),
        ])

    /// Runs the tool; the process ends with the command's status.
    ///
    /// Everything runs on this one thread, because the start of a thread pool takes time, and a
    /// script may call the tool a thousand times.
    static func main() {
        StandardFiles.openMissing()
        let reactor: Reactor
        do throws(ReactorError) {
            reactor = try Reactor(hosted: "tocsin")
        } catch {
            Output.warn(ToolError.failure(error.message).text)
            Glibc._exit(ToolStatus.failure.rawValue)
        }
        reactor.takeGlobalTasks()
        let arguments = Array(CommandLine.arguments.dropFirst())
        // The task is detached, because nothing serves the main actor's queue here.
        Task.detached {
            // `_exit` skips the exit handlers of a dozen libraries, because they take time. No
            // output is lost, because the tool buffers none.
            if NotifySend.isName(CommandLine.arguments.first) {
                Glibc._exit(await NotifySend.run(arguments, in: ToolEnvironment(reactor: reactor)))
            }
            Glibc._exit(await run(arguments, on: reactor).rawValue)
        }
        reactor.run()
    }

    static func run(_ arguments: [String], on reactor: Reactor) async -> ToolStatus {
        do {
            let checked = try ArgumentSanitizer.checked(arguments)
            switch try Invocation.parse(checked) {
            case .text(let text):
                try Output.line(text)
                return .done
            case .command(let command):
                return try await command.perform(in: ToolEnvironment(reactor: reactor))
            }
        } catch {
            let error = await OtherStore.explained(
                ToolError(error), in: ToolEnvironment(reactor: reactor))
            Output.warn(error.text)
            return error.status
        }
    }
}

/// A subcommand, whose status becomes the exit status of the tool.
protocol ToolCommand {
    /// Does the work; `Tocsin.run` turns any error into a `ToolError`.
    func perform(in environment: ToolEnvironment) async throws -> ToolStatus
}

/// A subcommand whose status is `done` if it throws no error.
protocol PlainCommand: ToolCommand {
    func run(in environment: ToolEnvironment) async throws
}

extension PlainCommand {
    func perform(in environment: ToolEnvironment) async throws -> ToolStatus {
        try await run(in: environment)
        return .done
    }
}
