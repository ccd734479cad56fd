/// A view of the screen as a list of widgets, each with its role and its text.
package protocol Eyes: Sendable {
    /// All widgets on the screen.
    func widgets() async throws -> [Widget]
    /// Waits until the widget is on the screen and has stopped moving, and returns its centre.
    func waitUntilShown(
        _ role: Widget.Role, _ label: String, within seconds: Int
    ) async throws -> ScreenPoint
    /// Returns once no such widget is on the screen.
    func waitUntilGone(_ role: Widget.Role, _ label: String, within seconds: Int) async throws
}

extension Eyes {
    /// Waits until the widget is on the screen and has stopped moving, and returns its centre.
    package func waitUntilShown(
        _ role: Widget.Role, _ label: String
    ) async throws -> ScreenPoint {
        try await waitUntilShown(role, label, within: 60)
    }

    /// Returns once no such widget is on the screen.
    package func waitUntilGone(_ role: Widget.Role, _ label: String) async throws {
        try await waitUntilGone(role, label, within: 60)
    }
}
