/// Reads what a screen shows, for popups that tell assistive technologies nothing.
package enum PrintedText {
    /// The text in a part of the screenshot, `WIDTHxHEIGHT+X+Y`, without spaces and lines: where the
    /// letters are small, those are guesses.
    package static func read(_ screenshot: String, part: String) async throws -> String {
        let enlarged = screenshot + ".text.png"
        // As large as in a book, black on white, and without the empty part around: what surrounds a
        // small popup would decide what counts as dark.
        try await RunningProgram.run(
            "convert",
            [screenshot, "-crop", part, "+repage", "-trim", "-resize", "300%", "-negate", enlarged])
        let text = try await RunningProgram.run("tesseract", [enlarged, "-", "--psm", "6"])
        return letters(of: text)
    }

    /// A text as it is compared.
    package static func letters(of text: String) -> String {
        text.filter { !$0.isWhitespace }
    }
}
