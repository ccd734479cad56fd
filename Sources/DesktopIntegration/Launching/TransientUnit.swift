internal import DesktopBus

/// A program as a unit of systemd's manager of the person, so that it outlives this one.
///
/// Sources: systemd.io, "Desktop Environment Integration" (names, slice, `ExitType`);
/// org.freedesktop.systemd1(5), `StartTransientUnit`.
struct TransientUnit: Hashable {
    /// The unit's name.
    var name: String
    /// What people read.
    var description: String
    /// The program's absolute path and its arguments.
    var arguments: [String]
    /// What it has beside the manager's own environment.
    var environment: [String: String]
    /// The directory to start in.
    var directory: String

    /// The name of an app's unit, or nil where it would be too long.
    static func name(of app: String, instance: String) -> String? {
        let name = "app-\(escaped(app))@\(escaped(instance)).service"
        return name.utf8.count < 256 ? name : nil
    }

    /// Source: systemd.unit(5), "String Escaping for Inclusion in Unit Names".
    static func escaped(_ text: String) -> String {
        var result = ""
        for (index, byte) in text.utf8.enumerated() {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || scalar == "_" || scalar == ":" || (scalar == "." && index > 0))
            if isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16)
                result += "\\x" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }

    /// The call that starts it.
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

    /// A call of systemd's manager.
    static func managerCall(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
            interface: "org.freedesktop.systemd1.Manager", member: member, arguments: arguments,
            flags: .noAutoStart)
    }

    /// The unit as an object of the manager: all but letters and digits become `_` and their code.
    ///
    /// Source: sd_bus_path_encode(3).
    var path: ObjectPath? {
        var label = ""
        for byte in name.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && scalar.properties.isAlphabetic
            if isPlain || ("0"..."9").contains(scalar) && !label.isEmpty {
                label.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16)
                label += "_" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return try? ObjectPath("/org/freedesktop/systemd1/unit/" + label)
    }

    /// The manager puts variables into arguments: source systemd.service(5), "Command lines".
    private static func literal(_ argument: String) -> String {
        String(argument.flatMap { $0 == "$" ? "$$" : String($0) })
    }

    private var properties: [(String, BusValue)] {
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        // Of the program's failure alone nothing is left behind, and what it starts belongs to it.
        return [
            ("Description", .string(description)), ("Type", .string("exec")),
            ("Slice", .string("app.slice")), ("CollectMode", .string("inactive-or-failed")),
            ("ExitType", .string("cgroup")), ("WorkingDirectory", .string(directory)),
            ("Environment", .strings(variables)),
            (
                "ExecStart",
                .array(
                    element: "(sasb)",
                    [
                        .structure([
                            .string(arguments.first ?? ""), .strings(arguments.map(Self.literal)),
                            .bool(false),
                        ])
                    ])
            ),
        ]
    }
}
