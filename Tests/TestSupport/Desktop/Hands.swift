/// The mouse and the keyboard of a screen.
package protocol Hands: Sendable {
    /// Moves onto a point, as the user does to see what a popup offers.
    func hover(_ point: ScreenPoint) async throws
    /// Clicks at a point of the screen, then leaves: a resting pointer would stop the popup's
    /// expiry.
    func click(_ point: ScreenPoint, _ button: PointerButton) async throws
    /// Clicks as slowly as a user, because some servers accept no faster click.
    func clickSlowly(_ point: ScreenPoint) async throws
    /// Leaves for a corner without widgets.
    func moveAway() async throws
    /// Types a text into the focused widget.
    func type(_ text: String) async throws
}

/// A mouse button, by X's number.
package enum PointerButton: Int, Sendable {
    case left = 1
    case middle = 2
    case right = 3
}
