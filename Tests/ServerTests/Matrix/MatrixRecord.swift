import Foundation
import TestSupport

/// The result of one trial on one server.
struct MatrixRecord: Codable {
    /// The name of the server's package.
    var server: String
    /// The name and version that the server reports.
    var version: String
    /// The day of the run, ISO 8601.
    var date: String
    var cell: MatrixCell
    /// The outcome seen: `yes`, `no`, a number, or a few words.
    var outcome: String
    /// The outcome expected of this server.
    var expected: String
    /// Whether the outcome is the expected one.
    var passed: Bool
    /// The duration of the trial.
    var seconds: Double

    /// Writes a server's results as JSON lines, and overwrites the results of an earlier run.
    static func write(_ records: [MatrixRecord], of server: DesktopServer) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try records.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        let folder = Screenshot.folder + "/matrix"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try (lines.joined(separator: "\n") + "\n").write(
            toFile: "\(folder)/\(server.name).jsonl", atomically: true, encoding: .utf8)
    }
}
