/// A date and time on the wall that a calendar found for components.
package struct WallMatch: Hashable, Sendable {
    /// Microseconds from 1970-01-01 00:00:00.
    package var wall: Int64
    /// Whether it stands for a day that its month lacks.
    package var isMoved: Bool

    /// Makes a match.
    package init(wall: Int64, isMoved: Bool = false) {
        self.wall = wall
        self.isMoved = isMoved
    }
}
