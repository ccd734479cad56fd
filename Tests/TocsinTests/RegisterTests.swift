import Foundation
import NotificationModel
import TestSupport
import Testing
import tocsin

/// Programs that become apps known to the desktop.
@Suite(.timeLimit(.minutes(5))) struct RegisterTests {
    /// A temporary home, removed with this object.
    private final class Home: Sendable {
        let path = NSTemporaryDirectory() + "register-" + UUID().uuidString

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        var environment: [String: String] {
            [
                "HOME": path, "PATH": "/usr/bin:/bin", "XDG_DATA_HOME": path + "/data",
                "XDG_DATA_DIRS": "/nonexistent",
            ]
        }

        func tocsin(_ arguments: String...) async throws -> ProgramTests.Run {
            try await ProgramTests.run("tocsin", arguments, environment: environment)
        }

        func text(_ name: String) throws -> String {
            try String(contentsOfFile: "\(path)/data/\(name)", encoding: .utf8)
        }
    }

    @Test func `a program is registered and removed`() async throws {
        let home = Home()
        let run = try await home.tocsin(
            "register", "/bin/sh", "--id", "org.example.Tea", "--name", "Tea  Timer", "--icon",
            "face-smile")
        #expect(run.status == 0, "\(run.errors)")
        let entry = "applications/org.example.Tea.desktop"
        let service = "dbus-1/services/org.example.Tea.service"
        #expect(
            run.output == "\(home.path)/data/\(entry)\n\(home.path)/data/\(service)")
        let program = URL(fileURLWithPath: "/bin").resolvingSymlinksInPath().path + "/sh"
        #expect(
            try home.text(entry) == """
                [Desktop Entry]
                Type=Application
                Name=Tea  Timer
                Exec=env TOCSIN_APP_ID=org.example.Tea \(program)
                Icon=face-smile
                X-GNOME-UsesNotifications=true
                X-Tocsin-Registered=true

                """)
        #expect(
            try home.text(service).contains(
                "Name=org.example.Tea\nExec=/usr/bin/env TOCSIN_APP_ID=org.example.Tea \(program)"))
        // Register again as another kind of app: the tool may replace its own files.
        let again = try await home.tocsin(
            "register", "/bin/sh", "--id", "org.example.Tea", "--dbus-activatable")
        #expect(again.status == 0)
        #expect(try home.text(entry).contains("DBusActivatable=true"))
        #expect(
            try await home.tocsin("register", "--id", "org.example.Tea", "--remove").status == 0)
        #expect(throws: (any Error).self) { try home.text(entry) }
        #expect(throws: (any Error).self) { try home.text(service) }
        #expect(
            try await home.tocsin("register", "--id", "org.example.Tea", "--remove").status == 1)
    }

    /// The URI of a picture must not become a path in the working directory.
    @Test(arguments: [
        ("file:///a/tea%20pot.png", "/a/tea pot.png"), ("/a/tea.png", "/a/tea.png"),
        ("org.gnome.Calendar", "org.gnome.Calendar"),
    ])
    func `a registered icon is a name of the theme or an absolute path`(
        icon: String, value: String
    ) async throws {
        let home = Home()
        let run = try await home.tocsin(
            "register", "/bin/sh", "--id", "org.example.Tea", "--icon", icon)
        #expect(run.status == 0, "\(run.errors)")
        let entry = try home.text("applications/org.example.Tea.desktop")
        #expect(entry.contains("\nIcon=\(value)\n"), "\(entry)")
    }

    @Test func `a file that cannot be removed is reported`() async throws {
        let home = Home()
        #expect(try await home.tocsin("register", "/bin/sh", "--id", "org.example.Tea").status == 0)
        let disk = try await DiskShim(folder: home.path + "/data", in: home.path)
        try disk.fail(.unlink, error: EACCES)
        let run = try await ProgramTests.run(
            "tocsin", ["register", "--id", "org.example.Tea", "--remove"],
            environment: home.environment.merging(disk.environment) { $1 })
        #expect(run.status == 1)
        #expect(run.errors.contains("could not be removed: Permission denied"))
    }

    @Test func `register neither replaces nor removes the file of another program`() async throws {
        let home = Home()
        let folder = home.path + "/data/applications"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try "[Desktop Entry]\n".write(
            toFile: folder + "/org.x.desktop", atomically: true, encoding: .utf8)
        for arguments in [["/bin/sh", "--id", "org.x"], ["--id", "org.x", "--remove"]] {
            let run = try await ProgramTests.run(
                "tocsin", ["register"] + arguments, environment: home.environment)
            #expect(run.status == 1)
            #expect(run.errors.contains("was not written by this tool"))
        }
        #expect(try home.text("applications/org.x.desktop") == "[Desktop Entry]\n")
    }

    @Test func `an app whose id is no bus name gets only a desktop file`() async throws {
        let home = Home()
        #expect(try await home.tocsin("register", "/bin/sh", "--id", "timer").status == 0)
        #expect(try home.text("applications/timer.desktop").contains("TOCSIN_APP_ID=timer"))
        #expect(throws: (any Error).self) { try home.text("dbus-1/services/timer.service") }
        let run = try await home.tocsin("register", "/bin/sh", "--id", "a.1b", "--dbus-activatable")
        #expect(run.status == 64)
        #expect(run.errors.contains("No word may begin with a digit."))
    }

    /// `env` takes an argument with '=' for a variable, so the new files would start nothing.
    @Test func `a program whose path has an equals sign is refused, and a link to it is accepted`()
        async throws
    {
        let home = Home()
        let (program, link) = (home.path + "/a=b/tea", home.path + "/tea")
        try await ShellScript.write("true", to: program)
        let refused = try await home.tocsin("register", program, "--id", "org.example.Tea")
        #expect(refused.status == 65 && refused.errors.contains("has '='"), "\(refused.errors)")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program)
        let taken = try await home.tocsin("register", link, "--id", "org.example.Tea")
        #expect(taken.status == 0, "\(taken.errors)")
        let entry = try home.text("applications/org.example.Tea.desktop")
        #expect(entry.contains("Exec=env TOCSIN_APP_ID=org.example.Tea \(link)\n"), "\(entry)")
    }

    /// GIO reads the file and starts its program, whatever the program's name is.
    @Test(
        .enabled(if: RunningProgram.path(of: "gio") != nil, "gio is not installed"),
        arguments: [
            "plain", "with space", "a\"b'c$(d)`e`\\f", "100%U %%", "ünï;&|",
            "a\"\u{301} b$\u{301}(d)`\u{301}e\\\u{301}f'\u{301}",
        ])
    func `the desktop starts a registered program by its file`(name: String) async throws {
        let home = Home()
        try FileManager.default.createDirectory(
            atPath: home.path, withIntermediateDirectories: true)
        let pipe = try ReportPipe(home.path + "/report")
        let program = "\(home.path)/\(name)"
        try await ShellScript.write(
            "printf '%s %s\\n' \"$0\" \"$TOCSIN_APP_ID\" >\"\(pipe.path)\"", to: program)
        let run = try await home.tocsin("register", program, "--id", "org.example.Odd")
        #expect(run.status == 0, "\(run.errors)")
        try await RunningProgram.run(
            "gio", ["launch", home.path + "/data/applications/org.example.Odd.desktop"],
            environment: home.environment)
        #expect(try await pipe.lines.first(1) == ["\(program) org.example.Odd"])
        await pipe.stop()
    }

    /// The bus reads the service file and starts its program.
    @Test(arguments: ["plain", "with space", "a'b\"c$(d)\\e", "100%U", "a'\u{301} $\u{301}(d)"])
    func `the bus starts a registered program by its name`(name: String) async throws {
        let home = Home()
        try FileManager.default.createDirectory(
            atPath: home.path, withIntermediateDirectories: true)
        let pipe = try ReportPipe(home.path + "/report")
        let program = "\(home.path)/\(name)"
        try await ShellScript.write(
            "printf '%s %s\\n' \"$0\" \"$TOCSIN_APP_ID\" >\"\(pipe.path)\"", to: program)
        let run = try await home.tocsin("register", program, "--id", "org.example.Odd")
        #expect(run.status == 0, "\(run.errors)")
        let bus = try PrivateBus(services: [
            "org.example.Odd.service": try home.text("dbus-1/services/org.example.Odd.service")
        ])
        // The program takes no name, so the call ends without an answer.
        let call = try RunningProgram(
            "gdbus",
            [
                "call", "--session", "-d", "org.example.Odd", "-o", "/org/example/Odd", "-m",
                "org.freedesktop.Application.Activate", "{}",
            ], environment: bus.environment)
        #expect(try await pipe.lines.first(1) == ["\(program) org.example.Odd"])
        await call.stop()
        await pipe.stop()
    }
}
