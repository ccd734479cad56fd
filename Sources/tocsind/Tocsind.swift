internal import Foundation
internal import Logging
internal import NotificationModel
internal import NotificationRuntime

/// The notification centre of one user, as a process.
@main
struct Tocsind {
    static func main() async {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let arguments = CommandLine.arguments.dropFirst()
        do {
            try await Daemon(
                configuration: .current(), isDevelopment: arguments.contains("--dev")
            ).run()
        } catch {
            FileHandle.standardError.write(Data("tocsind: \(error)\n".utf8))
            exit(error.code == .noBus ? 75 : 1)
        }
    }
}
