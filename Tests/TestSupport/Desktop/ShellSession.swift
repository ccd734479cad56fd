internal import DesktopBus
internal import Foundation

/// GNOME Shell as its own Wayland compositor, without a display; newer versions have no X11
/// session.
///
/// The notification server under test is itself the compositor of this screen. Mouse and keyboard
/// are real events of `org.gnome.Mutter.RemoteDesktop`. Screenshots and windows come from
/// the shell, which answers because it runs with `--unsafe-mode`.
package final class ShellSession: Screen {
    private let bus: PrivateBus
    private let remote: RemoteDesktop

    /// Makes the screen of the shell that will run on this bus.
    package init(on bus: PrivateBus) {
        self.bus = bus
        remote = RemoteDesktop(on: bus)
    }

    /// The arguments that start GNOME Shell without a display, on `socket`.
    package static let arguments = [
        "--headless", "--virtual-monitor", "1280x800", "--wayland", "--wayland-display", socket,
        "--no-x11", "--unsafe-mode", "--mode=user",
    ]

    private static let socket = "wayland-0"

    /// Removes the socket of a killed shell; otherwise the next shell would choose another name.
    package static func forgetSocket(on bus: PrivateBus) {
        let folder = bus.environment["XDG_RUNTIME_DIR"] ?? ""
        for name in [socket, socket + ".lock"] {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    package var variables: [String: String] {
        ["WAYLAND_DISPLAY": Self.socket, "GDK_BACKEND": "wayland"]
    }

    package func hands(_ environment: [String: String]) -> any Hands { remote }

    package func windows(_ environment: [String: String]) -> any Windows {
        ShellWindows(bus: bus)
    }

    package func save(_ path: String) async throws {
        let connection = try await BusConnection.open(on: bus, name: "screenshot")
        defer { Task { await connection.close() } }
        _ = try await connection.call(
            MethodCall(
                destination: "org.gnome.Shell.Screenshot", path: "/org/gnome/Shell/Screenshot",
                interface: "org.gnome.Shell.Screenshot", member: "Screenshot",
                arguments: [.bool(false), .bool(false), .string(path)]))
    }

    package func stop() async {
        await remote.close()
    }
}

/// The windows of a session of GNOME Shell, as the shell lists them.
struct ShellWindows: Windows {
    let bus: PrivateBus

    private struct Found: Decodable {
        var title: String?
        var hasFocus: Bool
        var x: Int
        var y: Int
        var width: Int
        var height: Int
    }

    func area(of title: String) async throws -> ScreenArea? {
        // A window that is not drawn yet has no size. It lies at the top left, where a click opens
        // the overview.
        try await windows().last { $0.title == title && $0.width > 0 && $0.height > 0 }.map {
            ScreenArea(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
        }
    }

    func titleInFront() async throws -> String? {
        try await windows().first(where: \.hasFocus)?.title
    }

    private func windows() async throws -> [Found] {
        let shell = try await GnomeShell(on: bus)
        let text = try await shell.run(
            """
            global.get_window_actors().map(a => a.meta_window).map(w => {
                const r = w.get_frame_rect();
                return {title: w.title, hasFocus: w.has_focus(),
                    x: r.x, y: r.y, width: r.width, height: r.height};
            })
            """)
        await shell.disconnect()
        return try JSONDecoder().decode([Found].self, from: Data(text.utf8))
    }
}

/// The mouse and the keyboard of a GNOME session, by `org.gnome.Mutter.RemoteDesktop`.
///
/// It owns one session, which it opens again after a restart of the shell. It promises real input
/// events. The pointer never rests in the corner at the top left, which opens the overview.
///
/// Source: mutter, data/dbus-interfaces/org.gnome.Mutter.RemoteDesktop.xml.
actor RemoteDesktop: Hands {
    private static let name: BusName = "org.gnome.Mutter.RemoteDesktop"
    private let bus: PrivateBus
    private var session: (connection: BusConnection, path: ObjectPath)?

    init(on bus: PrivateBus) {
        self.bus = bus
    }

    func hover(_ point: ScreenPoint) async throws {
        try await move(to: point.moved(x: -3, y: 0))
        try await move(by: 3, 0)
        try await rest()
    }

    func click(_ point: ScreenPoint, _ button: PointerButton) async throws {
        try await move(to: point)
        try await rest()
        try await press(button)
        try await moveAway()
    }

    func clickSlowly(_ point: ScreenPoint) async throws {
        try await move(to: point)
        try await rest()
        try await press(.left)
    }

    /// Moves to the left edge, away from the upper corner, which opens the overview.
    func moveAway() async throws {
        try await move(to: ScreenPoint(x: 5, y: 700))
    }

    func type(_ text: String) async throws {
        for scalar in text.unicodeScalars { try await press(keysym: scalar.value) }
    }

    func pressReturn() async throws {
        try await press(keysym: 0xff0d)
    }

    /// Ends the session with its connection.
    func close() async {
        await session?.connection.close()
        session = nil
    }

    /// Moves along one axis at a time: a diagonal move would stop where it meets an edge.
    private func move(to point: ScreenPoint) async throws {
        try await move(by: 5_000, 0)
        try await move(by: 0, 5_000)
        try await move(by: point.x - 1_279, 0)
        try await move(by: 0, point.y - 799)
    }

    private func move(by x: Int, _ y: Int) async throws {
        try await call("NotifyPointerMotionRelative", [.double(Double(x)), .double(Double(y))])
    }

    private func press(_ button: PointerButton) async throws {
        for isDown in [true, false] {
            try await call("NotifyPointerButton", [.int32(button.eventCode), .bool(isDown)])
            try await rest()
        }
    }

    private func press(keysym: UInt32) async throws {
        for isDown in [true, false] {
            try await call("NotifyKeyboardKeysym", [.uint32(keysym), .bool(isDown)])
        }
    }

    /// Returns when the shell has drawn twice; its widgets have then got the earlier input.
    private func rest() async throws {
        let shell = try await GnomeShell(on: bus)
        for _ in 0..<2 {
            try await shell.run(
                """
                new Promise(resolve => {
                    const id = global.stage.connect('after-paint', () => {
                        global.stage.disconnect(id);
                        resolve(true);
                    });
                    global.stage.queue_redraw();
                })
                """)
        }
        await shell.disconnect()
    }

    private func call(_ member: MemberName, _ arguments: [BusValue]) async throws {
        do {
            try await send(member, arguments)
        } catch {
            // A restarted shell does not know the session.
            await close()
            try await send(member, arguments)
        }
    }

    private func send(_ member: MemberName, _ arguments: [BusValue]) async throws {
        let (connection, path) = try await opened()
        _ = try await connection.call(
            MethodCall(
                destination: Self.name, path: path,
                interface: "org.gnome.Mutter.RemoteDesktop.Session", member: member,
                arguments: arguments))
    }

    private func opened() async throws -> (connection: BusConnection, path: ObjectPath) {
        if let session { return session }
        let connection = try await BusConnection.open(on: bus, name: "remote-desktop")
        let answer = try await connection.call(
            MethodCall(
                destination: Self.name, path: "/org/gnome/Mutter/RemoteDesktop",
                interface: "org.gnome.Mutter.RemoteDesktop", member: "CreateSession"))
        guard case .objectPath(let path) = answer.arguments.first else {
            throw HarnessError("CreateSession answered \(answer.arguments)")
        }
        session = (connection, path)
        try await send("Start", [])
        // The shell loses the first key of a session, so press Shift, which types nothing.
        try await press(keysym: 0xffe1)
        return (connection, path)
    }
}

extension PointerButton {
    /// Linux input event codes: BTN_LEFT, BTN_MIDDLE, BTN_RIGHT.
    var eventCode: Int32 {
        switch self {
        case .left: 272
        case .middle: 274
        case .right: 273
        }
    }
}
