internal import DesktopBus
internal import Foundation
internal import Logging
internal import NotificationModel
internal import PushDistributor
internal import Reactor

/// `tocsin-distributor`: connects the apps of one user with ntfy servers.
@main
struct TocsinDistributor {
    private static let help = """
        USAGE: tocsin-distributor [--server URL [--access-token-file FILE]]

        A push distributor of UnifiedPush: it gets the messages for the user's apps from ntfy
        servers. The session bus starts this program when an app calls it.

        OPTIONS:
          --server URL              Choose the ntfy server for new registrations, and exit.
          --access-token-file FILE  The file with the access token of that server. Without this
                                    option, the server's earlier token stays; an empty file
                                    removes it.
          --version                 Show the version.
          --help                    Show this help.
        """

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do throws(NotificationError) {
            switch (arguments.first, arguments.count) {
            case ("--help", 1): print(help)
            case ("--version", 1): print(Version.current)
            case (nil, _): try await serve()
            case ("--server", 2): try configure(arguments[1], tokenFile: nil)
            case ("--server", 4) where arguments[2] == "--access-token-file":
                try configure(arguments[1], tokenFile: arguments[3])
            default: fail("The arguments cannot be used. See 'tocsin-distributor --help'.", 64)
            }
        } catch {
            fail(error.message, status(of: error.code))
        }
    }

    private static func status(of code: NotificationError.Code) -> Int32 {
        switch code {
        case .invalidArgument: 65
        case .noBus, .storeLocked: 75
        default: 1
        }
    }

    // MARK: Files

    private static func folder(_ variable: String, _ other: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        // Programs have to ignore a relative path here (XDG Base Directory Specification).
        let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? NSHomeDirectory() + "/" + other) + "/tocsin"
    }

    private static var configurationFile: String {
        folder("XDG_CONFIG_HOME", ".config") + "/distributor.json"
    }

    private static func configure(
        _ server: String, tokenFile: String?
    ) throws(NotificationError) {
        var configuration = try DistributorConfiguration(file: configurationFile)
        var token: String?
        if let tokenFile {
            do {
                token = try String(contentsOfFile: tokenFile, encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            } catch {
                throw NotificationError(
                    .invalidArgument,
                    "The access token in \(tokenFile.quotedForMessage()) cannot be read: "
                        + error.localizedDescription)
            }
        }
        try configuration.choose(server, accessToken: token)
        try configuration.write(configurationFile)
        print("New registrations use \(configuration.server ?? server).")
    }

    // MARK: The service

    private static func serve() async throws(NotificationError) {
        LoggingSystem.bootstrap(StreamLogHandler.standardError(label:))
        signal(SIGPIPE, SIG_IGN)
        let state = folder("XDG_STATE_HOME", ".local/state")
        try makeStateFolder(state)
        let stateFile = state + "/distributor.json"
        try lockRegistrations(stateFile)
        let connection = try await openConnection()
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        await connection.onStateChange { state in
            if case .closed = state { end.finish() }
            if case .disconnected = state { end.finish() }
        }
        let distributor = try Distributor(
            connection, stateFile: stateFile, configurationFile: configurationFile)
        try await distributor.start()
        // The distributor writes each change to disk at once, so a signal may end the process.
        for await _ in ends {}
        await distributor.stop()
    }

    private static func makeStateFolder(_ folder: String) throws(NotificationError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw NotificationError(
                .storeUnavailable,
                "The directory \(folder.quotedForMessage()) for the registrations cannot be made: "
                    + "\(error.localizedDescription) Check the space and the permissions there.")
        }
    }

    /// Locks the registrations until this process ends.
    ///
    /// A user may have several session buses, each with its own distributor. Without the lock, each
    /// distributor would overwrite the others' registrations, and give up the messages for apps on
    /// other buses. After the end of a session, its distributor may need a moment to end, so this
    /// waits up to three seconds. If the lock file cannot be made, or if locking fails for another
    /// reason than a running distributor, the distributor runs without the lock.
    private static func lockRegistrations(_ stateFile: String) throws(NotificationError) {
        let file = open(stateFile + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        for _ in 0..<30 {
            if flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EAGAIN { return }
            usleep(100_000)
        }
        throw NotificationError(
            .storeLocked,
            "The registrations in \(stateFile.quotedForMessage()) are in use by another "
                + "tocsin-distributor, perhaps of another session. Register the apps on the bus of "
                + "that session, or end that program.")
    }

    private static func openConnection() async throws(NotificationError) -> BusConnection {
        let reactor: Reactor
        do throws(ReactorError) {
            reactor = try Reactor(name: "tocsin-distributor")
        } catch {
            throw NotificationError(.limitReached, error.message)
        }
        do throws(BusError) {
            let connection = BusConnection(
                address: try .session(environment: ProcessInfo.processInfo.environment),
                reactor: reactor)
            try await connection.open()
            return connection
        } catch {
            throw NotificationError(.noBus, "The session bus cannot be reached: \(error)")
        }
    }

    private static func fail(_ message: String, _ status: Int32) -> Never {
        FileHandle.standardError.write(Data("tocsin-distributor: \(message)\n".utf8))
        exit(status)
    }
}
