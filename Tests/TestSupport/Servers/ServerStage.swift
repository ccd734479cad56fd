internal import DesktopBus
internal import Foundation

/// The surroundings of a server: its screen, and the other parts of its session.
final class ServerStage: Sendable {
    let screen: any Screen
    /// The environment variables of the server and its clients.
    let environment: [String: String]
    private let systemBus: PrivateBus?
    private let windowManager: RunningProgram?

    private init(
        screen: any Screen, environment: [String: String], systemBus: PrivateBus?,
        windowManager: RunningProgram?
    ) {
        self.screen = screen
        self.environment = environment
        self.systemBus = systemBus
        self.windowManager = windowManager
    }

    static func start(for server: DesktopServer, on bus: PrivateBus) async throws -> ServerStage {
        let systemBus = server.session.hasSystemBus ? try PrivateBus() : nil
        let screen = try await screen(of: server, on: bus, systemBus)
        do {
            let environment = environment(server, bus, screen, systemBus)
            let windowManager = try await startWindowManager(server, environment)
            return ServerStage(
                screen: screen, environment: environment, systemBus: systemBus,
                windowManager: windowManager)
        } catch {
            await screen.stop()
            throw error
        }
    }

    private static func screen(
        of server: DesktopServer, on bus: PrivateBus, _ systemBus: PrivateBus?
    ) async throws -> any Screen {
        switch server.session.display {
        case .x11: return try await VirtualDisplay.start()
        case .sway: return try await SwaySession.start()
        case .shell: return ShellSession(on: bus)
        case .kwin:
            var variables = server.session.variables
            variables["DBUS_SYSTEM_BUS_ADDRESS"] = systemBus?.address.rawValue
            return try await KWinSession.start(on: bus, variables: variables)
        }
    }

    func stop() async {
        await windowManager?.stop()
        await screen.stop()
        systemBus?.stop()
    }

    private static func environment(
        _ server: DesktopServer, _ bus: PrivateBus, _ screen: any Screen, _ systemBus: PrivateBus?
    ) -> [String: String] {
        var environment = bus.environment
        environment["LANG"] = "C.UTF-8"
        // Use no GPU, and dconf only for the servers that set it in their variables.
        environment["GSETTINGS_BACKEND"] = "memory"
        environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        environment["NO_AT_BRIDGE"] = nil
        environment["GTK_A11Y"] = nil
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = systemBus?.address.rawValue
        environment.merge(screen.variables) { $1 }
        environment.merge(server.session.variables) { $1 }
        return environment
    }

    private static func startWindowManager(
        _ server: DesktopServer, _ environment: [String: String]
    ) async throws -> RunningProgram? {
        guard let name = server.session.windowManager.first else { return nil }
        let program = try RunningProgram(
            name, Array(server.session.windowManager.dropFirst()), environment: environment)
        do {
            // `xprop -spy` lists the properties before it subscribes, so it may miss a change.
            try await polled("the window manager \(name)", because: "xprop may miss its event") {
                let text = try await RunningProgram.run(
                    "xprop", ["-root", "_NET_SUPPORTING_WM_CHECK"], environment: environment)
                return text.contains("window id") ? () : nil
            }
            return program
        } catch {
            await program.stop()
            throw error
        }
    }
}
