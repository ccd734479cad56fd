import Foundation
import Testing

/// A text that is made of the program and kept in the tree; with `TOCSIN_REWRITE=1` in the
/// environment (`make transcript`) it is written instead of compared.
struct KeptText {
    /// Its path in the package.
    var path: String

    private var url: URL { URL(filePath: InstallationTests.root).appending(path: path) }

    private static var isRewriting: Bool {
        ProcessInfo.processInfo.environment["TOCSIN_REWRITE"] == "1"
    }

    /// What is kept; empty where there is nothing yet.
    var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    /// Compares it with what is made now, or writes that.
    func expect(_ made: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if Self.isRewriting {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try made.write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(
            text == made, "\(path) says something else; 'make transcript' writes it",
            sourceLocation: sourceLocation)
    }
}
