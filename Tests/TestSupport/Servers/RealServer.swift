internal import DesktopBus
internal import Foundation

/// A real notification server in a virtual display on a private bus, with mouse and keyboard.
///
/// It owns the server's processes, its bus and its stage.
///
/// It promises a server that can show popups when `start` returns.
///
/// It never leaves a process behind: `stop()` also ends the `tocsind` on its bus.
package final class RealServer: Sendable {
    /// The server under test.
    package let server: DesktopServer
    /// The server's bus, with fresh XDG directories.
    package let bus: PrivateBus
    /// The environment of a program in this session.
    package let environment: [String: String]
    /// The mouse and keyboard of an X display; a test for any screen uses `hands`.
    package let pointer: Pointer
    /// The widgets on the screen.
    package let tree: any Eyes

    /// The mouse and keyboard of the screen, on X and on Wayland.
    package let hands: any Hands
    let windows: any Windows
    /// The widgets of GNOME Shell; nil for every other server.
    package let shell: GnomeShell?
    let folder: String
    /// The clients that hold an inhibition, with the cookie of the inhibition.
    let inhibitions = Recording<(client: PlainClient, cookie: UInt32)>()
    private let stage: ServerStage
    /// The processes of the server, one for each start.
    private let processes = Recording<RunningProgram>()

    private init(
        _ server: DesktopServer, _ bus: PrivateBus, _ stage: ServerStage, _ shell: GnomeShell?,
        folder: String
    ) {
        self.server = server
        self.bus = bus
        self.stage = stage
        self.shell = shell
        self.folder = folder
        environment = stage.environment
        pointer = Pointer(environment: environment.merging(stage.screen.outerVariables) { $1 })
        hands = stage.screen.hands(environment)
        windows = stage.screen.windows(environment)
        switch server.sight {
        case .printed(let area):
            tree = PrintedText(
                look: { try await Screenshot.save("seen-\(server.name)", of: stage.screen) },
                area: area)
        case .widgets(let origin, _):
            tree = AccessibilityTree(environment: environment, origin: origin)
        case .window, .color, .shell:
            tree = shell ?? AccessibilityTree(environment: environment)
        }
    }

    /// Starts the server and returns when it owns its name and can show popups.
    ///
    /// `prepare` writes files into the bus's directories before the start.
    package static func start(
        _ server: DesktopServer, preparing prepare: (PrivateBus) async throws -> Void = { _ in }
    ) async throws -> RealServer {
        guard server.executable != nil else { throw HarnessError(server.skipReason) }
        var services: [String: String] = [:]
        for name in server.services + server.installedExtraServices {
            services["\(name).service"] = try DesktopServer.serviceFile(name)
        }
        let bus = try PrivateBus(services: services)
        try await prepare(bus)
        let stage = try await ServerStage.start(for: server, on: bus)
        do {
            let folder = "\(bus.directory)/server"
            try await write(server.files, to: folder)
            var shell: GnomeShell?
            if case .shell = server.sight { shell = try await GnomeShell(on: bus) }
            let session = RealServer(server, bus, stage, shell, folder: folder)
            try await session.launch()
            return session
        } catch {
            await stage.stop()
            throw error
        }
    }

    /// Runs `body` with a server, and ends the server when the body returns or throws.
    package static func with<Result>(
        _ server: DesktopServer, preparing prepare: (PrivateBus) async throws -> Void = { _ in },
        _ body: (RealServer) async throws -> Result
    ) async throws -> Result {
        let running = try await start(server, preparing: prepare)
        do {
            let result = try await BusRecorder.recording(running.bus) {
                try await body(running)
            }
            await running.stop()
            return result
        } catch {
            // A screenshot tells more than the error message.
            _ = try? await running.screenshot("failed-\(server.name)")
            await running.stop()
            throw error
        }
    }

    /// Ends the server, its display, its bus, and the `tocsind` on that bus.
    package func stop() async {
        await endDaemon()
        await shell?.disconnect()
        for inhibition in inhibitions.all { await inhibition.client.disconnect() }
        await processes.all.last?.stop()
        await stage.stop()
        bus.stop()
    }

    /// Kills the server without notice, and starts it again.
    package func restart() async throws {
        processes.all.last?.signal(SIGKILL)
        try await processes.all.last?.exit()
        try await launch()
    }

    /// Saves a screenshot and returns its path.
    @discardableResult
    package func screenshot(_ name: String) async throws -> String {
        try await Screenshot.save(name, of: stage.screen)
    }

    /// Replaces `@` by the folder of the server's files.
    func placed(_ text: String) -> String {
        text.replacingOccurrences(of: "@", with: folder)
    }

    /// Ends a `tocsind` that an app started: it would wait minutes for the bus to return.
    private func endDaemon() async {
        guard let connection = try? await BusConnection.open(on: bus, name: "end") else { return }
        let daemon = try? await connection.credentials(of: "org.tocsin.NotificationCenter1")
        if let pid = daemon?.pid { kill(Int32(pid), SIGTERM) }
        await connection.close()
    }

    private static func write(_ files: [String: String], to folder: String) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            let path = "\(folder)/\(name)"
            let text = text.replacingOccurrences(of: "@", with: folder) + "\n"
            let begin = ShellScript.begin
            if text.hasPrefix(begin) {
                try await ShellScript.write(String(text.dropFirst(begin.count)), to: path)
            } else {
                try text.write(toFile: path, atomically: true, encoding: .utf8)
            }
        }
    }

    private func launch() async throws {
        guard let (path, arguments) = server.executable else {
            throw HarnessError(server.skipReason)
        }
        let connection = try await BusConnection.open(on: bus, name: "server-watch")
        defer { Task { await connection.close() } }
        try await connection.updateActivationEnvironment(activationVariables)
        for command in server.settings { try await run(command) }
        let owners = Recording<String>()
        let watch = try await connection.watchOwner(of: "org.freedesktop.Notifications") {
            if let owner = $0 { owners.append(owner.rawValue) }
        }
        defer { watch.cancel() }
        var environment = environment
        if server.session.display == .shell {
            // The server is itself the compositor, and not a client of another compositor.
            environment["WAYLAND_DISPLAY"] = nil
            ShellSession.forgetSocket(on: bus)
        }
        let process = try RunningProgram(path, arguments.map(placed), environment: environment)
        let ending = Task {
            let status = try await process.exit(within: 60)
            owners.finish("\(path) ended with \(status) before it owned its name")
        }
        defer { ending.cancel() }
        do {
            try await owners.first("the owner of org.freedesktop.Notifications") { _ in true }
            try await waitUntilComplete()
            processes.append(process)
        } catch {
            await process.stop()
            let said = process.said
            throw HarnessError("\(path) did not become the notification server: \(error)\n\(said)")
        }
    }

    /// The variables that the bus passes to the helpers of the server.
    private var activationVariables: [String: String] {
        stage.screen.variables.merging(server.session.variables) { $1 }
    }

    /// Waits until the server can show a popup; some desktops own the name earlier.
    private func waitUntilComplete() async throws {
        try await shell?.settle()
        if let landmark = server.session.landmark {
            _ = try await tree.waitUntilShown(.pushButton, landmark, within: 60)
        }
        try await hands.moveAway()
    }
}
