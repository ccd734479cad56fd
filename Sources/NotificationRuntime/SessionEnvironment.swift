internal import DesktopBus
internal import Glibc

/// The environment of the user's session, for programs with a window.
///
/// A daemon may start before the session has a display. The session reports its display to the
/// user's systemd manager, so this type asks that manager.
struct SessionEnvironment: Sendable {
    private static let names: Set<String> = [
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE",
    ]

    var connection: BusConnection
    var own: [String: String]

    /// The environment of this process, with the session's display if systemd answers.
    func current() async -> [String: String] {
        let question = MethodCall(
            reading: "Environment", of: "org.freedesktop.systemd1.Manager",
            destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
            flags: .noAutoStart)
        let answer = try? await connection.call(question, timeout: .seconds(2))
        let entries = answer?.arguments.first?.unwrapped.stringsValue ?? []
        return Self.environment(own, of: getpid(), manager: entries)
    }

    /// The environment of a process, with the display that the manager's `entries` describe.
    ///
    /// A process of a systemd unit got its display variables when it started, and their session may
    /// have ended since. If the manager knows a display now, the variables in `own` do not count.
    /// With both, an app could get the socket of a Wayland session that has ended (systemd.exec(5),
    /// `SYSTEMD_EXEC_PID`).
    static func environment(
        _ own: [String: String], of process: Int32, manager entries: [String]
    ) -> [String: String] {
        let display = display(entries)
        let isReplaced =
            own["SYSTEMD_EXEC_PID"] == String(process)
            && (display["DISPLAY"] ?? display["WAYLAND_DISPLAY"]) != nil
        let kept = isReplaced ? own.filter { !names.contains($0.key) } : own
        return kept.merging(display) { $1 }
    }

    private static func display(_ entries: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for entry in entries {
            guard let sign = entry.firstIndex(of: "=") else { continue }
            let name = String(entry[..<sign])
            if names.contains(name) { values[name] = String(entry[entry.index(after: sign)...]) }
        }
        return values
    }
}
