import DesktopBus
import Foundation
import HostingSupport
import TestSupport
import Testing

/// Quick actions in the menus of real desktops, chosen by real clicks.
@Suite(.serialized, .timeLimit(.minutes(6)))
struct QuickActionsOnRealDesktopsTests {
    private static let id = "org.tocsin.Test"
    private static let lost = "a click that a desktop loses has no event"

    @Test(.enabled(if: ServerCatalog.gnome.isWanted, "\(ServerCatalog.gnome.skipReason)"))
    func `the dash of GNOME Shell offers the actions, and a second choice reaches the running app`()
        async throws
    {
        try await withApp(ServerCatalog.gnome) { session, pipe in
            let shell = try #require(session.shell)
            try await shell.run(
                """
                new Gio.Settings({schema_id: 'org.gnome.shell'})
                    .set_strv('favorite-apps', ['\(Self.id).desktop'])
                """)
            let start = "org.example.compose | Write | - | 5"
            try await chooseInDash(
                "Write", of: session, shell, until: "perform \(start)", pipe,
                screenshot: "actions-gnome")
            let lines = try await pipe.lines.first(2)
            #expect(lines[0].hasPrefix("start \(start)"))
            #expect(lines[1].hasPrefix("perform \(start)"))
            try await chooseInDash(
                "Find \"all\"", of: session, shell,
                until: "perform org.example.find | Find \"all\"", pipe, screenshot: nil)
            #expect(pipe.lines.all.filter { $0.hasPrefix("start") }.count == 1)
        }
    }

    @Test(.enabled(if: ServerCatalog.plasma.isWanted, "\(ServerCatalog.plasma.skipReason)"))
    func
        `the task manager of Plasma offers the actions, and a second choice reaches the running app`()
        async throws
    {
        try await withApp(ServerCatalog.plasma) { session, pipe in
            try await addLauncher(to: session)
            let start = "org.example.compose | Write | - | 5"
            try await chooseInTaskManager(
                "Write", 1, of: session, until: "perform \(start)", pipe,
                screenshot: "actions-plasma")
            let lines = try await pipe.lines.first(2)
            #expect(lines[0].hasPrefix("start \(start)"))
            #expect(lines[1].hasPrefix("perform \(start)"))
            try await chooseInTaskManager(
                "Find", 2, of: session, until: "perform org.example.find | Find \"all\"", pipe,
                screenshot: "actions-plasma-2")
            #expect(pipe.lines.all.filter { $0.hasPrefix("start") }.count == 1)
        }
    }

    // MARK: The app

    /// Runs the body on a desktop on which the probe is registered.
    private func withApp(
        _ server: DesktopServer, _ body: (RealServer, ReportPipe) async throws -> Void
    ) async throws {
        let reports = Recording<ReportPipe>()
        try await RealServer.with(server) { bus in
            reports.append(try ReportPipe(bus.directory + "/report"))
            try await Self.register(on: bus)
        } _: { session in
            let pipe = try #require(reports.all.first)
            try await body(session, pipe)
            let connection = try await BusConnection.open(on: session.bus, name: "end")
            let app = try await connection.credentials(of: "org.tocsin.Test")
            if let pid = app.pid { kill(Int32(pid), SIGTERM) }
            await connection.close()
        }
        await reports.all.first?.stop()
    }

    private static func register(on bus: PrivateBus) async throws {
        let folder = bus.directory + "/app"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try infoPlist.write(
            toFile: folder + "/Info.plist", atomically: true, encoding: .utf8)
        let program = try HostedService.program("ActionsProbe")
        // The desktop starts the app in its own environment.
        try await ShellScript.write(
            """
            export PROBE_REPORT='\(bus.directory)/report' TOCSIN_MODE=embedded
            exec '\(program)'
            """, to: folder + "/actions-app")
        try await RunningProgram.run(
            try HostedService.program("tocsin"),
            [
                "register", folder + "/actions-app", "--id", id, "--name", "Tea Writer",
                "--icon", "face-smile",
            ], environment: bus.environment)
    }

    private static let infoPlist = """
        <plist version="1.0"><dict>
        <key>UIApplicationShortcutItems</key>
        <array>
            <dict>
                <key>UIApplicationShortcutItemType</key><string>org.example.compose</string>
                <key>UIApplicationShortcutItemTitle</key><string>Write</string>
                <key>UIApplicationShortcutItemIconType</key>
                <string>UIApplicationShortcutIconTypeCompose</string>
                <key>UIApplicationShortcutItemUserInfo</key>
                <dict><key>number</key><integer>5</integer></dict>
            </dict>
            <dict>
                <key>UIApplicationShortcutItemType</key><string>org.example.find</string>
                <key>UIApplicationShortcutItemTitle</key><string>Find "all"</string>
                <key>UIApplicationShortcutItemIconType</key>
                <string>UIApplicationShortcutIconTypeSearch</string>
            </dict>
        </array>
        </dict></plist>
        """

    // MARK: GNOME Shell

    /// Repeats the choice until the app reports it: a busy shell loses clicks, or moves the menu
    /// under the pointer.
    private func chooseInDash(
        _ title: String, of session: RealServer, _ shell: GnomeShell, until report: String,
        _ pipe: ReportPipe, screenshot: String?
    ) async throws {
        let icons =
            "Main.overview.dash._box.get_children().map(c => c.child && c.child._delegate || c.child)"
            + ".filter(i => i && i.app && i.app.get_id() === '\(Self.id).desktop')"
        let text = try String(decoding: JSONEncoder().encode(title), as: UTF8.self)
        let items = """
            (() => {
                const found = [];
                const walk = actor => {
                    if (!actor.mapped || actor.opacity === 0) return;
                    if (actor.constructor.name === 'PopupMenuItem' && actor.label.text === \(text))
                        found.push(actor);
                    actor.get_children().forEach(walk);
                };
                walk(Main.layoutManager.uiGroup);
                return found;
            })()
            """
        try await polled("a choice in the dash", because: Self.lost, within: 150) { () -> Void? in
            guard let icon = try await place(icons, in: shell) else { return nil }
            try await session.hands.click(icon, .right)
            var item: ScreenPoint?
            for _ in 0..<50 where item == nil { item = try await place(items, in: shell) }
            guard let item else { return nil }
            if let screenshot { try await session.screenshot(screenshot) }
            try await session.hands.click(item, .left)
            for _ in 0..<1_000 {
                if pipe.hasReported(report) { return () }
                try await shell.run("0")
            }
            return nil
        }
        try await shell.run("Main.overview.hide()")
    }

    /// The midpoint of the first listed actor; nil if the list is empty or the actor moves.
    private func place(_ actors: String, in shell: GnomeShell) async throws -> ScreenPoint? {
        let script = """
            (() => {
                if (Main.overview.animationInProgress) return null;
                // A call during the animation of the last choice has no effect.
                if (!Main.overview.visible) { Main.overview.show(); return null; }
                const actor = (\(actors))[0];
                if (!actor) return null;
                const [x, y] = actor.get_transformed_position();
                const [width, height] = actor.get_transformed_size();
                return [Math.round(x + width / 2), Math.round(y + height / 2), Math.round(width)];
            })()
            """
        let text = try await shell.run(script)
        // Twenty answers take longer than one frame of an animation, so a moving actor is noticed.
        for _ in 0..<20 {
            guard try await shell.run(script) == text else { return nil }
        }
        let found = try JSONDecoder().decode([Int]?.self, from: Data(text.utf8))
        guard let found, found[2] > 0 else { return nil }
        return ScreenPoint(x: found[0], y: found[1])
    }

    // MARK: Plasma

    /// Replaces the launchers of the task manager with the app's launcher.
    private func addLauncher(to session: RealServer) async throws {
        let connection = try await BusConnection.open(on: session.bus, name: "launcher")
        _ = try await connection.call(
            MethodCall(
                destination: "org.kde.plasmashell", path: "/PlasmaShell",
                interface: "org.kde.PlasmaShell", member: "evaluateScript",
                arguments: [
                    .string(
                        """
                        panels().forEach(panel => panel.widgets().forEach(widget => {
                            if (widget.type.indexOf('tasks') < 0) return;
                            widget.currentConfigGroup = ['General'];
                            widget.writeConfig('launchers', ['applications:\(Self.id).desktop']);
                            widget.reloadConfig();
                        }))
                        """)
                ]))
        await connection.close()
    }

    /// Repeats the choice until the app reports it.
    ///
    /// The accessibility tree lacks the menu, so its text is read from a screenshot. The keyboard
    /// reaches the items in their order.
    private func chooseInTaskManager(
        _ title: String, _ number: Int, of session: RealServer, until report: String,
        _ pipe: ReportPipe, screenshot: String
    ) async throws {
        let words = PrintedText.letters(of: title)
        let area = ScreenArea(x: 0, y: 560, width: 500, height: 195)
        try await polled("a choice in the task manager", because: Self.lost, within: 150) {
            () -> Void? in
            let task = try await session.tree.waitUntilShown(.pushButton, "Tea Writer")
            try await session.hands.click(task, .right)
            var isShown = false
            // Reading the screen takes seconds while other desktops run.
            for _ in 0..<3 where !isShown {
                let image = try await session.screenshot(screenshot)
                isShown = try await PrintedText.read(image, in: area).contains(words)
            }
            guard isShown else {
                try await session.pointer.press("Escape")
                return nil
            }
            for _ in 0..<number { try await session.pointer.press("Down") }
            try await session.pointer.press("Return")
            for _ in 0..<20 {
                if pipe.hasReported(report) { return () }
                try await session.screenshot(screenshot + "-after")
            }
            return nil
        }
    }
}

extension ReportPipe {
    fileprivate func hasReported(_ line: String) -> Bool {
        lines.all.contains { $0.hasPrefix(line) }
    }
}
