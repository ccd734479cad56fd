internal import Foundation

/// A golden file: a generated text that is also kept in the repository.
///
/// With `TOCSIN_REWRITE=1` in the environment (`make transcript`, `make golden`) a test writes
/// the file instead of comparing it.
package struct KeptText {
    /// The folder of this package.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// The file's path in the package.
    package var path: String

    /// The Makefile target that writes the text.
    private let target: String

    /// The text at a path in the package.
    package init(path: String, madeBy target: String = "transcript") {
        self.path = path
        self.target = target
    }

    private var url: URL { URL(filePath: Self.root).appending(path: path) }

    private static var isRewriting: Bool {
        ProcessInfo.processInfo.environment["TOCSIN_REWRITE"] == "1"
    }

    /// The message of a test whose text differs from the kept text.
    package var remedy: String { "\(path) says something else; 'make \(target)' writes it" }

    /// The kept text; empty if the file does not exist yet.
    package var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    /// Returns whether the kept text equals `made`; with `TOCSIN_REWRITE=1`, writes `made` first.
    package func isSame(as made: String) throws -> Bool {
        if Self.isRewriting {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try made.write(to: url, atomically: true, encoding: .utf8)
        }
        return text == made
    }
}
