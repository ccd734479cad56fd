/// The mouse of a display: real pointer events, sent by xdotool.
package struct Pointer: Sendable {
    /// A mouse button, by X's number.
    package enum Button: Int, Sendable {
        case left = 1
        case middle = 2
        case right = 3
    }

    private let environment: [String: String]

    /// The pointer of the display that `environment` names.
    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// Clicks at a point of the screen, then leaves: a pointer resting on a popup stops its expiry.
    package func click(_ point: ScreenPoint, _ button: Button = .left) async throws {
        try await RunningProgram.run(
            "xdotool",
            [
                "mousemove", "--sync", "\(point.x)", "\(point.y)", "click", "\(button.rawValue)",
                "mousemove", "4", "796",
            ],
            environment: environment)
    }

    /// Asks the display where the pointer is; what was clicked before has reached the windows then.
    package func look() async throws {
        _ = try await RunningProgram.run(
            "xdotool", ["getmouselocation"], environment: environment)
    }

    /// Where a window of this class is, waiting until one is visible and has its size.
    ///
    /// dunst shows its window one pixel high and gives it place and size when it draws: a click by
    /// the first place would miss.
    package func window(ofClass name: String) async throws -> ScreenPoint {
        while true {
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
            if height > 1 { return ScreenPoint(x: x, y: y) }
        }
    }
}
