/// Reads the text on a screen, for popups that assistive technologies cannot read.
package struct PrintedText: Eyes {
    /// Takes a screenshot and returns its path.
    let look: @Sendable () async throws -> String
    /// The part of the screen that holds the popups.
    let area: ScreenArea

    /// The factor by which an image is enlarged, so that its text is as large as in a book.
    private static let scale = 3

    private static let screensReportNothing = "a screen does not say when it is drawn"

    /// Returns the text in a part of the screenshot, without white space.
    ///
    /// In small print, tesseract only guesses where spaces and lines are.
    package static func read(_ screenshot: String, in area: ScreenArea) async throws -> String {
        // Trim the empty part around a small popup: it would change which shades count as dark. The
        // second image, with a threshold, also shows text in a field of another shade.
        let whole = try await text(
            of: screenshot, ["-crop", area.part, "+repage", "-trim"], ["-negate"])
        let sharp = try await text(
            of: screenshot, ["-crop", area.part, "+repage", "-trim"], ["-threshold", "60%"])
        return letters(of: whole + sharp)
    }

    /// Returns the text without white space, for comparisons.
    package static func letters(of text: String) -> String {
        text.filter { !$0.isWhitespace }
    }

    private static func text(
        of screenshot: String, _ cut: [String], _ colors: [String], as format: String...
    ) async throws -> String {
        let enlarged = screenshot + ".text.png"
        try await RunningProgram.run(
            "convert", [screenshot] + cut + ["-resize", "\(scale)00%"] + colors + [enlarged])
        let layout = format.isEmpty ? "6" : "11"
        return try await RunningProgram.run(
            "tesseract", [enlarged, "-", "--psm", layout] + format)
    }

    // MARK: Eyes

    /// Returns the lines on the screen with their centres.
    ///
    /// A screenshot shows no roles, so each line may be a button.
    package func widgets() async throws -> [Widget] {
        // Make the text dark on light: tesseract misses light letters of a popup over a light
        // window.
        let table = try await Self.text(
            of: try await look(), ["-crop", area.part, "+repage"],
            ["-threshold", "50%", "-negate"], as: "tsv")
        var lines: [(key: [Substring], words: [Substring], left: Int, right: Int, middle: Int)] = []
        for row in table.split(separator: "\n").dropFirst() {
            let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 12, !fields[11].allSatisfy(\.isWhitespace) else { continue }
            let numbers = fields[6...9].compactMap { Int($0) }
            guard numbers.count == 4 else { throw HarnessError("tesseract printed \"\(row)\"") }
            let key = Array(fields[1...4])
            let right = numbers[0] + numbers[2]
            if lines.last?.key == key {
                lines[lines.count - 1].words.append(fields[11])
                lines[lines.count - 1].right = right
            } else {
                let middle = numbers[1] + numbers[3] / 2
                lines.append((key, [fields[11]], numbers[0], right, middle))
            }
        }
        return lines.map { line in
            Widget(
                role: .pushButton, text: line.words.joined(separator: " "),
                center: ScreenPoint(
                    x: area.x + (line.left + line.right) / 2 / Self.scale,
                    y: area.y + line.middle / Self.scale))
        }
    }

    package func waitUntilShown(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws -> ScreenPoint {
        try await polled(
            "\"\(label)\" on the screen", because: Self.screensReportNothing, within: seconds
        ) {
            try await place(of: label)
        }
    }

    package func waitUntilGone(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws {
        try await polled(
            "the end of \"\(label)\"", because: Self.screensReportNothing, within: seconds
        ) {
            try await place(of: label) == nil ? () : nil
        }
    }

    private func place(of label: String) async throws -> ScreenPoint? {
        try await widgets().first { Self.letters(of: $0.text) == Self.letters(of: label) }?.center
    }
}
