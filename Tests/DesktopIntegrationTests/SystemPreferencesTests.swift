import DesktopBus
import Foundation
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import DesktopIntegration

/// A desktop's own settings, read, watched and set on a private bus and in the test's files.
@Suite(.timeLimit(.minutes(2))) struct SystemPreferencesTests {
    private static let app = ApplicationID.tocsin
    private static let xfconf: ObjectPath = "/org/xfce/Xfconf"

    /// A program that keeps each key in a file of the key's name, and records its calls.
    private static let gsettings = """
        echo "$@" >>"$FOLDER/calls"
        case "$1 $2" in
        "list-recursively org.gnome.desktop.notifications")
            echo "s show-banners $(/bin/cat "$FOLDER/show-banners" 2>/dev/null || echo true)"
            echo "s show-in-lock-screen true"
            echo "s application-children @as []";;
        "list-recursively org.gnome.desktop.notifications.application:"*)
            echo "s enable $(/bin/cat "$FOLDER/enable" 2>/dev/null || echo true)"
            echo "s show-in-lock-screen true";;
        "set "*) echo "$4" >"$FOLDER/$3";;
        *) echo "No such schema" >&2; exit 1;;
        esac
        """

    private func with(
        _ programs: [String: String] = [:], adding variables: [String: String] = [:],
        _ body: (PlayedDesktop) async throws -> Void
    ) async throws {
        let desktop = try await PlayedDesktop(programs: programs, adding: variables)
        try await BusRecorder.recording(desktop.bus) { try await body(desktop) }
        await desktop.stop()
    }

    // MARK: Do Not Disturb

    @Test func `Do Not Disturb is read from a property of the server`() async throws {
        let isPaused = Recording<Bool>()
        isPaused.append(false)
        try await with { desktop in
            let table = InterfaceTable(
                name: "org.dunstproject.cmd0",
                properties: [PropertyEntry("paused", "b") { .bool(isPaused.all.last == true) }])
            try await desktop.offer(
                "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications", table)
            await desktop.follow("dunst")
            #expect(await desktop.preferences.isSilent() == false)
            isPaused.append(true)
            #expect(await desktop.preferences.isSilent() == true)
            #expect(await desktop.preferences.appSwitch(of: Self.app) == nil)
        }
    }

    @Test(arguments: [(["default"], false), (["default", "do-not-disturb"], true), ([], false)])
    func `Do Not Disturb is read from mako's modes`(modes: [String], isSilent: Bool) async throws {
        try await with { desktop in
            let table = InterfaceTable(
                name: "fr.emersion.Mako",
                methods: [
                    MethodEntry("ListModes", out: [ArgumentEntry("modes", "as")]) { _ in
                        [.strings(modes)]
                    }
                ])
            try await desktop.offer(
                "org.freedesktop.Notifications", at: "/fr/emersion/Mako", table)
            await desktop.follow("mako")
            #expect(await desktop.preferences.isSilent() == isSilent)
        }
    }

    @Test func `Do Not Disturb is read from a method of swaync and of Budgie`() async throws {
        for (server, name, path, interface, member) in [
            (
                "SwayNotificationCenter", "org.erikreider.swaync.cc", "/org/erikreider/swaync/cc",
                "org.erikreider.swaync.cc", "GetDnd"
            ),
            (
                "Budgie Notification Server", "org.budgie_desktop.Notifications",
                "/org/budgie_desktop/Notifications", "org.buddiesofbudgie.budgie.Dispatcher",
                "GetDoNotDisturb"
            ),
        ] {
            try await with { desktop in
                let table = InterfaceTable(
                    name: try InterfaceName(interface),
                    methods: [
                        MethodEntry(try MemberName(member), out: [ArgumentEntry("on", "b")]) { _ in
                            [.bool(true)]
                        }
                    ])
                await desktop.follow(server)
                #expect(await desktop.preferences.isSilent() == nil, "no program has the name yet")
                try await desktop.offer(try BusName(name), at: try ObjectPath(path), table)
                #expect(await desktop.preferences.isSilent() == true)
            }
        }
    }

    @Test func `Do Not Disturb is read from a GSettings key that has a schema`() async throws {
        try await with(["gsettings": Self.gsettings]) { desktop in
            await desktop.follow("gnome-shell")
            #expect(await desktop.preferences.isSilent() == false)
            await desktop.follow("cinnamon")
            #expect(await desktop.preferences.isSilent() == nil)
            await desktop.follow("a server that nobody knows")
            #expect(await desktop.preferences.isSilent() == nil)
        }
        try await with { desktop in
            await desktop.follow("gnome-shell")
            #expect(await desktop.preferences.isSilent() == nil, "it is unknown without gsettings")
            #expect(await desktop.preferences.appSwitch(of: Self.app) == nil)
        }
    }

    @Test func `Do Not Disturb is read from LXQt's file`() async throws {
        try await with { desktop in
            await desktop.follow("lxqt-notificationd")
            #expect(await desktop.preferences.isSilent() == false)
            try desktop.write(
                "[General]\ndoNotDisturb=true\n", to: "home/.config/lxqt/notifications.conf")
            #expect(await desktop.preferences.isSilent() == true)
        }
    }

    // MARK: GNOME

    @Test func `GNOME's settings are read again only when dconf signals a change`() async throws {
        try await with(["gsettings": Self.gsettings]) { desktop in
            await desktop.follow("gnome-shell")
            for _ in 0..<3 {
                #expect(await desktop.preferences.appSwitch(of: Self.app)?.isOn == true)
                #expect(await desktop.preferences.isSilent() == false)
            }
            #expect(desktop.text("calls").split(separator: "\n").count == 2)
            // Any program can send this signal, but only a signal from dconf counts. A change of
            // any other key causes no new reading.
            try await desktop.signalChange(
                "/org/gnome/desktop/notifications/show-banners", asStranger: true)
            try await desktop.signalChange("/org/gnome/desktop/interface/font-name")
            try await desktop.bus.untilReceived()
            #expect(await desktop.preferences.isSilent() == false)
            #expect(desktop.text("calls").split(separator: "\n").count == 2)
            try desktop.write("false", to: "enable")
            try desktop.write("false", to: "show-banners")
            try await desktop.signalChange(
                "/org/gnome/desktop/notifications/application/org-tocsin-tocsin/enable")
            try await desktop.told.first("the switch") { $0 == "\(Self.app) off" }
            #expect(await desktop.preferences.appSwitch(of: Self.app)?.isOn == false)
            #expect(await desktop.preferences.isSilent() == true)
            #expect(desktop.text("calls").split(separator: "\n").count == 4)
            // A reset of a whole folder changes every key in it.
            try desktop.write("true", to: "enable")
            try await desktop.signalChange("/org/gnome/desktop/")
            try await desktop.told.first("the switch") { $0 == "\(Self.app) on" }
        }
    }

    @Test
    func `GNOME's switch is set together with the keys that show it in the settings`() async throws
    {
        try await with(["gsettings": Self.gsettings]) { desktop in
            await desktop.follow("gnome-shell")
            let value = try await desktop.preferences.setDesktopSwitch(false, for: Self.app)
            #expect(value?.isOn == false)
            #expect(desktop.text("application-id") == "'\(Self.app).desktop'\n")
            let name = GnomeSwitch.name(of: Self.app)
            #expect(desktop.text("application-children") == "['\(name)']\n")
        }
    }

    @Test func `with a GSettings backend other than dconf, each question reads the switch again`()
        async throws
    {
        try await with(
            ["gsettings": Self.gsettings], adding: ["GSETTINGS_BACKEND": "keyfile"]
        ) { desktop in
            await desktop.follow("gnome-shell")
            #expect(await desktop.preferences.appSwitch(of: Self.app)?.isOn == true)
            try desktop.write("false", to: "enable")
            #expect(await desktop.preferences.appSwitch(of: Self.app)?.isOn == false)
        }
    }

    // MARK: Plasma

    @Test func `the user's Plasma file overrides the system's file, and is watched`() async throws {
        try await with { desktop in
            let group = "[Applications][\(Self.app)]\n"
            try desktop.write(group + "ShowBadges=false\n", to: "system/plasmanotifyrc")
            await desktop.follow("Plasma")
            let first = await desktop.preferences.appSwitch(of: Self.app)
            #expect(first?.isOn == true && first?.showsBadges == false)
            // The first file is new; the later ones replace it.
            for value in ["false", "true", "false"] {
                let count = desktop.told.all.count
                try desktop.write(
                    group + "ShowPopups=\(value)\n", to: "home/.config/plasmanotifyrc")
                let told = try await desktop.told.first(count + 1)
                #expect(told.last == "\(Self.app) \(value == "true" ? "on" : "off")")
            }
        }
    }

    @Test func `Plasma's switch is set by Plasma's program, or in the file without that program`()
        async throws
    {
        let kwriteconfig = """
            [ "$1" = --notify ] && exit 1
            echo "$@" >"$FOLDER/said"
            """
        for (programs, said) in [
            (
                ["kwriteconfig5": kwriteconfig],
                "--file plasmanotifyrc --group Applications --group \(Self.app) --key ShowPopups "
                    + "--type bool false\n"
            ), ([:], ""),
        ] {
            try await with(programs) { desktop in
                try desktop.write("# kept\n[A]\nB=c\n", to: "home/.config/plasmanotifyrc")
                await desktop.follow("Plasma")
                let value = try await desktop.preferences.setDesktopSwitch(false, for: Self.app)
                #expect(desktop.text("said") == said)
                // The played program changes no file.
                #expect(value?.isOn == !said.isEmpty)
                let added = "\n[Applications][\(Self.app)]\nShowPopups=false\n"
                #expect(
                    desktop.text("home/.config/plasmanotifyrc")
                        == "# kept\n[A]\nB=c\n" + (said.isEmpty ? added : ""))
            }
        }
    }

    @Test func `a settings file that is too large to be read is left unchanged`() async throws {
        try await with { desktop in
            let text = "[A]\n#" + String(repeating: "x", count: 1 << 20)
            try desktop.write(text, to: "home/.config/plasmanotifyrc")
            await desktop.follow("Plasma")
            let error = await #expect(throws: NotificationError.self) {
                try await desktop.preferences.setDesktopSwitch(false, for: Self.app)
            }
            #expect(error?.message.contains("left as it is") == true, "\(error?.message ?? "")")
            #expect(desktop.text("home/.config/plasmanotifyrc") == text)
        }
    }

    @Test func `the error names a file that cannot be written`() async throws {
        try await with { desktop in
            try FileManager.default.createDirectory(
                atPath: desktop.bus.directory + "/home/.config/plasmanotifyrc/x",
                withIntermediateDirectories: true)
            await desktop.follow("Plasma")
            let error = await #expect(throws: NotificationError.self) {
                _ = try await desktop.preferences.setDesktopSwitch(false, for: Self.app)
            }
            #expect(error?.code == .noSettings)
            #expect(error?.message.contains("plasmanotifyrc") == true)
        }
    }

    // MARK: Xfce

    /// An Xfconf that keeps its properties in memory.
    private static func xfconfTable(
        _ desktop: PlayedDesktop, _ values: Box
    ) -> InterfaceTable {
        let name = [ArgumentEntry("channel", "s"), ArgumentEntry("property", "s")]
        return InterfaceTable(
            name: "org.xfce.Xfconf",
            methods: [
                MethodEntry("GetProperty", in: name, out: [ArgumentEntry("value", "v")]) { call in
                    let property = call.arguments[1].stringValue ?? ""
                    guard let value = values.state.withLock({ $0[property] }) else {
                        throw BusError.remote(
                            "org.xfce.Xfconf.Error.PropertyNotFound", "no such property")
                    }
                    return [value]
                },
                MethodEntry("SetProperty", in: name + [ArgumentEntry("value", "v")]) { call in
                    let property = call.arguments[1].stringValue ?? ""
                    values.state.withLock { $0[property] = call.arguments[2] }
                    try await desktop.emit(
                        "PropertyChanged", of: "org.xfce.Xfconf", at: xfconf, call.arguments)
                    return []
                },
            ])
    }

    @Test func `Xfce's list of muted apps is read, watched and changed`() async throws {
        let values = Box()
        try await with { desktop in
            try await desktop.offer(
                "org.xfce.Xfconf", at: Self.xfconf, Self.xfconfTable(desktop, values))
            await desktop.follow("Xfce Notify Daemon")
            #expect(await desktop.preferences.isSilent() == false, "an unset property means off")
            #expect(await desktop.preferences.appSwitch(of: Self.app)?.isOn == true)
            let off = try await desktop.preferences.setDesktopSwitch(false, for: Self.app)
            #expect(off?.isOn == false)
            #expect(values.strings("/applications/muted_applications") == ["\(Self.app)"])
            #expect(values.strings("/applications/known_applications") == ["\(Self.app)"])
            let on = try await desktop.preferences.setDesktopSwitch(true, for: Self.app)
            #expect(on?.isOn == true)
            #expect(values.strings("/applications/muted_applications") == [])
            let muted = BusValue.variant(.array(element: "v", [.variant(.string("\(Self.app)"))]))
            values.state.withLock { $0["/applications/muted_applications"] = muted }
            try await desktop.emit(
                "PropertyChanged", of: "org.xfce.Xfconf", at: Self.xfconf,
                [.string("xfce4-notifyd"), .string("/applications/muted_applications"), muted])
            try await desktop.told.first("the switch") { $0 == "\(Self.app) off" }
            values.state.withLock { $0["/do-not-disturb"] = .variant(.bool(true)) }
            #expect(await desktop.preferences.isSilent() == true)
        }
    }

    @Test func `a switch that changes during each read is still answered, and reported later`()
        async throws
    {
        let reads = Mutex(0)
        try await with { desktop in
            let read = MethodEntry(
                "GetProperty", in: [ArgumentEntry("channel", "s"), ArgumentEntry("property", "s")],
                out: [ArgumentEntry("value", "v")]
            ) { call in
                let count = reads.withLock { count in
                    count += 1
                    return count
                }
                // The signal goes out before the answer.
                if count < 10 {
                    try await desktop.emit(
                        "PropertyChanged", of: "org.xfce.Xfconf", at: Self.xfconf,
                        call.arguments + [.variant(.bool(true))])
                }
                let muted = count < 10 ? [] : [BusValue.variant(.string("\(Self.app)"))]
                return [.variant(.array(element: "v", muted))]
            }
            try await desktop.offer(
                "org.xfce.Xfconf", at: Self.xfconf,
                InterfaceTable(name: "org.xfce.Xfconf", methods: [read]))
            await desktop.follow("Xfce Notify Daemon")
            #expect(await desktop.preferences.appSwitch(of: Self.app)?.isOn == true)
            try await desktop.told.first("the switch") { $0 == "\(Self.app) off" }
        }
    }

    private final class Box: Sendable {
        let state = Mutex<[String: BusValue]>([:])

        func strings(_ property: String) -> [String]? {
            state.withLock { $0[property] }.flatMap(XfceSwitch.list)
        }
    }

    // MARK: The page

    @Test(arguments: [
        ("gnome-shell", "gnome-control-center", ["notifications", "org.tocsin.Tocsin"]),
        (
            "Plasma", "systemsettings5",
            ["kcm_notifications", "--args", "--desktop-entry org.tocsin.Tocsin"]
        ), ("Xfce Notify Daemon", "xfce4-notifyd-config", []),
    ])
    func `the desktop's own program opens the page of settings`(
        server: String, name: String, words: [String]
    ) async throws {
        let script = "{ echo begin; for a in \"$@\"; do echo \"$a\"; done; } >\"$FOLDER/page\""
        try await with([name: script], adding: ["DISPLAY": ":7"]) { desktop in
            // The program reports its start through a pipe.
            let pipe = "\(desktop.bus.directory)/page"
            try #require(mkfifo(pipe, 0o600) == 0)
            let reader = try RunningProgram("cat", [pipe])
            await desktop.follow(server)
            try await desktop.preferences.openPage(of: Self.app)
            #expect(try await reader.lines.first(words.count + 1) == ["begin"] + words)
            await reader.stop()
        }
    }

    @Test func `the error names a missing settings program, display or page`() async throws {
        for (server, variables, words) in [
            ("gnome-shell", ["DISPLAY": ":7"], "Install gnome-control-center."),
            ("Plasma", [:], "neither DISPLAY nor WAYLAND_DISPLAY"),
            ("dunst", ["DISPLAY": ":7"], "dunst has no page of settings"),
        ] as [(String, [String: String], String)] {
            try await with(adding: variables) { desktop in
                await desktop.follow(server)
                let error = await #expect(throws: NotificationError.self) {
                    try await desktop.preferences.openPage(of: Self.app)
                }
                #expect(error?.code == .noSettings)
                #expect(error?.message.contains(words) == true, "\(server)")
            }
        }
    }
}
