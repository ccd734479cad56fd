import DesktopBus
import Foundation
import NotificationModel
import Reactor
import TestSupport
import Testing

@testable import DesktopIntegration

/// Apps that start as processes, as systemd units, and by calls to an app that the test plays.
@Suite(.timeLimit(.minutes(2))) struct DesktopLauncherTests {
    /// A bus, a launcher on it, and a pipe for the output of started programs.
    private struct Stage {
        let bus: PrivateBus
        let pipe: ReportPipe
        let connection: BusConnection

        init() async throws {
            bus = try PrivateBus()
            pipe = try ReportPipe(bus.directory + "/report")
            connection = try await .open(on: bus, name: "launcher")
        }

        func launcher(
            _ variables: [String: String] = [:], entry: LaunchEntry? = nil
        ) -> DesktopLauncher {
            let environment = bus.environment.merging(["REPORT": pipe.path]) { $1 }
                .merging(variables) { $1 }
            var launcher = DesktopLauncher(connection: connection) { environment }
            launcher.entry = { _ in entry }
            return launcher
        }

        /// Writes a program that the launcher finds and cannot start; returns its path.
        ///
        /// A played systemd starts no program, so it accepts this one.
        func unstartableProgram() -> String {
            let path = bus.directory + "/script"
            _ = FileManager.default.createFile(
                atPath: path, contents: Data("#!/nowhere/interpreter\n".utf8),
                attributes: [.posixPermissions: 0o755])
            return path
        }

        func stop() async {
            await pipe.stop()
            await connection.close()
        }
    }

    private static let answer = """
        exec >"$REPORT"
        echo "in $PWD with $# <$1> <$2>"
        echo "token $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID app ${TOCSIN_APP_ID-none} for $TOCSIN_LAUNCHED_FOR"
        echo "own ${INVOCATION_ID-none} ${NOTIFY_SOCKET-none} display $DISPLAY"
        grep -E 'Sig(Blk|Ign)' /proc/$$/status | tr '\\n\\t' '  '; echo
        (cd /proc/$$/fd; echo *)
        echo "session $(cut -d' ' -f6 /proc/$$/stat)"
        """

    @Test func `a program gets its directory and its token, and no descriptor of the launcher`()
        async throws
    {
        let stage = try await Stage()
        let launcher = stage.launcher([
            "DISPLAY": ":7", "INVOCATION_ID": "ours", "NOTIFY_SOCKET": "ours",
            "XDG_ACTIVATION_TOKEN": "an earlier one", "TOCSIN_APP_ID": "the daemon's",
            "TOCSIN_LAUNCHED_FOR": "an earlier click",
        ])
        let command = LaunchCommand(
            executable: "/bin/sh", arguments: ["-c", Self.answer, "sh", "", "a b"],
            directory: stage.bus.directory, isBackground: true)
        #expect(try await launcher.launch(.sample(.foreground, command, token: "t")))
        let lines = try await stage.pipe.lines.first(6)
        #expect(lines[0] == "in \(stage.bus.directory) with 2 <> <a b>")
        #expect(lines[1] == "token t t app org.example.My-App for tea")
        #expect(lines[2] == "own none none display :7")
        let signals = lines[3].split(separator: " ").compactMap { UInt64($0, radix: 16) }
        #expect(signals.count == 2 && signals[0] == 0)
        // The C library reserves signal 32, which no program can reset.
        #expect(signals.last.map { $0 & 0x7FFF_FFFF } == 0)
        #expect(lines[4] == "0 1 2")
        #expect(lines[5] != "session \(getsid(0))")
        await stage.stop()
    }

    @Test func `a program launched for its settings gets no request identifier`() async throws {
        let stage = try await Stage()
        let command = LaunchCommand(
            executable: "/bin/sh", arguments: ["-c", Self.answer], isBackground: true)
        let notification = try LaunchRequest.sample(.foreground).notification
        let launcher = stage.launcher(["TOCSIN_LAUNCHED_FOR": "an earlier click"])
        #expect(
            try await launcher.launch(
                LaunchRequest(
                    settingsFor: notification, activationToken: "t", command: command)))
        let lines = try await stage.pipe.lines.first(2)
        #expect(lines[1] == "token t t app org.example.My-App for ")
        await stage.stop()
    }

    @Test func `the launcher finds a desktop file's program in the PATH and passes it no app id`()
        async throws
    {
        let stage = try await Stage()
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.exec = "sh -c 'echo \"in $PWD ${TOCSIN_APP_ID-none} $0\" >\"$REPORT\"' %U %c"
        entry.name = "An App"
        entry.directory = stage.bus.directory + "/run"
        #expect(try await stage.launcher(entry: entry).launch(.sample(.foreground)))
        #expect(
            try await stage.pipe.lines.first(1)
                == ["in \(stage.bus.directory)/run none An App"])
        await stage.stop()
    }

    @Test func `a program whose directory is gone starts in the home directory`() async throws {
        let stage = try await Stage()
        let command = LaunchCommand(
            executable: "/bin/sh", arguments: ["-c", "echo \"in $PWD\" >\"$REPORT\""],
            directory: stage.bus.directory + "/gone", isBackground: true)
        #expect(try await stage.launcher().launch(.sample(.foreground, command)))
        #expect(try await stage.pipe.lines.first(1) == ["in \(stage.bus.directory)/home"])
        await stage.stop()
    }

    @Test
    func `a program that needs a terminal starts in a terminal, and fails if there is no terminal`()
        async throws
    {
        let stage = try await Stage()
        let folder = stage.bus.directory + "/bin"
        try await ShellScript.write(
            "echo \"terminal $*\" >\"$REPORT\"", to: folder + "/xterm")
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.exec = "top -b"
        entry.needsTerminal = true
        #expect(
            try await stage.launcher(["PATH": folder], entry: entry).launch(.sample(.foreground)))
        #expect(try await stage.pipe.lines.first(1) == ["terminal -e top -b"])
        let error = try await #require(throws: NotificationError.self) {
            try await stage.launcher(["PATH": "/nowhere:."], entry: entry)
                .launch(.sample(.foreground))
        }
        #expect(error.message.contains("terminal"))
        await stage.stop()
    }

    @Test func `a launch failure is reported`() async throws {
        let stage = try await Stage()
        let script = stage.unstartableProgram()
        for path in ["/nowhere/app", stage.bus.directory, "/etc/passwd", script] {
            let error = try await #require(throws: NotificationError.self) {
                try await stage.launcher().launch(
                    .sample(.foreground, LaunchCommand(executable: path)))
            }
            #expect(error.message.contains("org.example.My-App could not be started"))
            #expect(error.message.contains(path))
        }
        #expect(try await !stage.launcher().launch(.sample(.foreground)))
        await stage.stop()
    }

    // MARK: By a call

    @Test func `a D-Bus activatable app is called by its bus name`() async throws {
        let stage = try await Stage()
        let app = try await PlayedApp(on: stage.bus)
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.isActivatable = true
        let launcher = stage.launcher(entry: entry)
        #expect(try await launcher.launch(.sample(.foreground, token: "t")))
        #expect(try await launcher.launch(.sample(.background, nil, .custom("archive"))))
        #expect(app.calls.all == ["Activate t", "ActivateAction archive tea"])
        await app.stop()
        await stage.stop()
    }

    /// A GTK app need not export the actions of its notifications: its delegate gets the response.
    @Test func `an app that refuses an action is activated for a foreground action only`()
        async throws
    {
        let stage = try await Stage()
        let app = try await PlayedApp(on: stage.bus, hasActions: false)
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.isActivatable = true
        let launcher = stage.launcher(entry: entry)
        #expect(try await launcher.launch(.sample(.foreground, nil, .custom("open"), token: "t")))
        #expect(app.calls.all == ["ActivateAction open tea", "Activate t"])
        #expect(try await launcher.launch(.sample(.background, nil, .custom("archive"))))
        #expect(app.calls.all.dropFirst(2) == ["ActivateAction archive tea"])
        await app.stop()
        await stage.stop()
    }

    @Test func `a start fails if the app refuses its activation`() async throws {
        let stage = try await Stage()
        let app = try await PlayedApp(on: stage.bus) { _ in
            throw BusError.remote("org.freedesktop.DBus.Error.InvalidArgs", "wrong data")
        }
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.isActivatable = true
        let launcher = stage.launcher(entry: entry)
        await #expect(throws: NotificationError.self) {
            try await launcher.launch(.sample(.foreground))
        }
        #expect(app.calls.all == ["Activate -"])
        await app.stop()
        await stage.stop()
    }

    @Test
    func `an app that the bus cannot start is run as a program for a foreground action only`()
        async throws
    {
        let stage = try await Stage()
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.isActivatable = true
        entry.exec = "sh -c 'echo started >\"$REPORT\"'"
        let launcher = stage.launcher(entry: entry)
        #expect(try await launcher.launch(.sample(.foreground)))
        #expect(try await stage.pipe.lines.first(1) == ["started"])
        await #expect(throws: NotificationError.self) {
            try await launcher.launch(.sample(.background))
        }
        let error = try await #require(throws: NotificationError.self) {
            try await launcher.launch(.sample(.foreground, app: "no name"))
        }
        #expect(error.message.contains("its id is not a valid bus name"))
        await stage.stop()
    }

    /// A click must not count as a start if the app crashes during its activation.
    @Test func `a start fails if the app leaves the bus before it answers`() async throws {
        let stage = try await Stage()
        let app = try await PlayedApp(on: stage.bus) { await $0.close() }
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.isActivatable = true
        entry.exec = "sh -c 'echo started >\"$REPORT\"'"
        let launcher = stage.launcher(entry: entry)
        let error = try await #require(throws: NotificationError.self) {
            try await launcher.launch(.sample(.foreground))
        }
        #expect(error.message.contains("it left the bus before it answered"), "\(error.message)")
        #expect(app.calls.all == ["Activate -"])
        await app.stop()
        await stage.stop()
    }

    @Test func `an app that answers NoReply and stays on the bus counts as started`() async throws {
        let stage = try await Stage()
        let app = try await PlayedApp(on: stage.bus) { _ in
            throw BusError.remote("org.freedesktop.DBus.Error.NoReply", "a helper is silent")
        }
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.isActivatable = true
        #expect(try await stage.launcher(entry: entry).launch(.sample(.foreground)))
        #expect(app.calls.all == ["Activate -"])
        await app.stop()
        await stage.stop()
    }

    // MARK: As a unit

    @Test func `in a systemd session, each app starts as a separate unit`() async throws {
        let stage = try await Stage()
        let systemd = try await PlayedSystemd(on: stage.bus)
        let path = stage.unstartableProgram()
        let command = LaunchCommand(
            executable: path, arguments: ["-c", "echo $HOME ${A}", ""], directory: "/tmp",
            isBackground: true)
        #expect(
            try await stage.launcher(["DISPLAY": ":7", "SECRET": "x"]).launch(
                .sample(.foreground, command, token: "t")))
        let unit = try #require(systemd.units.all.first)
        #expect(unit.name.hasPrefix("app-org.example.My\\x2dApp@"))
        #expect(unit.name.hasSuffix(".service"))
        #expect(unit.properties["WorkingDirectory"]?.stringValue == "/tmp")
        #expect(unit.properties["Slice"]?.stringValue == "app.slice")
        let program = try #require(unit.properties["ExecStart"]?.arrayValue?.first?.structureValue)
        #expect(program[0].stringValue == path)
        // The manager expands variables, so each dollar sign is doubled.
        #expect(program[1].stringsValue == [path, "-c", "echo $$HOME $${A}", ""])
        let environment = try #require(unit.properties["Environment"]?.stringsValue)
        #expect(
            environment == [
                "DBUS_SESSION_BUS_ADDRESS=\(stage.bus.address.rawValue)", "DESKTOP_STARTUP_ID=t",
                "DISPLAY=:7", "TOCSIN_APP_ID=org.example.My-App", "TOCSIN_LAUNCHED_FOR=tea",
                "XDG_ACTIVATION_TOKEN=t",
            ])
        await systemd.stop()
        await stage.stop()
    }

    @Test func `under an older systemd the launcher itself starts the app`() async throws {
        let stage = try await Stage()
        let systemd = try await PlayedSystemd(on: stage.bus, .refuses)
        let command = LaunchCommand(
            executable: "/bin/sh", arguments: ["-c", "echo started >\"$REPORT\""],
            isBackground: true)
        #expect(try await stage.launcher().launch(.sample(.foreground, command)))
        #expect(try await stage.pipe.lines.first(1) == ["started"])
        #expect(systemd.units.all.count == 1)
        await systemd.stop()
        await stage.stop()
    }

    @Test func `an app in a directory with a line break is started without systemd`() async throws {
        let stage = try await Stage()
        let systemd = try await PlayedSystemd(on: stage.bus)
        let directory = stage.bus.directory + "/a\n[Service]\nExecStopPost=b"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        var entry = LaunchEntry(id: "org.example.My-App")
        entry.exec = "sh -c 'echo started >\"$REPORT\"'"
        entry.directory = directory
        #expect(try await stage.launcher(entry: entry).launch(.sample(.foreground)))
        #expect(try await stage.pipe.lines.first(1) == ["started"])
        #expect(systemd.units.all.isEmpty)
        await systemd.stop()
        await stage.stop()
    }

    @Test(arguments: [
        (
            PlayedSystemd.Behaviour.job("failed", status: 203),
            "failed (status 203: systemd could not run the program)"
        ),
        (.job("timeout"), "failed (timeout)"), (.job("failed"), ".service failed. "),
        (.becomes("failed", status: 1), "failed (status 1)"),
    ])
    func `a unit whose program cannot be run, or fails at once, is a failed start`(
        behaviour: PlayedSystemd.Behaviour, reason: String
    ) async throws {
        let stage = try await Stage()
        let systemd = try await PlayedSystemd(on: stage.bus, behaviour)
        // If the launcher started this program itself, there would be no error.
        let command = LaunchCommand(executable: "/bin/true")
        let error = try await #require(throws: NotificationError.self) {
            try await stage.launcher().launch(.sample(.foreground, command))
        }
        #expect(error.message.contains("org.example.My-App could not be started"))
        #expect(error.message.contains(reason), "\(error.message)")
        await systemd.stop()
        await stage.stop()
    }

    @Test func `if the bus ends before systemd answers, no second process is started`() async throws
    {
        let stage = try await Stage()
        let systemd = try await PlayedSystemd(on: stage.bus, .loses(stage.bus))
        let command = LaunchCommand(executable: stage.unstartableProgram())
        // The unit may be running. If the launcher also started the program itself, it would fail.
        #expect(try await stage.launcher().launch(.sample(.foreground, command)))
        #expect(systemd.units.all.count == 1)
        await systemd.stop()
        await stage.stop()
    }

    @Test func `a unit that goes on running counts as started`() async throws {
        let stage = try await Stage()
        let systemd = try await PlayedSystemd(on: stage.bus, .job("done"))
        let command = LaunchCommand(executable: stage.unstartableProgram())
        #expect(try await stage.launcher().launch(.sample(.foreground, command)))
        await systemd.stop()
        await stage.stop()
    }

    @Test func `a unit that fails soon after its job ended is a failed start`() {
        var progress = UnitProgress(name: "app.service")
        #expect(progress.step(after: .state(active: "activating", status: nil)) == .goOn)
        #expect(progress.step(after: .jobEnded("done")) == .beginProbation)
        #expect(progress.step(after: .jobTimedOut) == .goOn)
        #expect(
            progress.step(after: .state(active: "failed", status: 1))
                == .end(.failed("its unit app.service failed (status 1)")))
        var slow = UnitProgress(name: "app.service")
        #expect(slow.step(after: .jobTimedOut) == .end(.started))
    }

    @Test(
        .enabled(
            if: RunningProgram.path(of: "systemd-escape") != nil, "systemd-escape is not there"),
        arguments: ["org.example.App", "dev.tea-timer", ".hidden", "a b%c", "ünï", "a_b:c", "-"])
    func `unit names are escaped as systemd-escape escapes them`(text: String) async throws {
        let theirs = try await RunningProgram.run("systemd-escape", ["--", text])
        #expect(SystemdEscaping.unitName(text) == theirs)
        #expect(
            TransientUnit.name(of: String(repeating: "-", count: 80), instance: "1") == nil,
            "80 escaped '-' have 320 bytes, and a unit name has at most 255")
    }
}
