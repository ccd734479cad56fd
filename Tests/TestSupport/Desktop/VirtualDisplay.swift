/// An X server without a monitor (Xvfb), on a display number that Xvfb chose.
package final class VirtualDisplay: Screen {
    /// The display's name as programs take it, for instance `:7`.
    package let name: String
    private let server: RunningProgram

    private init(name: String, server: RunningProgram) {
        self.name = name
        self.server = server
    }

    /// Starts Xvfb and waits until it accepts clients.
    package static func start() async throws -> VirtualDisplay {
        // Xvfb chooses a free number, so that two tests never use the same number. It writes the
        // number once it listens.
        let arguments = [
            "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset",
        ]
        let server = try RunningProgram("Xvfb", arguments)
        do {
            let number = try await server.lines.first("the number of the display") {
                Int($0) != nil
            }
            return VirtualDisplay(name: ":\(number)", server: server)
        } catch {
            await server.stop()
            let said = server.said
            throw HarnessError("Xvfb did not start: \(error)\n\(said)")
        }
    }

    package var variables: [String: String] { ["DISPLAY": name] }

    package func hands(_ environment: [String: String]) -> any Hands {
        Pointer(environment: environment)
    }

    package func windows(_ environment: [String: String]) -> any Windows {
        XWindows(environment: environment)
    }

    package func save(_ path: String) async throws {
        // Compress little: full compression of a wallpaper takes seconds.
        try await RunningProgram.run(
            "import", ["-display", name, "-window", "root", "-quality", "05", path])
    }

    /// Ends the X server; its clients end with it.
    package func stop() async {
        await server.stop()
    }
}
