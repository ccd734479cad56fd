/// A picture whose colour occurs nowhere else on a desktop, so that it can be found on one.
package enum TestImage {
    /// The only colour of the picture.
    package static let color = "#ff00fe"
    /// That of an app's icon, which is as rare.
    package static let iconColor = "#00fe01"

    /// Draws the picture as `path` (PNG).
    package static func draw(_ path: String, color: String = color) async throws {
        try await RunningProgram.run("convert", ["-size", "64x64", "xc:\(color)", "PNG24:\(path)"])
    }

    /// How many pixels of the screenshot have the picture's colour.
    package static func pixels(
        in screenshot: String, color: String = color
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

    /// A point near the top left of what has the colour; nil if nothing has.
    package static func place(
        of color: String, in screenshot: String
    ) async throws -> ScreenPoint? {
        guard try await pixels(in: screenshot, color: color) > 0 else { return nil }
        let text = try await RunningProgram.run(
            "convert",
            [
                screenshot, "-fill", "black", "+opaque", color, "-trim",
                "-format", "%[fx:page.x] %[fx:page.y]", "info:",
            ])
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else {
            throw HarnessError("convert found the colour at \"\(text)\"")
        }
        return ScreenPoint(x: numbers[0] + 10, y: numbers[1] + 10)
    }
}
