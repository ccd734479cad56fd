internal import Foundation

/// A text that is made of the program and kept in the tree; with `TOCSIN_REWRITE=1` in the
/// environment (`make transcript`, `make golden`) it is written instead of compared.
package struct KeptText {
    /// The folder of this package.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Its path in the package.
    package var path: String

    /// The target of the Makefile that writes it.
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

    /// What a test says where the text is another one.
    package var remedy: String { "\(path) says something else; 'make \(target)' writes it" }

    /// What is kept; empty where there is nothing yet.
    package var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    /// Whether it is what is made now; writes that where texts are to be written.
    package func isSame(as made: String) throws -> Bool {
        if Self.isRewriting {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try made.write(to: url, atomically: true, encoding: .utf8)
        }
        return text == made
    }
}
