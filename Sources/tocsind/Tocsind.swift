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

    private static func fail(_ message: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("tocsind: \(message)\n".utf8))
        exit(status)
    }
}
