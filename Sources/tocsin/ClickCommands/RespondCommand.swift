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
        var answered: Set<String> = []
        while try await handleResponses(to: app, at: center, file, &answered, in: environment) {}
        try await file.prune(app, answered: answered, at: center, now: environment.now)
    }

    /// Connects, runs the commands of the responses that this process gets, and disconnects.
    ///
    /// The centre gives a response to another process if this process disconnects before it
    /// acknowledges the response. That process would run the command a second time.
    ///
    /// The result is true if a response came just before the disconnect. No process has handled
    /// that response, so connect again.
    private func handleResponses(
        to app: ApplicationID, at center: CenterClient, _ file: CommandFile,
        _ answered: inout Set<String>, in environment: ToolEnvironment
    ) async throws -> Bool {
        let received = Locked<[NotificationResponse]>([])
        _ = try await center.service.connect(
            ResponderIdentity.identity(of: app), asksBeforePresenting: false
        ) { event in
            if case .response(let response) = event { received.withLock { $0.append(response) } }
        }
        // The centre sends the stored responses before it answers this call.
        _ = try await center.service.status()
        while case let responses = Self.takeAll(received), !responses.isEmpty {
            let table = try file.read()
            for response in responses {
                if let commands = table[response.notification.key],
                    let command = commands.command(for: response.action)
                {
                    Self.run(command, of: commands, for: response, in: environment)
                }
                try await center.service.acknowledge(response.id, of: app)
                answered.insert(response.notification.request.identifier)
            }
        }
        try await disconnect(app, from: center)
        return received.withLock { !$0.isEmpty }
    }

    private static func takeAll(
        _ received: Locked<[NotificationResponse]>
    ) -> [NotificationResponse] {
        received.withLock { responses in
            defer { responses = [] }
            return responses
        }
    }

    /// Ends the session in the centre, but not in `center.service`.
    ///
    /// `received` therefore still gets a response that the centre sent before the disconnect.
    private func disconnect(_ app: ApplicationID, from center: CenterClient) async throws {
        do throws(BusError) {
            _ = try await center.connection.call(
                MethodCall(
                    destination: CenterName.bus, path: CenterName.path,
                    interface: CenterName.interface, member: "Disconnect",
                    arguments: [.string(app.rawValue)], flags: .noAutoStart))
        } catch {
            throw NotificationError(error)
        }
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
