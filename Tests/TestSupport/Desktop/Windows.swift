/// The windows of apps on a screen.
package protocol Windows: Sendable {
    /// The area of the visible window of this title; nil if there is no such window.
    func area(of title: String) async throws -> ScreenArea?
    /// The title of the window that has the keyboard focus; nil if no window has it.
    func titleInFront() async throws -> String?
}

/// A rectangle of the screen, in pixels from the top left.
package struct ScreenArea: Sendable, Equatable {
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The point in its middle.
    package var center: ScreenPoint { ScreenPoint(x: x + width / 2, y: y + height / 2) }

    /// The area in ImageMagick's form.
    package var part: String { "\(width)x\(height)+\(x)+\(y)" }

    /// The corner at the bottom right.
    package var end: ScreenPoint { ScreenPoint(x: x + width, y: y + height) }
}
