internal import Glibc
internal import NotificationModel
internal import Reactor

/// One run of a desktop program that reads or sets a setting.
///
/// For GNOME, this type runs the program gsettings, not the GSettings library. The library starts
/// two threads and opens a bus connection. The loss of that connection, or a missing schema, would
/// end this process.
struct PreferencesProgram: Sendable {
    /// The timeout of a run: a setting is available at once, or the program hangs.
    private static let timeout: Duration = .seconds(5)

    var environment: [String: String]
    var reactor: Reactor

    /// Returns the program's output.
    ///
    /// Runs on the caller's actor, which must be on the reactor's thread.
    ///
    /// - Throws: `noSettings` if the program is not installed, `protocolViolation` if it fails or
    ///   hangs.
    func run(
        _ words: [String], isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> String {
        let name = words.first ?? ""
        guard let path = ProgramSearch(environment: environment).path(of: name) else {
            throw NotificationError(
                .noSettings,
                "The desktop's settings need the program \(name.quotedForMessage()), which is not "
                    + "installed. Install it; on Debian gsettings is in libglib2.0-bin.")
        }
        let program = WorkerProgram([path] + words.dropFirst(), reactor: reactor)
        let deadline = reactor.deadline(after: Self.timeout) {
            Task { await program.signal(SIGKILL) }
        }
        defer { deadline.cancel() }
        let output = try await program.run(input: [], environment: environment, directory: "/")
        return String(decoding: output, as: UTF8.self)
    }
}
