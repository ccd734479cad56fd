/// The windows of an X display, as its window manager lists them.
struct XWindows: Windows {
    let environment: [String: String]

    func area(of title: String) async throws -> ScreenArea? {
        // xdotool ends with 1 if it finds nothing, or if a window closes during the search.
        let text = try? await xdotool(
            ["search", "--onlyvisible", "--name", "^\(title)$", "getwindowgeometry", "--shell"])
        let values = (text ?? "").split(separator: "\n").map { $0.split(separator: "=") }
        func value(_ key: String) -> Int? {
            values.last { $0.first == Substring(key) }.flatMap { $0.last.flatMap { Int($0) } }
        }
        guard let x = value("X"), let y = value("Y"), let width = value("WIDTH"),
            let height = value("HEIGHT")
        else { return nil }
        return ScreenArea(x: x, y: y, width: width, height: height)
    }

    func titleInFront() async throws -> String? {
        // xdotool fails if no window is in front.
        try? await xdotool(["getactivewindow", "getwindowname"])
    }

    private func xdotool(_ arguments: [String]) async throws -> String {
        try await RunningProgram.run("xdotool", arguments, environment: environment)
    }
}
