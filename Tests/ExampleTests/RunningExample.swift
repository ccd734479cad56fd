import HostingSupport
import TestSupport

/// One of the examples in the session of a real server.
///
/// A test reads its output and clicks its popups.
struct RunningExample: Sendable {
    /// The user's decision about the app before it starts.
    enum Permission {
        case allowed
        /// The user has not decided: the program asks.
        case notAsked
    }

    let name: String
    let session: RealServer
    private let program: RunningProgram

    /// Starts a server and the example on it; ends both when the body returns or throws.
    static func with(
        _ name: String, _ arguments: [String] = [], on server: DesktopServer,
        _ hosting: Hosting = .embedded, _ permission: Permission = .allowed,
        environment: [String: String] = [:],
        _ body: (RunningExample) async throws -> Void
    ) async throws {
        try await RealServer.with(server) { session in
            let daemon =
                hosting == .daemon ? try await HostedService.startDaemon(on: session.bus) : nil
            if permission == .allowed {
                try await HostedService.allow(hosting, on: session.bus)
            }
            // A program buffers output into a pipe until it ends; `stdbuf` turns that off.
            let program = try RunningProgram(
                "stdbuf", ["-oL", try HostedService.program(name)] + arguments,
                environment: hosting.environment(session.environment)
                    .merging(environment) { $1 })
            do {
                try await body(RunningExample(name: name, session: session, program: program))
                await program.stop()
                await daemon?.stop()
            } catch {
                _ = try? await session.screenshot("failed-\(name)-\(server.name)")
                await program.stop()
                await daemon?.stop()
                throw HarnessError("\(error)\n\(name) said:\n\(program.said)")
            }
        }
    }

    /// The lines that it has printed.
    var lines: [String] { program.lines.all }

    /// Waits until the program has printed this line.
    func prints(_ line: String) async throws {
        try await program.lines.first("\"\(line)\"") { $0 == line }
    }

    /// Waits for a line that begins with this text, and returns the line.
    @discardableResult
    func prints(beginning prefix: String) async throws -> String {
        try await program.lines.first("\"\(prefix)…\"") { $0.hasPrefix(prefix) }
    }

    /// Waits for a line that contains both texts.
    func prints(with first: String, and second: String) async throws {
        try await program.lines.first("\"\(first)\" and \"\(second)\"") {
            $0.contains(first) && $0.contains(second)
        }
    }

    /// Answers the app's permission prompt with this button.
    func answersPrompt(_ button: String) async throws {
        let question = "\(name) would like to send you notifications"
        try await session.waitUntilShown(question)
        try await session.choose(button, of: question)
    }

    /// Waits for the program's end and its whole output; throws for another status.
    func ends(with expected: Int32 = 0) async throws {
        let status = try await program.exit()
        try await program.lines.untilFinished()
        guard status == expected else {
            throw HarnessError("it ended with \(status), not with \(expected)")
        }
    }
}
