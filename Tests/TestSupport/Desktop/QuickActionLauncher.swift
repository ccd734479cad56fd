/// Chooses quick actions as a launcher of the desktop does: by GIO and the app's desktop file.
package struct QuickActionLauncher: Sendable {
    private let environment: [String: String]

    /// A launcher with this environment, which the started app inherits.
    package init(environment: [String: String]) {
        self.environment = environment
    }

    /// Chooses the action of this name in the desktop file with this id.
    package func choose(_ action: String, of id: String) async throws {
        try await RunningProgram.run(
            "/usr/bin/python3", ["-c", Self.script, id, action], environment: environment)
    }

    private static let script = """
        import os, sys
        from gi.repository import Gio
        app = Gio.DesktopAppInfo.new(sys.argv[1] + ".desktop")
        # Replace the pipe to the test: the started app would inherit it and keep it open.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        assert sys.argv[2] in app.list_actions(), app.list_actions()
        app.launch_action(sys.argv[2], None)
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        bus.flush_sync()
        if app.get_boolean("DBusActivatable"):
            # Wait until the app runs: if the launcher left earlier, the bus would drop its call.
            bus.call_sync(
                sys.argv[1], "/", "org.freedesktop.DBus.Peer", "Ping", None, None,
                Gio.DBusCallFlags.NONE, -1, None)
        """
}
