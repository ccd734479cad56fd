import Foundation
import Testing

/// A program with another main loop must serve the main actor from that loop.
///
/// A delegate gets its events on the main actor.
@Suite(.timeLimit(.minutes(2))) struct MainLoopTests {
    @Test(arguments: ["glib", "poll"])
    func `a delegate is called on the main thread of a foreign loop`(loop: String) async throws {
        let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let process = Process()
        process.executableURL = folder.appendingPathComponent("MainLoopProbe")
        process.arguments = [loop]
        let output = Pipe()
        process.standardOutput = output
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        #expect(status == 0)
        #expect(text == "action: like on the main thread: true\n")
    }
}
