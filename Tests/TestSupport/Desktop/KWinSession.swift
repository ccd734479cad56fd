internal import Foundation

/// KWin as the Wayland compositor of Plasma 6, in a window of an X server.
///
/// The X server's mouse, keyboard and image are those of the session. A test therefore needs no
/// protocol of the compositor to act as a user.
package final class KWinSession: Screen {
    private static let socket = "wayland-0"
    private let display: VirtualDisplay
    private let compositor: RunningProgram

    private init(display: VirtualDisplay, compositor: RunningProgram) {
        self.display = display
        self.compositor = compositor
    }

    /// Starts KWin on the session's bus and waits until it accepts clients.
    package static func start(
        on bus: PrivateBus, variables: [String: String]
    ) async throws -> KWinSession {
        let display = try await VirtualDisplay.start()
        var environment = bus.environment
        environment.merge(variables) { $1 }
        environment.merge(display.variables) { $1 }
        // These variables are for KWin's clients. KWin itself is a client of X.
        for name in ["QT_QPA_PLATFORM", "QT_QUICK_BACKEND"] { environment[name] = nil }
        do {
            let compositor = try RunningProgram(
                "kwin_wayland",
                [
                    "--x11-display", display.name, "--width", "1280", "--height", "800",
                    "--no-lockscreen", "--no-global-shortcuts", "--socket", socket,
                ], environment: environment)
            let session = KWinSession(display: display, compositor: compositor)
            do {
                try await session.waitUntilListening(
                    "\(bus.environment["XDG_RUNTIME_DIR"] ?? "")/\(socket)")
            } catch {
                await session.stop()
                throw HarnessError("kwin_wayland did not start: \(error)\n\(compositor.said)")
            }
            return session
        } catch {
            await display.stop()
            throw error
        }
    }

    private func waitUntilListening(_ path: String) async throws {
        try await FileArrival.wait(for: path)
        // The window of KWin covers the screen once KWin has an output.
        try await polled("the window of KWin", because: "KWin sends no event for its output") {
            // Without a window manager xdotool finds no window.
            let tree = try await RunningProgram.run(
                "xwininfo", ["-display", display.name, "-root", "-tree"])
            return tree.contains("KDE Wayland Compositor") ? () : nil
        }
    }

    package var variables: [String: String] {
        ["WAYLAND_DISPLAY": Self.socket, "QT_QPA_PLATFORM": "wayland", "GDK_BACKEND": "wayland"]
    }

    package var outerVariables: [String: String] { display.variables }

    package func hands(_ environment: [String: String]) -> any Hands {
        Pointer(environment: environment.merging(outerVariables) { $1 })
    }

    package func windows(_ environment: [String: String]) -> any Windows {
        KWinWindows(environment: environment)
    }

    package func save(_ path: String) async throws {
        try await display.save(path)
    }

    package func stop() async {
        await compositor.stop()
        await display.stop()
    }
}

/// The windows of a session of KWin.
///
/// KWin reports the areas of windows to KRunner, and the active window to assistive technologies.
struct KWinWindows: Windows {
    let environment: [String: String]

    func area(of title: String) async throws -> ScreenArea? {
        let matches = try await ask(
            "/WindowsRunner", "org.kde.krunner1.Match", [title])
        // The answer is a list of `('0_{uuid}', 'title', …)`. It includes windows whose title only
        // contains the searched title.
        let found = matches.matches(of: /'\d+_(\{[^}]+\})', '([^']*)'/).first { $0.2 == title }
        guard let found else { return nil }
        let facts = try await ask("/KWin", "org.kde.KWin.getWindowInfo", [String(found.1)])
        func value(_ key: String) -> Int? {
            facts.split(separator: "'\(key)': <", maxSplits: 1).dropFirst().first
                .flatMap { Double($0.prefix { $0.isNumber || $0 == "." || $0 == "-" }) }
                .map { Int($0) }
        }
        guard let x = value("x"), let y = value("y"), let width = value("width"),
            let height = value("height")
        else { return nil }
        return ScreenArea(x: x, y: y, width: width, height: height)
    }

    func titleInFront() async throws -> String? {
        try await AccessibilityTree(environment: environment).activeWindow()
    }

    private func ask(
        _ path: String, _ method: String, _ arguments: [String]
    ) async throws -> String {
        try await RunningProgram.run(
            "gdbus",
            ["call", "--session", "--dest", "org.kde.KWin", "--object-path", path, "--method"]
                + [method] + arguments, environment: environment)
    }
}
