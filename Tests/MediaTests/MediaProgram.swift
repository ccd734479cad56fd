import Foundation
import TestSupport

/// `tocsin-media` of this build, and a folder for its files, removed with this object.
final class MediaProgram: Sendable {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "/tocsin-media-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    static func path() throws -> String {
        guard let runner = Bundle.main.executableURL else {
            throw HarnessError("The test runner does not know where it is.")
        }
        return runner.deletingLastPathComponent().appendingPathComponent("tocsin-media").path
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    func bytes(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// Draws an image with ImageMagick and returns its path.
    func draw(_ name: String, _ arguments: [String]) async throws -> String {
        try await RunningProgram.run("convert", arguments + [path(name)])
        return path(name)
    }

    /// Draws an image of this size with a red left half and a blue right half.
    func drawHalves(_ name: String, width: Int = 40, height: Int = 20) async throws -> String {
        let half = "\(width / 2)x\(height)"
        return try await draw(name, ["-size", half, "xc:red", "xc:blue", "+append"])
    }

    /// Draws an animation with a red, a green and a blue frame.
    func drawFrames(_ name: String) async throws -> String {
        try await draw(
            name,
            ["-delay", "10", "-size", "30x20", "xc:red", "xc:lime", "xc:blue", "-loop", "0"])
    }

    /// Runs the program to its end.
    ///
    /// The status is the exit status, or minus the signal that ended the program.
    func run(
        _ arguments: [String], environment: [String: String]? = nil
    ) async throws -> (status: Int32, output: [UInt8], said: String) {
        let name = UUID().uuidString
        let program = try RunningProgram(
            "sh",
            [
                "-c", "out=$1; shift; exec \"$@\" >\"$out\"", "sh", path(name),
                try Self.path(),
            ] + arguments, environment: environment)
        let status = try await program.exit(within: 60)
        return (status, try bytes(of: name), program.said)
    }
}
