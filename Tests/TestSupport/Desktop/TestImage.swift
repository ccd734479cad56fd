/// A picture whose colour occurs nowhere else on a desktop, so that it can be found on one.
package enum TestImage {
    /// The only colour of the picture.
    package static let color = "#ff00fe"
    /// A second such colour, of a part that must not be seen.
    package static let hiddenColor = "#00fe7f"

    /// Draws the picture as `path` (PNG).
    package static func draw(_ path: String) async throws {
        try await RunningProgram.run("convert", ["-size", "64x64", "xc:\(color)", "PNG24:\(path)"])
    }

    /// Draws a picture whose left half has the hidden colour, and its right half the other (PNG).
    package static func drawHalves(_ path: String) async throws {
        try await RunningProgram.run(
            "convert",
            ["-size", "64x128", "xc:\(hiddenColor)", "xc:\(color)", "+append", "PNG24:\(path)"])
    }

    /// Draws an animation whose first frame has the hidden colour, and its second the other (GIF).
    package static func drawFrames(_ path: String) async throws {
        try await RunningProgram.run(
            "convert",
            ["-delay", "10", "-size", "64x64", "xc:\(hiddenColor)", "xc:\(color)", path])
    }

    /// How many pixels of the screenshot have the picture's colour, or another.
    package static func pixels(
        in screenshot: String, of color: String = color
    ) async throws -> Int {
        let text = try await RunningProgram.run(
            "convert",
            [
                screenshot, "-fill", "black", "+opaque", color, "-fill", "white", "-opaque", color,
                "-format", "%[fx:round(mean*w*h)]", "info:",
            ])
        guard let count = Double(text) else {
            throw HarnessError("convert counted \"\(text)\" pixels")
        }
        return Int(count)
    }
}
