internal import DesktopBus
internal import Foundation

/// A real notification server in a virtual display on a bus of its own, and the hands to use it.
package final class RealServer: Sendable {
    /// Which one it is.
    package let server: DesktopServer
    /// Its bus, with fresh XDG directories.
    package let bus: PrivateBus
    /// What a program in this session is given as environment.
    package let environment: [String: String]
    /// The mouse of its display.
    package let pointer: Pointer
    /// What its display shows.
    package let tree: AccessibilityTree

    private let display: VirtualDisplay
    private let process: RunningProgram
    private let folder: String

    private init(
        _ server: DesktopServer, _ bus: PrivateBus, _ display: VirtualDisplay,
        _ process: RunningProgram, environment: [String: String], folder: String
    ) {
        self.server = server
        self.bus = bus
        self.display = display
        self.process = process
        self.environment = environment
        self.folder = folder
        pointer = Pointer(environment: environment)
        tree = AccessibilityTree(environment: environment)
    }

    /// Starts the server and returns when it owns its name.
    package static func start(_ server: DesktopServer) async throws -> RealServer {
        guard let executable = server.executable else { throw HarnessError(server.skipReason) }
        let display = try await VirtualDisplay.start()
        do {
            var services: [String: String] = [:]
            for name in server.services {
                services["\(name).service"] = try DesktopServer.serviceFile(name)
            }
            let bus = try PrivateBus(services: services)
            let folder = "\(bus.directory)/server"
            try write(server.files, to: folder)
            let environment = sessionEnvironment(bus: bus, display: display)
            let arguments = executable.arguments.map {
                $0.replacingOccurrences(of: "@", with: folder)
            }
            let process = try await launch(
                executable.path, arguments, environment: environment, bus: bus, display: display)
            return RealServer(
                server, bus, display, process, environment: environment, folder: folder)
        } catch {
            await display.stop()
            throw error
        }
    }

    /// Runs `body` with a server that is ended afterwards, whatever happens.
    package static func with<Result>(
        _ server: DesktopServer, _ body: (RealServer) async throws -> Result
    ) async throws -> Result {
        let running = try await start(server)
        do {
            let result = try await BusRecorder.recording(running.bus) {
                try await body(running)
            }
            await running.stop()
            return result
        } catch {
            // What the screen showed says more than the message.
            _ = try? await running.screenshot("failed-\(server.name)")
            await running.stop()
            throw error
        }
    }

    /// Ends the server, its display and its bus, and a daemon of ours that came to it.
    package func stop() async {
        await endDaemon()
        await process.stop()
        await display.stop()
        bus.stop()
    }

    /// Saves what the display shows and returns where.
    @discardableResult
    package func screenshot(_ name: String) async throws -> String {
        try await Screenshot.save(name, environment: environment)
    }

    /// A `tocsind` that an app started outlives the bus by minutes, waiting for its return.
    private func endDaemon() async {
        guard let connection = try? await BusConnection.open(on: bus, name: "end") else { return }
        let daemon = try? await connection.credentials(of: "org.tocsin.NotificationCenter1")
        if let pid = daemon?.pid { kill(Int32(pid), SIGTERM) }
        await connection.close()
    }

    private static func sessionEnvironment(
        bus: PrivateBus, display: VirtualDisplay
    ) -> [String: String] {
        var environment = bus.environment
        environment["DISPLAY"] = display.name
        environment["LANG"] = "C.UTF-8"
        // No dconf, no GPU: neither belongs to what is tested.
        environment["GSETTINGS_BACKEND"] = "memory"
        environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        environment["NO_AT_BRIDGE"] = nil
        environment["GTK_A11Y"] = nil
        return environment
    }

    private static func write(_ files: [String: String], to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            let path = "\(folder)/\(name)"
            try (text.replacingOccurrences(of: "@", with: folder) + "\n")
                .write(toFile: path, atomically: true, encoding: .utf8)
            if text.hasPrefix("#!") {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755], ofItemAtPath: path)
            }
        }
    }

    private static func launch(
        _ path: String, _ arguments: [String], environment: [String: String], bus: PrivateBus,
        display: VirtualDisplay
    ) async throws -> RunningProgram {
        let connection = try await BusConnection.open(on: bus, name: "server-watch")
        defer { Task { await connection.close() } }
        try await connection.updateActivationEnvironment(["DISPLAY": display.name])
        let owners = Recording<String>()
        let watch = try await connection.watchOwner(of: "org.freedesktop.Notifications") {
            if let owner = $0 { owners.append(owner.rawValue) }
        }
        defer { watch.cancel() }
        let process = try RunningProgram(path, arguments, environment: environment)
        let ending = Task {
            let status = try await process.exit(within: 60)
            owners.finish("\(path) ended with \(status) before it owned its name")
        }
        defer { ending.cancel() }
        do {
            try await owners.first("the owner of org.freedesktop.Notifications") { _ in true }
            return process
        } catch {
            await process.stop()
            let said = process.said
            throw HarnessError("\(path) did not become the notification server: \(error)\n\(said)")
        }
    }

    // MARK: What a person does

    /// Chooses the action with this label.
    package func choose(_ label: String, of summary: String) async throws {
        try await perform(server.action, label: label, summary: summary)
    }

    /// Chooses `default`, whose label is drawn by some servers.
    package func chooseDefault(labelled label: String, of summary: String) async throws {
        try await perform(server.defaultAction, label: label, summary: summary)
    }

    /// Dismisses the popup without choosing anything.
    package func dismiss(_ summary: String) async throws {
        try await perform(server.dismissal, label: summary, summary: summary)
    }

    /// Returns once the popup can be seen.
    package func waitUntilShown(_ summary: String) async throws {
        if case .window(let name, _) = server.dismissal {
            _ = try await pointer.window(ofClass: name)
        } else {
            _ = try await tree.waitUntilShown(.label, summary)
        }
    }

    private func perform(
        _ gesture: DesktopServer.Gesture, label: String, summary: String
    ) async throws {
        switch gesture {
        case .button:
            try await pointer.click(try await tree.waitUntilShown(.pushButton, label))
        case .text:
            try await pointer.click(try await tree.waitUntilShown(.label, summary))
        case .window(let name, let button):
            let corner = try await pointer.window(ofClass: name)
            try await pointer.click(corner.moved(x: 40, y: 20), button)
        case .menu(let name, let button):
            try label.write(toFile: "\(folder)/choice", atomically: true, encoding: .utf8)
            try await openMenu(of: name, button)
        }
    }

    /// Clicks until the server has opened its menu: a click during a redraw is lost on a person, too.
    private func openMenu(of name: String, _ button: Pointer.Button) async throws {
        let opened = "\(folder)/opened"
        try? FileManager.default.removeItem(atPath: opened)
        while true {
            let corner = try await pointer.window(ofClass: name)
            try await pointer.click(corner.moved(x: 40, y: 20), button)
            // Each look takes as long as the display needs to answer.
            for _ in 0..<100 {
                if FileManager.default.fileExists(atPath: opened) { return }
                try await pointer.look()
            }
        }
    }
}
