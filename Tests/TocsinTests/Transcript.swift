import Foundation
import TestSupport

@testable import tocsin

/// Command lines as the user types them, with their output; fixed dates replace the real dates.
final class Transcript {
    /// The fixed text that replaces a command's date.
    struct Fixed {
        var date: String
        var distance: String
    }

    private let environment: [String: String]
    private(set) var text = ""

    /// Makes a transcript whose commands run in a folder and find the programs of this build.
    init(environment: [String: String], directory: String) {
        var environment = environment
        environment["PATH"] = "\(ProgramTests.products):\(environment["PATH"] ?? "/usr/bin:/bin")"
        environment["TZ"] = "Europe/Berlin"
        environment["FOLDER"] = directory
        // Removes the variables of the `make` that runs the tests.
        for name in ["MAKEFLAGS", "MAKELEVEL", "MFLAGS"] { environment[name] = nil }
        self.environment = environment
    }

    /// Adds a remark that tells what the user wants.
    func wish(_ words: String) {
        text += text.isEmpty ? "# \(words)\n" : "\n# \(words)\n"
    }

    /// Adds a popup as the user sees it on the screen.
    func sees(_ post: NotifyCall) {
        let buttons = post.actions.map(\.label).filter { !$0.isEmpty }.map { " [\($0)]" }.joined()
        let body = post.body.isEmpty ? "" : ": \(post.body)"
        let line = "\(post.summary)\(body)".replacing(/after \d+ (s|min)/, with: "after 42 s")
        text += "  (on the screen) \(line)\(buttons)\n"
    }

    /// Starts a command line.
    func start(_ command: String) throws -> RunningProgram {
        text += "$ \(command)\n"
        return try RunningProgram(
            "sh", ["-c", "cd \"$FOLDER\" && \(command)"], environment: environment)
    }

    /// Adds the output of a command when it has ended, with the fixed dates of these identifiers.
    func addOutput(_ program: RunningProgram, _ fixed: [String: Fixed] = [:]) async throws {
        let status = try await program.exit()
        guard status == 0 else { throw HarnessError("status \(status): \(program.said)") }
        try await program.lines.untilFinished()
        guard !fixed.isEmpty else {
            return text += program.lines.all.map { $0 + "\n" }.joined()
        }
        // Two or more spaces separate the cells of a table.
        let rows = program.lines.all.map { $0.split(separator: /\ {2,}/).map(String.init) }
        let dated = rows.compactMap { row -> (date: Substring, row: [String])? in
            let words = Set(row.flatMap { $0.split(whereSeparator: { " :".contains($0) }) })
            guard let fixed = fixed.first(where: { words.contains(Substring($0.key)) })?.value
            else { return nil }
            return (fixed.date.dropFirst(4), row.map { Self.stable($0, fixed) })
        }
        var table = TextTable()
        for row in rows.dropLast(dated.count) { table.add(row) }
        // Sort by the fixed dates, because the real dates may have another order.
        for (index, (_, row)) in dated.sorted(by: { $0.date < $1.date }).enumerated() {
            table.add(
                row.count > 4 && Int(row[0]) != nil ? ["\(index + 1)"] + row.dropFirst() : row)
        }
        text += table.text
    }

    /// Runs a command line to its end.
    func run(_ command: String, _ fixed: [String: Fixed] = [:]) async throws {
        try await addOutput(try start(command), fixed)
    }

    private static func stable(_ text: String, _ fixed: Fixed) -> String {
        text.replacing(
            /[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]{3,4}/, with: fixed.date
        ).replacing(/\bin \d+ (?:s|min|h|d)(?: \d+ (?:s|min|h))?/, with: fixed.distance)
    }
}
