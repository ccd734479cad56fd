internal import Foundation
internal import NotificationModel
package import TestSupport

/// An example program that runs in the session of a real server.
///
/// A test reads the program's output and clicks its popups.
package struct RunningExample: Sendable {
    /// The user's decision about the app before it starts.
    package enum Permission {
        case allowed
        case denied
        /// The user has not decided: the program asks.
        case notAsked
    }

    package let name: String
    package let session: RealServer
    private let program: RunningProgram

    /// Starts a server and the example on it; ends both when the body returns or throws.
    ///
    /// If `files` is not empty, a copy of the example runs in a folder with these files. If
    /// `isRegistered` is true, the example has a desktop file.
    package static func with(
        _ name: String, _ arguments: [String] = [], on server: DesktopServer,
        _ hosting: Hosting = .embedded, _ permission: Permission = .allowed,
        environment: [String: String] = [:], beside files: [String] = [],
        isRegistered: Bool = false, _ body: (RunningExample) async throws -> Void
    ) async throws {
        try await RealServer.with(server) { session in
            let daemon =
                hosting == .daemon ? try await HostedService.startDaemon(on: session.bus) : nil
            if permission != .notAsked {
                try await HostedService.allow(
                    hosting, on: session.bus, decision: permission == .allowed ? .allow : .deny)
            }
            let path = try await Self.copy(
                try HostedService.program(name), beside: files,
                to: "\(session.bus.directory)/app")
            if isRegistered {
                try await RunningProgram.run(
                    try HostedService.program("tocsin"),
                    ["register", path, "--id", "org.tocsin.Test"], environment: session.environment)
            }
            // Without `stdbuf`, the program would buffer its output because it writes to a pipe.
            let program = try RunningProgram(
                "stdbuf", ["-oL", path] + arguments,
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

    /// Copies a program and its files; `ShellScript` says why another process writes the copy.
    private static func copy(
        _ program: String, beside files: [String], to folder: String
    ) async throws -> String {
        guard !files.isEmpty else { return program }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try await RunningProgram.run("cp", files + [program, folder])
        return "\(folder)/\(URL(fileURLWithPath: program).lastPathComponent)"
    }

    /// The lines that the program has printed.
    package var lines: [String] { program.lines.all }

    /// Waits until the program has printed this line.
    package func prints(_ line: String) async throws {
        try await program.lines.first("\"\(line)\"") { $0 == line }
    }

    /// Waits for a line that begins with this text, and returns the line.
    @discardableResult
    package func prints(
        beginning prefix: String, within seconds: Int = 60
    ) async throws -> String {
        try await program.lines.first("\"\(prefix)…\"", within: seconds) { $0.hasPrefix(prefix) }
    }

    /// Waits for a line that contains both texts.
    package func prints(with first: String, and second: String) async throws {
        try await program.lines.first("\"\(first)\" and \"\(second)\"") {
            $0.contains(first) && $0.contains(second)
        }
    }

    /// Answers the app's permission prompt with this button.
    package func answersPrompt(_ button: String) async throws {
        let question = "\(name) would like to send you notifications"
        try await session.waitUntilShown(question)
        try await session.choose(button, of: question)
    }

    /// Waits for the program's end and its whole output; throws for a status other than `expected`.
    package func ends(with expected: Int32 = 0) async throws {
        let status = try await program.exit()
        try await program.lines.untilFinished()
        guard status == expected else {
            throw HarnessError("\(name) ended with \(status), not with \(expected)")
        }
    }
}
