internal import ArgumentParser
internal import CenterInterface
internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// `tocsin respond`: runs the commands of clicks; the notification centre starts this process.
struct RespondCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "respond",
        abstract: "Run the commands of clicked notifications, for the notification centre.",
        shouldDisplay: false)

    @OptionGroup var selection: AppSelection

    func run(in environment: ToolEnvironment) async throws {
        let app = try selection.resolved()
        let center = try await CenterClient.open(environment)
        let file = try CommandFile(environment)
        let responses = try await responses(to: app, at: center)
        let table = try file.read()
        for response in responses {
            if let commands = table[response.notification.key],
                let command = commands.command(for: response.action)
            {
                Self.run(command, of: commands, for: response, in: environment)
            }
            try await center.service.acknowledge(response.id, of: app)
        }
        let answered = Set(responses.map(\.notification.request.identifier))
        try await file.prune(app, answered: answered, at: center, now: environment.now)
    }

    /// The responses that no process has acknowledged.
    ///
    /// The centre sends the responses before it answers the call of `status`. After that answer
    /// this process disconnects, so the centre starts a new process for a later response.
    private func responses(
        to app: ApplicationID, at center: CenterClient
    ) async throws -> [NotificationResponse] {
        let (stream, source) = AsyncStream.makeStream(of: NotificationResponse.self)
        _ = try await center.service.connect(
            ResponderIdentity.identity(of: app), asksBeforePresenting: false
        ) { event in
            if case .response(let response) = event { source.yield(response) }
        }
        _ = try await center.service.status()
        do throws(BusError) {
            _ = try await center.connection.call(
                MethodCall(
                    destination: CenterName.bus, path: CenterName.path,
                    interface: CenterName.interface, member: "Disconnect",
                    arguments: [.string(app.rawValue)], flags: .noAutoStart))
        } catch {
            throw NotificationError(error)
        }
        source.finish()
        return await stream.reduce(into: []) { $0.append($1) }
    }

    private static func run(
        _ command: ClickCommand, of commands: ClickCommands, for response: NotificationResponse,
        in environment: ToolEnvironment
    ) {
        var variables = environment.variables
        variables["XDG_ACTIVATION_TOKEN"] = nil
        variables["DESKTOP_STARTUP_ID"] = nil
        variables.merge(ClickCommands.variables(for: response)) { $1 }
        variables["PWD"] = commands.directory
        do throws(SystemFailure) {
            let name = command.words.first ?? ""
            guard let program = environment.program(named: name) else {
                throw SystemFailure(code: ENOENT)
            }
            try Subprocess.detach(
                [program] + command.words.dropFirst(), environment: variables,
                directory: commands.directory)
        } catch {
            // The caller acknowledges the response anyway, because a retry would fail too.
            Output.warn(
                "tocsin: the command \(command.text.quotedForMessage()) was not run in "
                    + "\(commands.directory.quotedForMessage()): \(error).")
        }
    }
}

/// The identity with which a click on a notification starts the tool as `tocsin respond`.
///
/// It works without an installed desktop file of the tool.
enum ResponderIdentity {
    /// The identity for the tool's own notifications or for those of another app.
    ///
    /// Without `name`, the name of another app is empty.
    static func identity(
        of app: ApplicationID, named name: String? = nil
    ) -> ApplicationIdentity {
        let selection = app == .tocsin ? [] : ["--app", app.rawValue]
        var identity = ApplicationIdentity(
            id: app, name: name ?? (app == .tocsin ? "Tocsin" : ""),
            executable: CompanionProgram.executable ?? "", arguments: ["respond"] + selection,
            directory: "/")
        identity.startsInBackground = true
        return identity
    }
}
