/// A picture whose colour occurs nowhere else on a desktop, so that it can be found on one.
package enum TestImage {
    /// The only colour of the picture.
    package static let color = "#ff00fe"

    /// Draws the picture as `path` (PNG).
    package static func draw(_ path: String) async throws {
        try await RunningProgram.run("convert", ["-size", "64x64", "xc:\(color)", "PNG24:\(path)"])
    }

    /// How many pixels of the screenshot have the picture's colour.
    package static func pixels(in screenshot: String) async throws -> Int {
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
