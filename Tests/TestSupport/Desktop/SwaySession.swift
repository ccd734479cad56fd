internal import Foundation
internal import Glibc

/// The compositor sway on a headless output.
///
/// It owns sway, a mouse, a keyboard and their folder. It promises that sway accepts clients from
/// `start()` until `stop()`. It never runs sway as root.
package final class SwaySession: Screen {
    /// The socket to which its clients connect.
    private let socket: String
    private let folder: String
    private let compositor: RunningProgram
    private let mouse: RunningProgram
    private let keyboard: RunningProgram
    /// The path of sway's IPC socket, `SWAYSOCK`.
    private let control: String

    private init(
        socket: String, control: String, folder: String, compositor: RunningProgram,
        mouse: RunningProgram, keyboard: RunningProgram
    ) {
        self.keyboard = keyboard
        self.control = control
        self.socket = socket
        self.folder = folder
        self.compositor = compositor
        self.mouse = mouse
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts sway and waits until it accepts clients.
    package static func start() async throws -> SwaySession {
        var template = Array("/tmp/sway-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw HarnessError("no temporary directory: \(String(cString: strerror(errno)))")
        }
        let folder = String(cString: made)
        let file = "\(folder)/config"
        // `printenv` reports the sockets once sway accepts clients. With `focus_follows_mouse no`,
        // a pointer on its way to the corner focuses no window.
        try """
        xwayland disable
        output HEADLESS-1 resolution 1280x800
        focus_follows_mouse no
        exec printenv WAYLAND_DISPLAY SWAYSOCK

        """.write(toFile: file, atomically: true, encoding: .utf8)
        var command = ["sway", "-c", file]
        if geteuid() == 0 {
            // sway refuses to run as root: github.com/swaywm/sway, sway/main.c, drop_permissions.
            chown(folder, nobody, nobody)
            chown(file, nobody, nobody)
            command =
                ["setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups"] + command
        }
        var environment = ProcessInfo.processInfo.environment
        environment.merge(
            [
                "XDG_RUNTIME_DIR": folder, "HOME": folder, "WLR_BACKENDS": "headless",
                "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
            ]
        ) { $1 }
        let compositor = try RunningProgram(
            command[0], Array(command.dropFirst()), environment: environment)
        do {
            let name = try await compositor.lines.first("sway's socket") {
                $0.hasPrefix("wayland-")
            }
            let socket = "\(folder)/\(name)"
            let control = try await compositor.lines.first("sway's control socket") {
                $0.hasPrefix("/")
            }
            let mouse = try await VirtualPointer.resting(on: socket)
            return SwaySession(
                socket: socket, control: control, folder: folder, compositor: compositor,
                mouse: mouse, keyboard: try VirtualPointer.restingKeyboard(on: socket))
        } catch {
            await compositor.stop()
            throw HarnessError("sway did not start: \(error)\n\(compositor.said)")
        }
    }

    /// The user and group `nobody`.
    private static let nobody: UInt32 = 65_534

    package var variables: [String: String] {
        ["WAYLAND_DISPLAY": socket, "SWAYSOCK": control, "GDK_BACKEND": "wayland"]
    }

    package func hands(_ environment: [String: String]) -> any Hands {
        VirtualPointer(socket: socket)
    }

    package func windows(_ environment: [String: String]) -> any Windows {
        SwayWindows(environment: environment)
    }

    package func save(_ path: String) async throws {
        var environment = ProcessInfo.processInfo.environment
        environment.merge(variables.merging(["XDG_RUNTIME_DIR": folder]) { $1 }) { $1 }
        try await RunningProgram.run("grim", [path], environment: environment)
    }

    package func stop() async {
        await mouse.stop()
        await keyboard.stop()
        await compositor.stop()
    }
}
