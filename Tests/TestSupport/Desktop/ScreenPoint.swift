/// A place on the screen, in pixels from the top left.
package struct ScreenPoint: Sendable, Equatable {
    package let x: Int
    package let y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// The point at this distance to the right and down.
    package func moved(x dx: Int, y dy: Int) -> ScreenPoint {
        ScreenPoint(x: x + dx, y: y + dy)
    }
}
