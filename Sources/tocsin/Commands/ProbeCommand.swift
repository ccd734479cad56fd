internal import ArgumentParser
internal import DesktopBus
internal import Glibc
internal import NotificationModel
internal import Reactor

/// `tocsin probe`: asks the notification server that runs here what the tests ask theirs.
struct ProbeCommand: ParsableCommand, ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Find out what this desktop's notification server does.",
        discussion: """
            Shows one popup after another, and asks you to look at it, click it or close it; then \
            prints one row as in the article "Supported desktops". What would kill the server, need \
            an app with a window or change your settings is never tried. Do Not Disturb is reported \
            as it is: on, off, or not told. Whatever happens, no popup is left on the screen.

            tocsin probe --auto        only what needs no hand, in about 15 seconds
            tocsin probe --json        one object, for a bug report

            Exit status: 0 done, 1 the server refused, 69 no notification server, 75 no bus, \
            130 interrupted.
            """)

    @Flag(help: "Asks nothing: answers only what needs no hand.")
    var auto = false

    @Flag(help: "Prints one JSON object.")
    var json = false

    @Option(help: ArgumentHelp("How long one question waits.", valueName: "seconds"))
    var limit = 60

    func validate() throws {
        guard (1...3_600).contains(limit) else {
            throw ValidationError("'--limit \(limit)' is out of range: give 1 to 3600 seconds")
        }
    }

    func perform(in environment: ToolEnvironment) async throws(ToolError) -> ToolStatus {
        guard auto || isatty(STDIN_FILENO) == 1 else {
            throw ToolError(
                .usage,
                "'tocsin probe' asks a person, and standard input is no terminal. Run it in one, "
                    + "or give '--auto' for what needs no hand.")
        }
        let center = try await Center.open(environment)
        let server = ProbeServer(
            connection: center.connection, center: center.service,
            variables: environment.variables)
        let (events, source) = AsyncStream.makeStream(of: ProbeEvent.self)
        let information = try await server.introduce()
        let subscriptions = try await server.listen { source.yield($0) }
        let signals = try? SignalWatch([SIGINT, SIGTERM, SIGHUP], on: environment.reactor) { _, _ in
            source.yield(.interrupted)
        }
        let lines = TypedLines(on: environment.reactor) { source.yield(.typed($0)) }
        if !auto { await lines.start() }
        defer { withExtendedLifetime((subscriptions, signals, lines)) {} }
        var run = ProbeRun(
            server, information, limit: .seconds(limit), events: events, source: source)
        do throws(ToolError) {
            if !auto { try await run.askPerson() }
            try await run.askAlone()
        } catch {
            await run.clearAll()
            throw error
        }
        await run.clearAll()
        if json {
            try Output.line(run.report.object.text)
        } else {
            try Output.write(run.report.text)
        }
        return .done
    }
}
