internal import DesktopBus
internal import Foundation

/// The desktop's portal with its backend for GTK, as packaged: the bus starts both when they are
/// called.
package enum RealPortal {
    /// What to install.
    private static let packages = ["xdg-desktop-portal", "xdg-desktop-portal-gtk"]
    private static let services = [
        "org.freedesktop.portal.Desktop", "org.freedesktop.impl.portal.PermissionStore",
        "org.freedesktop.impl.portal.desktop.gtk",
    ]

    /// Whether it is installed.
    package static var isInstalled: Bool {
        services.allSatisfy { (try? DesktopServer.serviceFile($0)) != nil }
    }

    /// What a skipped test says.
    package static let skipReason =
        "there is no portal: apt-get install \(packages.joined(separator: " "))"

    /// Whether it can look at a picture here, without which it leaves the picture out.
    ///
    /// It does so in a sandbox of bubblewrap, for which a chroot and most containers give no room.
    package static func canLookAtPictures() async -> Bool {
        let sandboxed = try? await RunningProgram.run(
            "bwrap", ["--unshare-pid", "--ro-bind", "/", "/", "true"])
        return sandboxed != nil
    }

    /// What a test skipped for that says.
    package static let blindnessReason =
        "bubblewrap can make no sandbox here, in which the portal would look at the picture"

    /// Puts it on a bus before anything asks for it.
    package static func install(on bus: PrivateBus) async throws {
        for service in services {
            try DesktopServer.serviceFile(service).write(
                toFile: "\(bus.directory)/services/\(service).service", atomically: true,
                encoding: .utf8)
        }
        let connection = try await BusConnection.open(on: bus, name: "portal")
        try await connection.reloadConfiguration()
        await connection.close()
    }

    /// Whether it runs on this bus.
    package static func isRunning(on bus: PrivateBus) async throws -> Bool {
        let connection = try await BusConnection.open(on: bus, name: "portal")
        let owner = try await connection.owner(of: "org.freedesktop.portal.Desktop")
        await connection.close()
        return owner != nil
    }
}
