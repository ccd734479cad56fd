/// An image whose colour occurs nowhere else on a desktop, so that a test finds it there.
package enum TestImage {
    /// The only colour of the image.
    package static let color = "#ff00fe"
    /// The colour of an app's icon, as rare as `color` and more pleasant.
    package static let iconColor = "#c2410c"
    /// A second rare colour, for a part of an image that must not be seen.
    package static let hiddenColor = "#00fe7f"

    /// Draws the image as `path` (PNG).
    package static func draw(_ path: String) async throws {
        try await RunningProgram.run("convert", ["-size", "64x64", "xc:\(color)", "PNG24:\(path)"])
    }

    /// Draws an app's icon, a cup (PNG).
    package static func drawIcon(_ path: String) async throws {
        var arguments = ["-size", "64x64", "xc:none", "-fill", iconColor]
        arguments += ["-draw", "roundrectangle 2,2 61,61 12,12"]
        arguments += ["-fill", "none", "-stroke", "white", "-strokewidth", "4"]
        arguments += ["-draw", "ellipse 42,38 6,6 0,360"]
        arguments += ["-draw", "path 'M 24,22 q -4,-4 0,-9 M 34,22 q -4,-4 0,-9'"]
        arguments += ["-fill", "white", "-draw", "path 'M 16,28 L 41,28 L 39,48 L 18,48 Z'"]
        try await RunningProgram.run("convert", arguments + ["PNG32:\(path)"])
    }

    /// Draws an image (PNG): its left half has `hiddenColor`, its right half `color`.
    package static func drawHalves(_ path: String) async throws {
        try await RunningProgram.run(
            "convert",
            ["-size", "64x128", "xc:\(hiddenColor)", "xc:\(color)", "+append", "PNG24:\(path)"])
    }

    /// Draws an animation (GIF): its first frame has `hiddenColor`, its second `color`.
    package static func drawFrames(_ path: String) async throws {
        try await RunningProgram.run(
            "convert",
            ["-delay", "10", "-size", "64x64", "xc:\(hiddenColor)", "xc:\(color)", path])
    }

    /// How many pixels of the screenshot have the colour `color`.
    ///
    /// With `blended`, a pixel also counts if a little of the background shows through it.
    package static func pixels(
        in screenshot: String, of color: String = color, blended: Bool = false
    ) async throws -> Int {
        let text = try await RunningProgram.run(
            "convert",
            [
                screenshot, "-fuzz", blended ? "8%" : "0", "-fill", "black", "+opaque", color,
                "-fill", "white", "-opaque", color, "-format", "%[fx:round(mean*w*h)]", "info:",
            ])
        guard let count = Double(text) else {
            throw HarnessError("convert counted \"\(text)\" pixels")
        }
        return Int(count)
    }

    /// How many pixels differ between two screenshots.
    package static func differences(
        between first: String, and second: String
    ) async throws -> Int {
        let text = try await RunningProgram.run(
            "convert",
            [
                first, second, "-compose", "difference", "-composite", "-colorspace", "gray",
                "-threshold", "1%", "-format", "%[fx:round(mean*w*h)]", "info:",
            ])
        guard let count = Double(text) else {
            throw HarnessError("convert counted \"\(text)\" pixels")
        }
        return Int(count)
    }

    /// Returns a point near the top left of the colour's area; nil if no pixel has the colour.
    package static func place(
        of color: String, in screenshot: String
    ) async throws -> ScreenPoint? {
        guard try await pixels(in: screenshot, of: color) > 0 else { return nil }
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
