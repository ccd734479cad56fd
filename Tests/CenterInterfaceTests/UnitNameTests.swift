import CenterInterface
import Testing

/// The names by which systemd, Flatpak and snapd say to which app a process belongs.
@Suite struct UnitNameTests {
    @Test(arguments: [
        ("app-gnome-org.example.App-2342.scope", ["org.example.App", "gnome-org.example.App"]),
        ("app-org.example.App-2342.scope", ["org.example.App"]),
        ("app-KDE-org.kde.okular@12345.service", ["org.kde.okular", "KDE-org.kde.okular"]),
        ("app-org.example.App.service", ["org.example.App"]),
        ("app-my\\x2dapp-1.scope", ["my-app"]),
        ("app-gnome-my-app-1.scope", ["my-app", "gnome-my-app"]),
        ("app-tea\\x2dtimer@autostart.service", ["tea-timer"]),
        ("app-\\xc3\\xbcn\\xc3\\xaf@1.service", ["ünï"]),
        ("app-a@b@c.service", ["a"]), ("app-gnome--1.scope", ["gnome-"]),
        ("app-.scope", []), ("app-1.scope", []), ("app-.service", []), ("app-a", []),
        ("app-org.example.App-1.slice", []), ("dbus-org.example.App.service", []),
        ("app-a\\x2-1.scope", []), ("app-a\\xzz-1.scope", []), ("app-a\\xff-1.scope", []),
        ("app-a\\x+1-1.scope", []),
    ])
    func `the app is found from the name of its unit`(unit: String, ids: [String]) {
        #expect(UnitName.applications(of: unit) == ids)
    }

    @Test func `the innermost app unit of the control groups names the app`() {
        let text = """
            12:pids:/user.slice/user-1000.slice
            0::/user.slice/user@1000.service/app.slice/app-gnome-org.gnome.Terminal.slice/\
            app-a-1.scope/app-b-2.scope/vte-spawn-3.scope

            """
        #expect(UnitName.applications(inControlGroups: text) == ["b"])
        #expect(UnitName.applications(inControlGroups: "0::/init.scope\n").isEmpty)
        #expect(UnitName.applications(inControlGroups: "").isEmpty)
    }

    @Test func `a snap is named by its instance and its app`() {
        let uuid = "01234567-89ab-cdef-0123-456789abcdef"
        for (group, id) in [
            ("0::/user.slice/snap.firefox.firefox-\(uuid).scope", "firefox_firefox"),
            ("0::/user.slice/snap.a_x.b-c-\(uuid).scope", "a_x_b-c"),
            ("0::/system.slice/snap.a.daemon.service", "a_daemon"),
            ("0::/system.slice/snap.a", nil), ("0::/snap..b.service", nil),
        ] {
            #expect(SnapName.application(inControlGroups: group + "\n") == id, "\(group)")
        }
    }

    @Test func `only the group Application names a flatpak`() {
        let info = "[Instance]\nname=wrong\n[Application]\nruntime=x\nname=org.example.App\n"
        #expect(FlatpakInfo.application(in: info) == "org.example.App")
        let windows = info.replacing("\n", with: "\r\n")
        #expect(FlatpakInfo.application(in: windows) == "org.example.App")
        #expect(FlatpakInfo.application(in: "name=a\n[Runtime]\nname=b\n") == nil)
    }
}
