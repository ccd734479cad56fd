/// The mouse and the keyboard of a display: real events, sent by xdotool.
package struct Pointer: Hands {
    private let environment: [String: String]

    /// The pointer of the display that `environment` names.
    package init(environment: [String: String]) {
        self.environment = environment
    }

    package func click(_ point: ScreenPoint, _ button: PointerButton = .left) async throws {
        try await RunningProgram.run(
            "xdotool",
            [
                "mousemove", "--sync", "\(point.x)", "\(point.y)", "click", "\(button.rawValue)",
                "mousemove", "4", "796",
            ],
            environment: environment)
    }

    package func clickSlowly(_ point: ScreenPoint) async throws {
        try await RunningProgram.run(
            "xdotool",
            [
                "mousemove", "--sync", "\(point.x)", "\(point.y)", "mousedown", "1",
                "sleep", "0.15", "mouseup", "1",
            ], environment: environment)
    }

    package func hover(_ point: ScreenPoint) async throws {
        // Come from beside the widget: some toolkits miss a pointer that jumps onto a new widget.
        try await RunningProgram.run(
            "xdotool",
            [
                "mousemove", "--sync", "\(point.x - 3)", "\(point.y)",
                "mousemove", "--sync", "\(point.x)", "\(point.y)",
            ], environment: environment)
    }

    package func moveAway() async throws {
        try await RunningProgram.run(
            "xdotool", ["mousemove", "4", "796"], environment: environment)
    }

    package func type(_ text: String) async throws {
        try await RunningProgram.run(
            "xdotool", ["type", "--delay", "20", text], environment: environment)
    }

    /// Presses the key with this X keysym name, such as `Return`.
    package func press(_ key: String) async throws {
        try await RunningProgram.run("xdotool", ["key", key], environment: environment)
    }

    /// Waits for an answer of the display; earlier clicks reach the windows before that answer.
    package func synchronize() async throws {
        _ = try await RunningProgram.run(
            "xdotool", ["getmouselocation"], environment: environment)
    }

    /// Whether a window of this class is visible.
    package func hasWindow(ofClass name: String) async throws -> Bool {
        // A search that finds nothing ends with status 1.
        let windows = try? await RunningProgram.run(
            "xdotool", ["search", "--onlyvisible", "--class", name], environment: environment)
        return windows?.isEmpty == false
    }

    /// Returns the position of a window of this class, once the window is visible and has its size.
    ///
    /// dunst first shows its window one pixel high, and sets position and size when it draws. A
    /// click at the first position would miss.
    package func window(ofClass name: String) async throws -> ScreenPoint {
        try await polled(
            "a window of class \(name)", because: "xdotool does not wait for a window's size"
        ) {
            let text = try await RunningProgram.run(
                "xdotool",
                [
                    "search", "--sync", "--onlyvisible", "--class", name,
                    "getwindowgeometry", "--shell", "%1",
                ], environment: environment)
            func value(_ key: String) -> Int? {
                text.split(separator: "\n").first { $0.hasPrefix("\(key)=") }
                    .flatMap { Int($0.dropFirst(key.count + 1)) }
            }
            guard let x = value("X"), let y = value("Y"), let height = value("HEIGHT") else {
                throw HarnessError("xdotool described no window of class \(name): \(text)")
            }
            return height > 1 ? ScreenPoint(x: x, y: y) : nil
        }
    }
}
