internal import DesktopBus
internal import Foundation

/// The desktop's portal with one of its backends, from Debian's packages.
///
/// The bus starts the portal and the backend when a program calls them.
package enum RealPortal: String {
    /// The desktop of the backend.
    case gtk, gnome, kde

    /// The services to install.
    ///
    /// GTK's backend is always among them. It does what a desktop's own backend does not, such as
    /// notifications on Plasma 6.3.
    private var services: Set<String> {
        [
            "org.freedesktop.portal.Desktop", "org.freedesktop.impl.portal.PermissionStore",
            "org.freedesktop.impl.portal.desktop.gtk",
            "org.freedesktop.impl.portal.desktop.\(rawValue)",
        ]
    }

    /// Whether the portal and its backend are installed.
    package var isInstalled: Bool {
        services.allSatisfy { (try? DesktopServer.serviceFile($0)) != nil }
    }

    /// The message of a skipped test.
    package var skipReason: String {
        "there is no portal: apt-get install xdg-desktop-portal xdg-desktop-portal-\(rawValue)"
    }

    /// Whether the portal can inspect images here; if it cannot, it leaves images out.
    ///
    /// It inspects images in a sandbox of bubblewrap, which a chroot and most containers do not
    /// allow.
    package static func canInspectImages() async -> Bool {
        let sandboxed = try? await RunningProgram.run(
            "bwrap", ["--unshare-pid", "--ro-bind", "/", "/", "true"])
        return sandboxed != nil
    }

    /// The message of a test that is skipped because `canInspectImages()` returns false.
    package static let blindnessReason =
        "bubblewrap can make no sandbox here, so the portal cannot inspect images"

    /// Installs the portal on a bus, before any program calls the portal.
    package func install(on bus: PrivateBus) async throws {
        for service in services {
            try DesktopServer.serviceFile(service).write(
                toFile: "\(bus.directory)/services/\(service).service", atomically: true,
                encoding: .utf8)
        }
        let connection = try await BusConnection.open(on: bus, name: "portal")
        try await connection.reloadConfiguration()
        // The portal chooses its backends by the desktop's name.
        if self != .gtk {
            try await connection.updateActivationEnvironment(
                ["XDG_CURRENT_DESKTOP": rawValue.uppercased()])
        }
        await connection.close()
    }

    /// The version of the portal's interface for notifications; nil if no portal runs on this bus.
    package static func version(on bus: PrivateBus) async throws -> UInt32? {
        let connection = try await BusConnection.open(on: bus, name: "portal")
        var version: UInt32?
        if let owner = try await connection.owner(of: "org.freedesktop.portal.Desktop") {
            let answer = try await connection.call(
                MethodCall(
                    destination: owner, path: "/org/freedesktop/portal/desktop",
                    interface: "org.freedesktop.DBus.Properties", member: "Get",
                    arguments: [
                        .string("org.freedesktop.portal.Notification"), .string("version"),
                    ]))
            version = answer.arguments.first?.unwrapped.uint32Value
        }
        await connection.close()
        return version
    }
}
