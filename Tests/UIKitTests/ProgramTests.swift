import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Whole apps, each run as a separate program.
@Suite(.timeLimit(.minutes(2))) struct ProgramTests {
    private static let launch = ["didFinishLaunching", "viewDidLoad", "didBecomeActive"]

    /// Waits until the program has printed exactly these lines; ignores lines on time intervals.
    private func lines(_ expected: [String], of program: RunningProgram) async throws {
        try await program.lines.wait(for: expected.joined(separator: ", ")) {
            $0.filter { !$0.hasPrefix("Time Interval") } == expected
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the app ShortNotice launches, notifies, follows the lock and ends by SIGTERM`(
        hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        let system = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let logind = try await ScriptedLogind.start(on: system)
            let daemon = hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            // A program buffers output into a pipe until it ends; `stdbuf` turns that off.
            let program = try RunningProgram(
                "stdbuf", ["-oL", try HostedService.program("ShortNotice"), "0.1"],
                environment: hosting.environment(bus.environment)
                    .merging(["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue]) { $1 })
            let post = try await server.calls.first("the popup") { _ in true }
            #expect(post.summary == "Short notice")
            try await program.lines.first("the handler of add") {
                $0 == "Time Interval Notification scheduled: org.tocsin.ShortNotice.page"
            }
            try await lines(Self.launch, of: program)
            try await logind.lock()
            let locked = Self.launch + ["willResignActive", "didEnterBackground"]
            try await lines(locked, of: program)
            try await logind.lock(false)
            let unlocked = locked + ["willEnterForeground", "didBecomeActive"]
            try await lines(unlocked, of: program)
            program.signal(SIGTERM)
            #expect(try await program.exit() == 0)
            try await lines(
                unlocked + ["willResignActive", "didEnterBackground", "willTerminate"],
                of: program)
            await daemon?.stop()
            await logind.stop()
            await server.stop()
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `UIApplicationMain runs the named classes until a signal`(signal: Int32) async throws {
        let program = try Self.probe("plain")
        try await program.lines.first(1)
        program.signal(signal)
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(
            program.lines.all == [
                "launched by ProbeApplication, shared true", "background", "willTerminate",
            ])
    }

    @Test func `the delegate of a scene gets the life-cycle calls of its app`() async throws {
        let program = try Self.probe("scene", of: "SceneProbe")
        try await program.lines.first("the front") { $0 == "sceneDidBecomeActive" }
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(
            program.lines.all == [
                "viewDidLoad", "sceneWillEnterForeground", "sceneDidBecomeActive",
                "sceneWillResignActive", "sceneDidEnterBackground", "sceneDidDisconnect",
            ])
    }

    /// Apps with scenes observe these notifications instead of those of the app.
    @Test func `a scene posts a notification after each call of its delegate`() async throws {
        let program = try Self.probe("posts", of: "SceneProbe")
        try await program.lines.first("the front") { $0.hasSuffix("DidActivateNotification") }
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(
            program.lines.all == [
                "viewDidLoad", "posted UISceneWillConnectNotification",
                "sceneWillEnterForeground", "posted UISceneWillEnterForegroundNotification",
                "sceneDidBecomeActive", "posted UISceneDidActivateNotification",
                "sceneWillResignActive", "posted UISceneWillDeactivateNotification",
                "sceneDidEnterBackground", "posted UISceneDidEnterBackgroundNotification",
                "sceneDidDisconnect", "posted UISceneDidDisconnectNotification",
            ])
    }

    /// The app connects the scene before the scene's delegate shows its window.
    @Test func `the first page of a scene finds the scene in its app`() async throws {
        let program = try Self.probe("page", of: "SceneProbe")
        #expect(try await program.lines.first(2) == ["viewDidLoad", "connected scenes: 1"])
        program.signal(SIGTERM)
        try await program.exit()
    }

    /// The start of the app also delivers an older response, which the scene must not get.
    @Test func `a scene gets the response whose click started its app`() async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let pipe = try ReportPipe(bus.directory + "/report")
            try Self.installScene(on: bus)
            let center = try await HostedService.start(
                .daemon, on: bus, adding: ["SCENE_REPORT": pipe.path])
            try await center.add("tea") { $0.reportsDismissal = true }
            try await center.settled { _, delivered in delivered.count == 1 }
            // A dismissal does not start the app: its response waits for the next start.
            try await server.close(server.calls.all[0].id, reason: 2)
            try await center.settled { _, delivered in delivered.isEmpty }
            #expect(try await center.service.status().responseCount == 1)
            try await center.add("tea")
            try await center.settled { _, delivered in delivered.count == 1 }
            try await server.click(server.calls.all[1].id, "default")
            #expect(
                try await pipe.lines.first(2) == [
                    "started by com.apple.UNNotificationDefaultActionIdentifier of tea",
                    "viewDidLoad",
                ])
            let connection = try await BusConnection.open(on: bus, name: "end")
            let app = try await connection.credentials(of: "org.tocsin.Test")
            if let pid = app.pid { kill(Int32(pid), SIGTERM) }
            await connection.close()
            await center.stop()
            await pipe.stop()
            await server.stop()
        }
    }

    /// Installs the desktop file by which the daemon starts the app with a scene.
    private static func installScene(on bus: PrivateBus) throws {
        let folder = "\(bus.environment["XDG_DATA_HOME"] ?? "")/applications"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let variables = "TOCSIN_APP_ID=org.tocsin.Test DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere"
        try """
        [Desktop Entry]
        Type=Application
        Name=Test App
        Exec=env \(variables) "\(try HostedService.program("SceneProbe"))"

        """.write(toFile: "\(folder)/org.tocsin.Test.desktop", atomically: true, encoding: .utf8)
    }

    @Test func `a response names the scene of its app`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        try await HostedService.allow(.embedded, on: bus)
        let program = try RunningProgram(
            try HostedService.program("SceneProbe"), ["respond"],
            environment: Hosting.embedded.environment(bus.environment)
                .merging(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"]) { $1 })
        let post = try await server.calls.first("the popup") { _ in true }
        try await server.click(post.id, "default")
        let line = try await program.lines.first("the response") { $0.hasPrefix("response") }
        #expect(line == "response in the scene")
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        await server.stop()
    }

    /// `HandlerProbe` compiles only if the handlers may change these variables.
    @Test func `handlers of a program in Swift 5 mode change local variables`() async throws {
        let program = try Self.probe("", of: "HandlerProbe")
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(
            program.lines.all == ["has begun: true", "is another task: true", "is donated: true"])
    }

    /// The usual name, `SceneDelegate`, is missing in such an app, or belongs to an unusable class.
    @Test func `the class that only the configuration of a scene names is its delegate`()
        async throws
    {
        let program = try Self.probe("scene")
        try await program.lines.first(2)
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(
            program.lines.all.dropFirst() == [
                "scene connects", "scene disconnects", "willTerminate",
            ])
    }

    /// On Apple's platforms any class can be a scene's delegate, so developers need this reason.
    @Test(arguments: [("plain", "SceneDelegate"), ("no-scene", "PlainSceneDelegate")])
    func `an app whose scene delegate is no responder says why it has no scene`(
        mode: String, name: String
    ) async throws {
        let program = try Self.probe(mode)
        try await program.lines.first(1)
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        let said = try await program.allSaid()
        #expect(said.contains("its \(name) is not a UIResponder"), "\(said)")
    }

    @Test func `UIApplicationMain says which class is missing`() async throws {
        let program = try Self.probe("missing")
        #expect(try await program.exit() == 70)
        #expect(try await program.allSaid().contains("There is no class UIKitProbe.Nobody"))
    }

    /// Without the check, such an app blocks the main queue for ever and uses a whole processor.
    @Test func `an app that starts off the main thread says so and ends`() async throws {
        let program = try Self.probe("queue")
        #expect(try await program.exit() == 70)
        #expect(try await program.allSaid().contains("does not run on the main thread"))
    }

    @Test func `a program ends after its background task`() async throws {
        let program = try Self.probe("task")
        try await program.lines.first(1)
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(program.lines.all.dropFirst() == ["background", "task ends", "willTerminate"])
    }

    /// If a terminal closes, both the kernel and the shell send SIGHUP.
    @Test func `a program that gets SIGHUP twice ends after its background task`() async throws {
        let program = try Self.probe("task")
        try await program.lines.first(1)
        program.signal(SIGHUP)
        program.signal(SIGHUP)
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(program.lines.all.dropFirst() == ["background", "task ends", "willTerminate"])
    }

    @Test func `a program whose task never ends still ends after SIGTERM`() async throws {
        let program = try Self.probe("expire")
        try await program.lines.first(1)
        program.signal(SIGTERM)
        #expect(try await program.exit() == 0)
        try await program.lines.untilFinished()
        #expect(program.lines.all.dropFirst() == ["background", "expired", "willTerminate"])
    }

    @Test func `a second signal ends a program that hangs`() async throws {
        let program = try Self.probe("hang")
        try await program.lines.first(1)
        program.signal(SIGTERM)
        try await program.lines.first("the first signal") { $0 == "signalled" }
        program.signal(SIGTERM)
        #expect(try await program.exit() == -SIGTERM)
    }

    @Test func `only a program that imports UIKit links UIKit`() async throws {
        let symbol = Data("$s5UIKit".utf8)
        for (name, hasSymbol) in [("ShortNotice", true), ("TeaReminder", false)] {
            let program = URL(fileURLWithPath: try HostedService.program(name))
            let bytes = try Data(contentsOf: program, options: .alwaysMapped)
            #expect((bytes.range(of: symbol) != nil) == hasSymbol, "\(name)")
        }
    }

    private static func probe(
        _ mode: String, of name: String = "UIKitProbe"
    ) throws -> RunningProgram {
        let bus = try PrivateBus()
        return try RunningProgram(
            try HostedService.program(name), [mode],
            environment: bus.environment
                .merging(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"]) { $1 })
    }
}
