import Testing

@testable import NotificationRuntime

/// The display for the programs that a daemon starts.
@Suite struct SessionEnvironmentTests {
    private let process: Int32 = 100
    /// The environment of a daemon that systemd started in a Wayland session.
    private let own = [
        "HOME": "/h/anna", "SYSTEMD_EXEC_PID": "100", "DISPLAY": ":0",
        "WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/run/user/1000/xauth",
        "XDG_SESSION_TYPE": "wayland", "XDG_CURRENT_DESKTOP": "GNOME",
    ]

    /// A daemon can outlive its session.
    ///
    /// Apps that it then starts with the old Wayland socket find no display.
    @Test func `a daemon that systemd started forgets the Wayland display of an ended session`() {
        let manager = ["DISPLAY=:1", "XAUTHORITY=/h/anna/.Xauthority", "LANG=C"]
        #expect(
            SessionEnvironment.environment(own, of: process, manager: manager) == [
                "HOME": "/h/anna", "SYSTEMD_EXEC_PID": "100", "DISPLAY": ":1",
                "XAUTHORITY": "/h/anna/.Xauthority",
            ])
    }

    @Test(arguments: [[], ["LANG=C", "XDG_CURRENT_DESKTOP=GNOME"]])
    func `a daemon keeps its own display if systemd knows none`(manager: [String]) {
        #expect(SessionEnvironment.environment(own, of: process, manager: manager) == own)
    }

    /// The session started such a daemon, and may have given systemd only some variables.
    @Test func `a daemon that systemd did not start keeps variables that systemd does not know`() {
        let found = SessionEnvironment.environment(
            own, of: process + 1, manager: ["WAYLAND_DISPLAY=wayland-1"])
        #expect(found["WAYLAND_DISPLAY"] == "wayland-1")
        #expect(found["DISPLAY"] == ":0")
        #expect(found["XDG_CURRENT_DESKTOP"] == "GNOME")
    }
}
