internal import CLinux
internal import CenterInterface
internal import Foundation
internal import Logging
internal import NotificationModel
internal import NotificationRuntime
internal import PushConnector
internal import Reactor

/// The notification centre of one user, as a process.
@main
struct Tocsind {
    private static let help = """
        USAGE: tocsind [--dev]

        The notification centre of one user: keeps scheduled notifications, shows them, and keeps
        the user's responses for the apps. It ends on SIGTERM, SIGINT and SIGHUP.

        OPTIONS:
          --dev       Use a store for development, and end when no app needs the daemon.
          --version   Show the version.
          --help      Show this help.
        """

    private static let fileLimit: UInt64 = 65_536

    /// Runs the daemon; the process ends with its status.
    ///
    /// The engine and the bus run on the main thread. All other tasks share one more thread: with
    /// libdispatch's pool, an idle daemon would wake up every second.
    static func main() {
        StandardFiles.openMissing()
        // While a process ignores SIGCHLD, the kernel keeps no status of its children. The daemon
        // may inherit this setting from the program that started it.
        signal(SIGCHLD, SIG_DFL)
        clinux_be_private()
        // The daemon needs many descriptors, because each attachment of a call arrives as one.
        clinux_raise_file_limit(fileLimit)
        do throws(ReactorError) {
            try serve()
        } catch {
            fail(error.message, status: EX_OSERR)
        }
    }

    private static func serve() throws(ReactorError) {
        let reactor = try Reactor(hosted: "tocsind")
        // This comes before the other set-up, so that an early signal also ends the daemon cleanly.
        let stop = StopSignal(signalsOn: reactor)
        try Reactor(name: "tocsind.tasks").takeGlobalTasks()
        // The task is detached, because nothing serves the main actor's queue here.
        Task.detached {
            await run(Configuration.current(), on: reactor, until: stop)
            exit(EXIT_SUCCESS)
        }
        reactor.run()
    }

    private static func run(
        _ configuration: Configuration, on reactor: Reactor, until stop: StopSignal
    ) async {
        switch configuration.arguments {
        case ["--help"]: print(help)
        case ["--version"]: print(Version.current)
        case [], ["--dev"]:
            // If nobody reads standard error any more, a write must fail but not end the daemon.
            signal(SIGPIPE, SIG_IGN)
            let stream = StandardErrorStream()
            LoggingSystem.bootstrap { StreamLogHandler(label: $0, stream: stream) }
            let isDevelopment = !configuration.arguments.isEmpty
            do throws(NotificationError) {
                let daemon = Daemon(configuration: configuration, isDevelopment: isDevelopment) {
                    PushConnector(
                        connection: $0, service: CenterName.bus,
                        distributor: configuration.pushDistributor)
                }
                try await daemon.run(on: reactor, until: stop)
            } catch {
                fail(error.message, status: error.code == .noBus ? EX_TEMPFAIL : EXIT_FAILURE)
            }
        default: fail("The arguments cannot be used. See 'tocsind --help'.", status: EX_USAGE)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("tocsind: \(message)\n".utf8))
        exit(status)
    }
}
