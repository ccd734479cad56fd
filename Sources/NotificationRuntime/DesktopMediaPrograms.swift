internal import CenterInterface
internal import DesktopIntegration
internal import Glibc
package import NotificationModel
package import Reactor

/// Runs `tocsin-media` for each image and sound; that program decodes in a confined process.
package actor DesktopMediaPrograms: MediaPrograms, ReactorActor {
    static let program = "tocsin-media"
    /// The timeout of an image; the program limits itself to 2 s of processor time.
    package static let defaultImageTimeout: Duration = .seconds(10)
    /// The timeout of a sound; the program ends a sound after 30 s.
    static let soundTimeout: Duration = .seconds(40)

    package nonisolated let reactor: Reactor
    private let path: String
    private let environment: [String: String]
    private let imageTimeout: Duration

    package init(
        path: String, environment: [String: String], reactor: Reactor,
        timeout: Duration = DesktopMediaPrograms.defaultImageTimeout
    ) {
        self.path = path
        self.environment = environment
        self.reactor = reactor
        self.imageTimeout = timeout
    }

    static func installed(
        environment: [String: String], reactor: Reactor
    ) -> DesktopMediaPrograms? {
        guard let path = CompanionProgram.installed(program) else { return nil }
        return DesktopMediaPrograms(path: path, environment: environment, reactor: reactor)
    }

    package func image(_ request: ImageRequest) async throws(NotificationError) -> Image {
        // The result must not depend on the user's environment, and decoding needs nothing of the
        // session.
        let output = try await run(request.arguments, environment: ["LC_ALL": "C"], imageTimeout)
        guard let image = Image(document: output) else {
            throw NotificationError(
                .protocolViolation,
                "The program \(path.quotedForMessage()) wrote no image. Its version may differ "
                    + "from that of this program; install Tocsin again.")
        }
        return image
    }

    package func play(_ request: SoundRequest) async throws(NotificationError) {
        _ = try await run(request.arguments, environment: environment, Self.soundTimeout)
    }

    private func run(
        _ arguments: [String], environment: [String: String], _ timeout: Duration
    ) async throws(NotificationError) -> [UInt8] {
        let program = WorkerProgram([path] + arguments, reactor: reactor)
        let deadline = reactor.deadline(after: timeout) {
            Task { await program.signal(SIGKILL) }
        }
        defer { deadline.cancel() }
        return try await program.run(input: [], environment: environment, directory: "/")
    }
}
