internal import Foundation

/// The window of an app, a program of its own: whether it comes to the front is up to the desktop.
///
/// It does what apps do with the token of a click (freedesktop's startup notification): one that is
/// started has it in its environment, where GTK finds it; one that runs is told it, and presents its
/// window at the token's time.
package struct AppWindow: Sendable {
    /// What the window is called.
    package let title: String
    /// The program and its arguments, as the key `Exec` of a desktop file has them.
    package let command: [String]
    private let pipe: String
    private let environment: [String: String]

    /// Writes the program into `folder`; nothing runs yet.
    package init(
        _ title: String, in folder: String, environment: [String: String]
    ) async throws {
        self.title = title
        self.environment = environment
        pipe = "\(folder)/\(title).pipe"
        guard mkfifo(pipe, 0o600) == 0 else {
            throw HarnessError("\(pipe) is no pipe: \(String(cString: strerror(errno)))")
        }
        let program = "\(folder)/\(title).py"
        try Self.program.write(toFile: program, atomically: true, encoding: .utf8)
        command = ["/usr/bin/python3", program, title, pipe]
    }

    private static let program = """
        import gi, os, sys, threading
        gi.require_version("Gtk", "3.0")
        from gi.repository import GLib, Gtk

        title, pipe = sys.argv[1:]
        window = Gtk.Window(title=title, default_width=300, default_height=200)
        window.connect("destroy", Gtk.main_quit)
        window.show_all()

        def obey(line):
            word, _, token = line.strip().partition(" ")
            if word == "close":
                window.destroy()
            elif "_TIME" in token:
                window.present_with_time(int(token.rpartition("_TIME")[2]))
            else:
                window.present()

        def read():
            with os.fdopen(os.open(pipe, os.O_RDWR), "r") as lines:
                for line in lines:
                    GLib.idle_add(obey, line)

        threading.Thread(target=read, daemon=True).start()
        Gtk.main()

        """

    /// Starts the program, as a person would from a menu, and uses its window.
    package func open(with pointer: Pointer) async throws -> RunningProgram {
        let running = try RunningProgram(
            command[0], Array(command.dropFirst()), environment: environment)
        do {
            try await pointer.click(try await place())
            try await eventually("\(title) in front") { try await isInFront() ? () : nil }
            return running
        } catch {
            await running.stop()
            throw error
        }
    }

    /// Has the program that runs show its window, as an app does after a click.
    package func present(token: String?) async throws {
        try await tell("present \(token ?? "")")
    }

    /// Ends the program, whoever started it.
    package func close() async throws {
        try await tell("close")
        try await eventually("the end of \(title)") {
            try await search(for: title).isEmpty ? () : nil
        }
    }

    /// Returns once the window is on the screen, in front or not.
    package func waitUntilShown() async throws {
        _ = try await place()
    }

    /// Whether it is the window that has the keyboard.
    package func isInFront() async throws -> Bool {
        let name = try? await RunningProgram.run(
            "xdotool", ["getactivewindow", "getwindowname"], environment: environment)
        return name == title
    }

    /// Where a click reaches it.
    private func place() async throws -> ScreenPoint {
        try await eventually("the window \(title)") {
            guard let window = try await search(for: title).last else { return nil }
            let text = try? await RunningProgram.run(
                "xdotool", ["getwindowgeometry", "--shell", window], environment: environment)
            let values = (text ?? "").split(separator: "\n").map { $0.split(separator: "=") }
            func value(_ key: String) -> Int? {
                values.first { $0.first == Substring(key) }.flatMap { $0.last.flatMap { Int($0) } }
            }
            guard let x = value("X"), let y = value("Y") else { return nil }
            return ScreenPoint(x: x + 150, y: y + 100)
        }
    }

    /// The visible windows of this name; none is no error.
    private func search(for name: String) async throws -> [String] {
        let found = try? await RunningProgram.run(
            "xdotool", ["search", "--onlyvisible", "--name", "^\(name)$"],
            environment: environment)
        return (found ?? "").split(separator: "\n").map(String.init)
    }

    private func tell(_ line: String) async throws {
        try await RunningProgram.run(
            "sh", ["-c", "printf '%s\\n' \"$1\" >\"$2\"", "sh", line, pipe])
    }
}
