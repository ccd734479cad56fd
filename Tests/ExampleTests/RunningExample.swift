import HostingSupport
import TestSupport

/// One of the examples, running in the session of a real server; a test reads what it prints and
/// clicks what it shows.
struct RunningExample: Sendable {
    /// The user's decision about the app before it starts.
    enum Permission {
        case allowed
        /// Nothing: it asks.
        case notAsked
    }

    let name: String
    let session: RealServer
    private let program: RunningProgram

    /// Starts a server and the example on it; both are ended afterwards, whatever happens.
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
            // Into a pipe, a program writes its output when it ends, unless asked otherwise.
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

    /// Waits until it has printed this line.
    func prints(_ line: String) async throws {
        try await program.lines.first("\"\(line)\"") { $0 == line }
    }

    /// Waits until it has printed a line that begins so, and returns the line.
    @discardableResult
    func prints(beginning prefix: String) async throws -> String {
        try await program.lines.first("\"\(prefix)…\"") { $0.hasPrefix(prefix) }
    }

    /// Waits until it has printed a line with both texts.
    func prints(with first: String, and second: String) async throws {
        try await program.lines.first("\"\(first)\" and \"\(second)\"") {
            $0.contains(first) && $0.contains(second)
        }
    }

    /// Answers the question whether the app may notify, by this button of the prompt.
    func answersPrompt(_ button: String) async throws {
        let question = "\(name) would like to send you notifications"
        try await session.waitUntilShown(question)
        try await session.choose(button, of: question)
    }

    /// Waits for its end and for all of its output; throws if it ends with another status.
    func ends(with expected: Int32 = 0) async throws {
        let status = try await program.exit()
        try await program.lines.untilFinished()
        guard status == expected else {
            throw HarnessError("it ended with \(status), not with \(expected)")
        }
    }
}
