internal import Glibc
internal import NotificationModel
internal import Reactor

/// One run of a program of the desktop that reads or sets something.
///
/// GSettings is used by its program and not by its library: that one opens a connection to the bus
/// which ends this process together with the bus, and has two threads of its own; a schema that is
/// missing would end it, too.
struct PreferencesProgram: Sendable {
    /// A setting is at hand at once, or its program hangs.
    private static let patience: Duration = .seconds(5)

    var environment: [String: String]
    var reactor: Reactor

    /// What the program wrote; throws where it is not there, fails or hangs.
    ///
    /// On the caller's actor, which has to be on the reactor's thread.
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
        let deadline = reactor.deadline(after: Self.patience) {
            Task { await program.signal(SIGKILL) }
        }
        defer { deadline.cancel() }
        let output = try await program.run(input: [], environment: environment, directory: "/")
        return String(decoding: output, as: UTF8.self)
    }
}
