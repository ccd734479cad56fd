internal import Foundation
internal import Logging
internal import NotificationModel
internal import NotificationRuntime

/// The notification centre of one user, as a process.
@main
struct Tocsind {
    private static let help = """
        USAGE: tocsind [--dev]

        The notification centre of one user: keeps scheduled notifications, shows them, and keeps
        their answers for the apps. It ends on SIGTERM.

        OPTIONS:
          --dev       Use a store for development, and end when idle with nothing to keep.
          --version   Show the version.
          --help      Show this help.
        """

    static func main() async {
        let configuration = Configuration.current()
        switch configuration.arguments {
        case ["--help"]: print(help)
        case ["--version"]: print(Version.current)
        case []: await run(configuration, isDevelopment: false)
        case ["--dev"]: await run(configuration, isDevelopment: true)
        case let arguments where arguments.first == "simulate":
            await simulate(arguments, configuration)
        default: fail("The arguments cannot be used. See 'tocsind --help'.", status: EX_USAGE)
        }
    }

    private static func run(_ configuration: Configuration, isDevelopment: Bool) async {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        do throws(NotificationError) {
            try await Daemon(configuration: configuration, isDevelopment: isDevelopment).run()
        } catch {
            fail(error.message, status: error.code == .noBus ? EX_TEMPFAIL : EXIT_FAILURE)
        }
    }

    /// For `tocsin simulate`, which says what it means: JSON lines, see `SimulationLine`.
    private static func simulate(_ arguments: [String], _ configuration: Configuration) async {
        guard let plan = SimulationPlan(arguments: arguments) else {
            fail("'simulate' belongs to tocsin. See 'tocsin simulate --help'.", status: EX_USAGE)
        }
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        // A reader that has gone is seen by the write.
        signal(SIGPIPE, SIG_IGN)
        let isDone = await Simulation(configuration: configuration, plan: plan).run { line in
            (try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))) != nil
        }
        exit(isDone ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("tocsind: \(message)\n".utf8))
        exit(status)
    }
}
