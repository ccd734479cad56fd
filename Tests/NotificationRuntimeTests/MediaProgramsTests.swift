import Foundation
import NotificationModel
import NotificationRuntime
import Reactor
import TestSupport
import Testing

/// `tocsin-media` as the daemon runs it.
@Suite(.timeLimit(.minutes(2))) final class MediaProgramsTests {
    private let directory: String
    private let reactor = Reactor.started("media")

    init() throws {
        directory =
            FileManager.default.temporaryDirectory.path + "/media-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    deinit {
        reactor.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func programs(
        at path: String? = nil, timeout: Duration = .seconds(60)
    ) throws -> DesktopMediaPrograms {
        let runner = try #require(Bundle.main.executableURL)
        let program = runner.deletingLastPathComponent().appendingPathComponent("tocsin-media")
        return DesktopMediaPrograms(
            path: path ?? program.path, environment: ProcessInfo.processInfo.environment,
            reactor: reactor, timeout: timeout)
    }

    private func file(_ bytes: [UInt8]) throws -> String {
        let path = directory + "/" + UUID().uuidString
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `tocsin-media returns an image as pixels`() async throws {
        let path = try file(TestPNG.bytes)
        let image = try await programs().image(ImageRequest(path: path))
        #expect(image.width == 1 && image.height == 1 && image.bytes.count == 4)
    }

    @Test func `a damaged image and a missing program are errors`() async throws {
        let request = ImageRequest(path: try file(Array(TestPNG.bytes.prefix(40))))
        await #expect(throws: NotificationError.self) { try await self.programs().image(request) }
        let missing = try programs(at: directory + "/nothing")
        await #expect(throws: NotificationError.self) { try await missing.image(request) }
    }

    @Test func `a program that takes too long is killed`() async throws {
        let script = directory + "/slow"
        try await ShellScript.write("exec sleep 1000", to: script)
        let slow = try programs(at: script, timeout: .milliseconds(10))
        let error = await #expect(throws: NotificationError.self) {
            try await slow.image(ImageRequest(path: "/a"))
        }
        // A program that a signal ended has the status 128 plus the signal's number.
        let message = error?.message ?? ""
        #expect(message.contains("it ended with status \(128 + SIGKILL)"), "\(message)")
    }
}
