internal import DesktopBus
internal import NotificationModel

/// A transient unit of the user's systemd manager; the unit's program outlives this process.
///
/// Sources: systemd.io, "Desktop Environment Integration" (names, slice, `ExitType`);
/// org.freedesktop.systemd1(5), `StartTransientUnit`.
struct TransientUnit: Hashable {
    var name: String
    /// The name that the user reads; systemd gets it as `descriptionLine`.
    var description: String
    /// The program's absolute path and its arguments.
    var arguments: [String]
    /// Variables in addition to the manager's own environment.
    var environment: [String: String]
    /// The directory to start in; only a directory that `isUsable` accepts.
    var directory: String

    /// Whether a unit can start in this directory.
    ///
    /// systemd writes the directory and the description into the unit's file without escaping, and
    /// reads that file again at its next reload. A line break would begin another setting, such as
    /// a command. A backslash at the end would swallow the next line (systemd.syntax(7)). Both
    /// values may come from the desktop file of a sandboxed app.
    static func isUsable(directory: String) -> Bool {
        !directory.unicodeScalars.contains(where: TerminalEscaping.isHarmful)
            && directory.unicodeScalars.last != "\\"
    }

    /// The name of an app's unit; nil if it would be too long.
    static func name(of app: String, instance: String) -> String? {
        let name =
            "app-\(SystemdEscaping.unitName(app))@\(SystemdEscaping.unitName(instance)).service"
        return name.utf8.count < 256 ? name : nil
    }

    var call: MethodCall {
        Self.managerCall(
            "StartTransientUnit",
            [
                .string(name), .string("fail"),
                .array(
                    element: "(sv)", properties.map { .structure([.string($0), .variant($1)]) }),
                .array(element: "(sa(sv))", []),
            ])
    }

    static func managerCall(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
            interface: "org.freedesktop.systemd1.Manager", member: member, arguments: arguments,
            flags: .noAutoStart)
    }

    var path: ObjectPath? {
        try? ObjectPath("/org/freedesktop/systemd1/unit/" + SystemdEscaping.busLabel(name))
    }

    /// The description on one line, without backslashes at its end.
    private var descriptionLine: String {
        var line = TerminalEscaping.line(description).unicodeScalars
        while line.last == "\\" { line.removeLast() }
        return String(line)
    }

    private var properties: [(String, BusValue)] {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        // CollectMode: systemd keeps nothing of a failed unit. ExitType: child processes keep the
        // unit running.
        return [
            ("Description", .string(descriptionLine)), ("Type", .string("exec")),
            ("Slice", .string("app.slice")), ("CollectMode", .string("inactive-or-failed")),
            ("ExitType", .string("cgroup")), ("WorkingDirectory", .string(directory)),
            ("Environment", .strings(variables)),
            (
                "ExecStart",
                .array(
                    element: "(sasb)",
                    [
                        .structure([
                            .string(arguments.first ?? ""),
                            .strings(arguments.map(SystemdEscaping.argument)),
                            .bool(false),
                        ])
                    ])
            ),
        ]
    }
}
