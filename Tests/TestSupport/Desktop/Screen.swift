/// An invisible screen: an X server, or a Wayland compositor without a monitor.
package protocol Screen: Sendable {
    /// The environment variables of its clients.
    var variables: [String: String] { get }
    /// The environment variables of programs that move its mouse and take screenshots.
    var outerVariables: [String: String] { get }
    /// The mouse and the keyboard, for a client with this environment.
    func hands(_ environment: [String: String]) -> any Hands
    /// The windows on the screen, for a client with this environment.
    func windows(_ environment: [String: String]) -> any Windows
    /// Saves an image of the screen as a PNG file.
    func save(_ path: String) async throws
    /// Ends the screen and its clients.
    func stop() async
}

extension Screen {
    package var outerVariables: [String: String] { variables }
}
