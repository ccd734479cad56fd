import DesktopBus
import Foundation
import HostingSupport
import TestSupport
import Testing

/// Quick actions, chosen through GIO and the desktop file, as a desktop's launcher does.
@Suite(
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "no python3"),
    .timeLimit(.minutes(5)))
struct QuickActionTests {
    private static let id = "org.tocsin.Test"
    private static let compose = "org-2Eexample-2Ecompose"
    private static let start = "org.example.compose | Write | - | 5 | -"

    /// A registered app on a private bus, and its reports.
    private struct Stage {
        let bus: PrivateBus
        let pipe: ReportPipe
        let daemon: RunningProgram?
        let environment: [String: String]
        let folder: String

        init(_ hosting: Hosting, _ arguments: [String] = [], sets: Bool = false) async throws {
            bus = try PrivateBus()
            pipe = try ReportPipe(bus.directory + "/report")
            daemon = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            folder = bus.directory + "/app"
            var environment = hosting.environment(bus.environment)
                .merging([
                    "PROBE_REPORT": pipe.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus",
                ]) { $1 }
            // The id comes from the desktop file, which the launcher reads.
            environment["TOCSIN_APP_ID"] = nil
            if sets { environment["PROBE_SETS"] = "1" }
            self.environment = environment
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            // A copied program may fail to start: a child that another test forks during the copy
            // keeps the file open for writing.
            try await ShellScript.write(
                "exec '\(try HostedService.program("ActionsProbe"))'", to: folder + "/actions-app")
            try QuickActionTests.infoPlist.write(
                toFile: folder + "/Info.plist", atomically: true, encoding: .utf8)
            try await RunningProgram.run(
                try HostedService.program("tocsin"),
                ["register", folder + "/actions-app", "--id", QuickActionTests.id] + arguments,
                environment: environment)
        }

        var entry: String {
            get throws { try String(contentsOfFile: entryPath, encoding: .utf8) }
        }

        private var entryPath: String {
            "\(environment["XDG_DATA_HOME"] ?? "")/applications/\(QuickActionTests.id).desktop"
        }

        /// Chooses an action as a launcher does.
        func choose(_ action: String, adding variables: [String: String] = [:]) async throws {
            let launcher = QuickActionLauncher(environment: environment.merging(variables) { $1 })
            try await launcher.choose(action, of: QuickActionTests.id)
        }

        /// Ends the app, and returns when it has left the bus.
        func endApp() async throws {
            let name: BusName = "org.tocsin.Test"
            let connection = try await BusConnection.open(on: bus, name: "end")
            let owner = try await connection.owner(of: name)
            let app = try await connection.credentials(of: name)
            if let pid = app.pid { kill(Int32(pid), SIGTERM) }
            await BusConnection.wait(until: name, leaves: owner, on: bus)
            await connection.close()
        }

        func stop() async throws {
            try await endApp()
            await daemon?.stop()
            await pipe.stop()
        }
    }

    private static let infoPlist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>UIApplicationShortcutItems</key>
        <array><dict>
            <key>UIApplicationShortcutItemType</key><string>org.example.compose</string>
            <key>UIApplicationShortcutItemTitle</key><string>Write</string>
            <key>UIApplicationShortcutItemIconType</key>
            <string>UIApplicationShortcutIconTypeCompose</string>
            <key>UIApplicationShortcutItemUserInfo</key>
            <dict><key>number</key><integer>5</integer></dict>
        </dict></array>
        </dict></plist>
        """

    @Test(arguments: Hosting.allCases)
    func `an action starts an app by its Exec line, and a second choice reaches the running app`(
        hosting: Hosting
    ) async throws {
        let stage = try await Stage(hosting)
        try await stage.choose(Self.compose)
        let first = ["start \(Self.start)", "perform \(Self.start)", "added "]
        #expect(try await stage.pipe.lines.first(3) == first)
        try await stage.choose(Self.compose, adding: ["XDG_ACTIVATION_TOKEN": "token-7"])
        #expect(
            try await stage.pipe.lines.first(5) == first + [
                "perform org.example.compose | Write | - | 5 | token-7", "added ",
            ])
        try await stage.stop()
    }

    @Test(arguments: Hosting.allCases)
    func `an action starts an app by the bus, and a second choice reaches the running app`(
        hosting: Hosting
    ) async throws {
        let stage = try await Stage(hosting, ["--dbus-activatable"])
        let name = "\(Self.id).service"
        let data = stage.environment["XDG_DATA_HOME"] ?? ""
        try FileManager.default.copyItem(
            atPath: "\(data)/dbus-1/services/\(name)",
            toPath: "\(stage.bus.directory)/services/\(name)")
        let connection = try await BusConnection.open(on: stage.bus, name: "environment")
        _ = try await connection.call(
            MethodCall(
                destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                interface: "org.freedesktop.DBus", member: "ReloadConfig"))
        try await connection.updateActivationEnvironment(
            stage.environment.filter { $0.key != "TOCSIN_APP_ID" })
        await connection.close()
        try await stage.choose(Self.compose)
        let first = ["start \(Self.start)", "perform \(Self.start)", "added "]
        #expect(try await stage.pipe.lines.first(3) == first)
        try await stage.choose(Self.compose)
        #expect(
            try await stage.pipe.lines.first(5) == first + ["perform \(Self.start)", "added "])
        try await stage.stop()
    }

    @Test func `an app that handles the starting action is not asked to perform it`() async throws {
        let stage = try await Stage(.embedded)
        try await stage.choose(Self.compose, adding: ["PROBE_HANDLES": "1"])
        #expect(try await stage.pipe.lines.first(1) == ["start \(Self.start)"])
        try await stage.choose(Self.compose, adding: ["XDG_ACTIVATION_TOKEN": "token-7"])
        // The next line already comes from the second choice, which has a token.
        #expect(
            try await stage.pipe.lines.first(2) == [
                "start \(Self.start)", "perform org.example.compose | Write | - | 5 | token-7",
            ])
        try await stage.stop()
    }

    @Test func `dynamic actions remain after the app's end, until the app clears them`()
        async throws
    {
        let stage = try await Stage(.embedded, sets: true)
        try await stage.choose(Self.compose)
        let lines = try await stage.pipe.lines.first(5)
        #expect(Array(lines[1...2]) == ["items []", "set 3"])
        let call = "org-2Eexample-2Ecall"
        let quit = "org-2Eexample-2Equit"
        #expect(try stage.entry.contains("Actions=\(Self.compose);\(call);\(call)--2;\(quit);\n"))
        try await stage.endApp()
        try await stage.choose(call + "--2")
        let bob = "org.example.call | Call Bob %U | mobile | 8 | -"
        let items = ["Call \"Ann\"; rm -rf", "Call Bob %U", "Forget all"]
        #expect(
            try await stage.pipe.lines.first(9).dropFirst(5) == [
                "start \(bob)", "items \(items)", "set 3", "perform \(bob)",
            ])
        try await stage.choose(quit)
        try await stage.pipe.lines.first("the last action") {
            $0.hasPrefix("perform org.example.quit")
        }
        try await stage.pipe.lines.wait(for: "three added") {
            $0.filter { $0.hasPrefix("added") }.count == 3
        }
        #expect(try stage.entry.contains("Actions=\(Self.compose);\n"))
        #expect(try !stage.entry.contains(call))
        try await stage.stop()
    }

    /// Without the id in its environment, the app must still write its actions and get the user's
    /// choice.
    @Test func `an app that sets its id in code has the actions of that id`() async throws {
        let stage = try await Stage(.embedded, sets: true)
        let program = try RunningProgram(
            try HostedService.program("ActionsProbe"),
            environment: stage.environment.merging(["PROBE_ID": Self.id]) { $1 })
        #expect(try await stage.pipe.lines.first(3) == ["start -", "items []", "set 3"])
        #expect(try stage.entry.contains("Actions=\(Self.compose);org-2Eexample-2Ecall;"))
        try await stage.choose(Self.compose)
        #expect(
            try await stage.pipe.lines.first(5).dropFirst(3) == ["perform \(Self.start)", "added "])
        try await stage.stop()
        #expect(try await program.exit() == 0)
    }

    @Test func `a scene's delegate performs the actions of its app`() async throws {
        let stage = try await Stage(.embedded)
        let environment = stage.environment.merging([
            "TOCSIN_APP_ID": Self.id, "TOCSIN_QUICK_ACTION": Self.compose,
        ]) { $1 }
        let program = try RunningProgram(
            try HostedService.program("SceneProbe"), environment: environment)
        try await program.lines.first("the front") { $0 == "sceneDidBecomeActive" }
        #expect(program.lines.all.first == "started by org.example.compose")
        let second = try RunningProgram(
            try HostedService.program("SceneProbe"), environment: environment)
        #expect(try await second.exit() == 0)
        try await second.lines.untilFinished()
        #expect(second.lines.all.isEmpty)
        #expect(
            try await program.lines.first(5) == [
                "started by org.example.compose", "viewDidLoad", "sceneWillEnterForeground",
                "sceneDidBecomeActive", "scene performs org.example.compose",
            ])
        try await stage.stop()
    }

    /// There is no scene that could get the action.
    @Test func `an app whose scene cannot be made performs the starting action itself`()
        async throws
    {
        let stage = try await Stage(.embedded)
        let program = try RunningProgram(
            try HostedService.program("SceneProbe"), ["no-scene"],
            environment: stage.environment.merging([
                "TOCSIN_APP_ID": Self.id, "TOCSIN_QUICK_ACTION": Self.compose,
            ]) { $1 })
        #expect(try await program.lines.first(1) == ["app performs org.example.compose"])
        try await stage.stop()
        #expect(try await program.exit() == 0)
        #expect(try await program.allSaid().contains("ImpossibleSceneDelegate could not be made"))
    }
}
