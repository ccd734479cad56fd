/// The mouse and the keyboard of a screen.
package protocol Hands: Sendable {
    /// Moves the pointer to a point without a click.
    func hover(_ point: ScreenPoint) async throws
    /// Clicks at a point, then moves the pointer away: a resting pointer would stop the popup's
    /// expiry.
    func click(_ point: ScreenPoint, _ button: PointerButton) async throws
    /// Clicks as slowly as a user, because some servers accept no faster click.
    func clickSlowly(_ point: ScreenPoint) async throws
    /// Moves the pointer to a place without widgets.
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
