import DesktopBus
import DesktopIntegration
import Foundation
import NotificationModel
import Reactor
import TestSupport

/// A desktop that a test plays: programs, files and objects on a private bus.
final class PlayedDesktop: Sendable {
    let bus: PrivateBus
    let preferences: SystemPreferences
    /// The switch changes reported, in order: `app on`, `app off` or `app none`.
    let told = Recording<String>()
    private let connection: BusConnection
    private let own: BusConnection

    /// Makes a desktop; `programs` maps the name of each program to its shell script.
    ///
    /// The folder `system` comes after the folders of `XDG_CONFIG_DIRS` in `variables`.
    init(
        programs: [String: String] = [:], adding variables: [String: String] = [:]
    ) async throws {
        bus = try PrivateBus()
        let folder = bus.directory + "/bin"
        for (name, script) in programs {
            try await ShellScript.write(script, to: "\(folder)/\(name)")
        }
        var environment = bus.environment.merging(variables) { $1 }
        environment["PATH"] = folder
        environment["FOLDER"] = bus.directory
        let system = [variables["XDG_CONFIG_DIRS"], bus.directory + "/system"]
        environment["XDG_CONFIG_DIRS"] = system.compactMap(\.self).joined(separator: ":")
        let variables = environment
        connection = try await BusConnection.open(on: bus, name: "preferences")
        own = try await BusConnection.open(on: bus, name: "desktop")
        preferences = SystemPreferences(connection: connection) { variables }
    }

    /// Lets the preferences follow the desktop of this server.
    func follow(_ server: String, by vendor: String = "") async {
        let told = told
        await preferences.follow(server: server, by: vendor) { app, value in
            told.append("\(app) \(value.map { $0.isOn ? "on" : "off" } ?? "none")")
        }
    }

    /// Puts an object on the bus under this name.
    func offer(_ name: BusName, at path: ObjectPath, _ tables: InterfaceTable...) async throws {
        try await own.export(ExportedObject(interfaces: tables), at: path)
        try await own.requestName(name)
    }

    /// Sends a signal.
    func emit(
        _ member: MemberName, of interface: InterfaceName, at path: ObjectPath,
        _ arguments: [BusValue]
    ) async throws {
        try await own.emit(
            path: path, interface: interface, member: member, arguments: arguments)
    }

    /// Signals a change below this path as dconf does; a stranger does not own dconf's name.
    func signalChange(_ path: String, asStranger: Bool = false) async throws {
        if !asStranger { try await own.requestName("ca.desrt.dconf") }
        try await emit(
            "Notify", of: "ca.desrt.dconf.Writer", at: "/ca/desrt/dconf/Writer/user",
            [.string(path), .strings([""]), .string("tag")])
    }

    /// Writes a file in the desktop's folder.
    func write(_ text: String, to name: String) throws {
        let path = "\(bus.directory)/\(name)"
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
            withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    func text(_ name: String) -> String {
        (try? String(contentsOfFile: "\(bus.directory)/\(name)", encoding: .utf8)) ?? ""
    }

    func stop() async {
        await connection.close()
        await own.close()
        bus.stop()
    }
}
