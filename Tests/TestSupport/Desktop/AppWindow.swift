internal import Foundation

/// The window of an app, as a separate program.
///
/// It owns the program's file and the pipe of its commands.
///
/// It promises to use the token of a click as apps do (freedesktop's startup notification). A
/// started program has the token in its environment, where GTK finds it. A running program reads
/// the token from a pipe, and uses it to present its window. On X it uses only the time in the
/// token.
///
/// It never brings its window to the front: the desktop decides that.
package struct AppWindow: Sendable {
    /// The window's title.
    package let title: String
    /// The program and its arguments, as the key `Exec` of a desktop file has them.
    package let command: [String]
    private let pipe: String
    private let environment: [String: String]
    private let windows: any Windows
    private let hands: any Hands

    /// Writes the program into `folder`; nothing runs yet.
    init(
        _ title: String, in folder: String, environment: [String: String], windows: any Windows,
        hands: any Hands
    ) throws {
        self.title = title
        self.environment = environment
        self.windows = windows
        self.hands = hands
        pipe = "\(folder)/\(title).pipe"
        guard mkfifo(pipe, 0o600) == 0 else {
            throw HarnessError("Cannot make pipe \(pipe): \(String(cString: strerror(errno)))")
        }
        let program = "\(folder)/\(title).py"
        try Self.program.write(toFile: program, atomically: true, encoding: .utf8)
        command = ["/usr/bin/python3", program, title, pipe]
    }

    private static let noCommonEvent = "compositors have no common event for windows"

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
            elif token:
                window.set_startup_id(token)
                window.present()
            else:
                window.present()

        def read():
            with os.fdopen(os.open(pipe, os.O_RDWR), "r") as lines:
                for line in lines:
                    GLib.idle_add(obey, line)

        threading.Thread(target=read, daemon=True).start()
        Gtk.main()

        """

    /// Starts the program, as the user would from a menu, and clicks its window to the front.
    package func open() async throws -> RunningProgram {
        let running = try RunningProgram(
            command[0], Array(command.dropFirst()), environment: environment)
        do {
            // A compositor may list a window before it has placed it, so the first click may miss.
            try await polled("\(title) in front", because: Self.noCommonEvent) {
                try await hands.click(try await area().center, .left)
                return try await isInFront() ? () : nil
            }
            return running
        } catch {
            await running.stop()
            throw error
        }
    }

    /// Makes the running program show its window, as an app does after a click.
    package func present(token: String?) async throws {
        try await sendLine("present \(token ?? "")")
    }

    /// Ends the program, even if another program started it.
    package func close() async throws {
        try await sendLine("close")
        try await polled("the end of \(title)", because: Self.noCommonEvent) {
            try await windows.area(of: title) == nil ? () : nil
        }
    }

    /// Returns once the window is on the screen, even if it is not in front.
    package func waitUntilShown() async throws {
        _ = try await area()
    }

    /// Whether this window has the keyboard.
    package func isInFront() async throws -> Bool {
        try await windows.titleInFront() == title
    }

    /// Waits until the window is visible, and returns its area.
    private func area() async throws -> ScreenArea {
        try await polled("the window \(title)", because: Self.noCommonEvent) {
            try await windows.area(of: title)
        }
    }

    private func sendLine(_ line: String) async throws {
        try await RunningProgram.run(
            "sh", ["-c", "printf '%s\\n' \"$1\" >\"$2\"", "sh", line, pipe])
    }
}
