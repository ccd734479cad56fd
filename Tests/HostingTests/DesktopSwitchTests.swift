import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// GNOME's settings have a switch that turns an app's notifications on and off.
///
/// The switch sets the app's permission, and the user's answer about permission sets the switch.
/// In these tests a script and the signals of dconf replace GNOME's settings.
@Suite(.timeLimit(.minutes(5))) struct DesktopSwitchTests {
    /// Scripts that keep each key in a file with the key's name.
    private static let programs = [
        "gsettings": """
        value() { if [ -e "$FOLDER/$1" ]; then /bin/cat "$FOLDER/$1"; else echo "$2"; fi; }
        case "$1 $2" in
        "list-recursively org.gnome.desktop.notifications")
            echo "s show-banners $(value show-banners true)"
            echo "s show-in-lock-screen true"
            echo "s application-children @as []";;
        "list-recursively org.gnome.desktop.notifications.application:"*)
            echo "s enable $(value enable true)"
            echo "s enable-sound-alerts $(value enable-sound-alerts true)"
            echo "s show-in-lock-screen true"
            echo "s details-in-lock-screen false";;
        "set "*) echo "$4" >"$FOLDER/$3";;
        esac
        """,
        "gnome-control-center": "echo \"$@\" >\"$FOLDER/page\"",
    ]

    private func run(
        _ hosting: Hosting, _ body: @Sendable (ServiceHarness, BusConnection) async throws -> Void
    ) async throws {
        try await ServiceHarness.run(hosting, script: .gnome46, programs: Self.programs) {
            harness in
            let dconf = try await BusConnection.open(on: harness.bus, name: "dconf")
            try await dconf.requestName("ca.desrt.dconf")
            _ = try await harness.service.connect(
                ApplicationIdentity(
                    id: harness.app, name: "Test App", hasDesktopEntry: true, needsPermission: true),
                asksBeforePresenting: false
            ) { _ in }
            // The service answers this call when it knows the server and therefore the desktop.
            _ = try await harness.service.settings(of: harness.app)
            try await body(harness, dconf)
            await dconf.close()
        }
    }

    /// Sets a key as GNOME's settings do; returns when the centre has received dconf's signal.
    private func set(
        _ key: String, _ value: String, _ harness: ServiceHarness, _ dconf: BusConnection
    ) async throws {
        try value.write(
            toFile: "\(harness.bus.directory)/\(key)", atomically: true, encoding: .utf8)
        try await dconf.emit(
            path: "/ca/desrt/dconf/Writer/user", interface: "ca.desrt.dconf.Writer",
            member: "Notify",
            arguments: [
                .string("/org/gnome/desktop/notifications/application/org-tocsin-test/\(key)"),
                .strings([""]), .string("tag"),
            ])
        try await harness.bus.untilReceived()
    }

    private func status(_ harness: ServiceHarness) async throws -> Permission.Status? {
        try await harness.service.settings(of: harness.app).permission?.status
    }

    @Test(arguments: Hosting.allCases)
    func `an app whose switch is off is denied without a question to the user`(
        _ hosting: Hosting
    ) async throws {
        try await run(hosting) { harness, dconf in
            let first = try await harness.service.settings(of: harness.app)
            #expect(first.permission?.status == .notDetermined)
            #expect(first.desktop?.isOnLockScreen == true)
            #expect(first.desktop?.showsTextsWhileLocked == false)
            try await set("enable", "false", harness, dconf)
            #expect(try await status(harness) == .denied)
            #expect(
                try await !harness.service.requestAuthorization(.all, for: harness.app),
                "the answer is no, without a question")
            await #expect(throws: NotificationError.self) { try await harness.center.add("no") }
            #expect(harness.server.calls.all.isEmpty)
            try await set("enable", "true", harness, dconf)
            #expect(try await status(harness) == .notDetermined)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the user's answer to the permission question is written to the desktop's switch`(
        _ hosting: Hosting
    ) async throws {
        try await run(hosting) { harness, dconf in
            let request = Task {
                try await harness.service.requestAuthorization(.all, for: harness.app)
            }
            let prompt = try await harness.post(1)
            try await harness.server.click(prompt.id, prompt.actions[1].key)
            #expect(try await !request.value)
            let file = "\(harness.bus.directory)/enable"
            func isEnabled() -> Bool {
                let text = FileManager.default.contents(atPath: file)
                return text.map { String(decoding: $0, as: UTF8.self) } != "false\n"
            }
            #expect(!isEnabled(), "the switch is off before the app has its answer")
            // The user turns the app on again in the desktop's settings.
            try await set("enable", "true", harness, dconf)
            #expect(try await status(harness) == .authorized)
            try await harness.center.add("now")
            #expect(try await harness.post(2).summary == "now")
            try await harness.service.decide(.deny, for: harness.app)
            #expect(!isEnabled())
            try await harness.service.decide(.allow, for: harness.app)
            #expect(isEnabled())
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the status shows the desktop's Do Not Disturb`(_ hosting: Hosting) async throws {
        try await run(hosting) { harness, dconf in
            for (value, isOn) in [("false", true), ("true", false)] {
                try await set("show-banners", value, harness, dconf)
                #expect(try await harness.service.status().presenter.isInhibited == isOn)
            }
        }
    }

    @Test(arguments: Hosting.allCases)
    func `openNotificationSettings opens the app's page in the desktop's settings`(
        _ hosting: Hosting
    ) async throws {
        try await run(hosting) { harness, _ in
            let pipe = "\(harness.bus.directory)/page"
            try #require(mkfifo(pipe, 0o600) == 0)
            let reader = try RunningProgram("cat", [pipe])
            try await harness.service.openNotificationSettings(of: harness.app)
            #expect(try await reader.lines.first(1) == ["notifications org.tocsin.Test"])
            await reader.stop()
        }
    }
}
