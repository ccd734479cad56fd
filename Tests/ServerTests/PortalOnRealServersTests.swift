import Foundation
import HostingSupport
import TestSupport
import Testing

/// An app that reaches the screen only through the real portal.
///
/// Its popup on a real server gets a real click, and its delegate gets the response.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(if: RealPortal.gtk.isInstalled, "\(RealPortal.gtk.skipReason)"))
struct PortalOnRealServersTests {
    private static let inside = "org.example.Inside"

    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a click on dunst reaches the delegate through the portal`() async throws {
        try await clickThrough(ServerCatalog.dunst)
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `a click on Xfce reaches the delegate through the portal`() async throws {
        try await clickThrough(ServerCatalog.xfce)
    }

    @Test(
        .enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"),
        .enabled("\(RealPortal.blindnessReason)") { await RealPortal.canInspectImages() })
    func `an attached image is in the popup of dunst`() async throws {
        try await image(on: ServerCatalog.dunst)
    }

    @Test(
        .enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"),
        .enabled("\(RealPortal.blindnessReason)") { await RealPortal.canInspectImages() })
    func `an attached image is in the popup of Xfce`() async throws {
        try await image(on: ServerCatalog.xfce)
    }

    private func image(on server: DesktopServer) async throws {
        try await withApp(server, title: "Pictured") { session, app in
            let image = try await session.screenshot("portal-picture-\(server.name)")
            #expect(try await TestImage.pixels(in: image) > 100)
            try await session.choose("Like", of: "Pictured")
            try await app.lines.first("the acknowledgement") { $0 == "acknowledged" }
        }
    }

    /// No variable names the portal: the root file system tells the app that it is in a Flatpak.
    @Test(
        .enabled(
            if: Jail.isPossible && ServerCatalog.dunst.isWanted,
            "\(Jail.skipReason); \(ServerCatalog.dunst.skipReason)"))
    func `an app in a Flatpak uses the portal without TOCSIN_PRESENTER`() async throws {
        try await withApp(ServerCatalog.dunst, title: "Inside", isInside: true) { session, app in
            #expect(try await RealPortal.version(on: session.bus) != nil)
            try await session.screenshot("portal-flatpak")
            try await session.choose("Like", of: "Inside")
            try await app.lines.first("the answer") { $0 == "response like it" }
        }
    }

    @Test(
        .enabled(if: ServerCatalog.gnome.isMeasured, "\(ServerCatalog.gnome.unmeasuredReason)"),
        .enabled(
            if: Jail.isPossible && RealPortal.gnome.isInstalled,
            "\(Jail.skipReason); \(RealPortal.gnome.skipReason)"))
    func `a click on GNOME Shell reaches an app in a Flatpak`() async throws {
        try await clickInside(ServerCatalog.gnome, .gnome)
    }

    @Test(
        .enabled(if: ServerCatalog.plasma.isMeasured, "\(ServerCatalog.plasma.unmeasuredReason)"),
        .enabled(
            if: Jail.isPossible && RealPortal.kde.isInstalled,
            "\(Jail.skipReason); \(RealPortal.kde.skipReason)"))
    func `a click on Plasma reaches an app in a Flatpak`() async throws {
        try await clickInside(ServerCatalog.plasma, .kde)
    }

    /// Uses the desktop's own portal backend, which requires the app's desktop file.
    private func clickInside(_ server: DesktopServer, _ portal: RealPortal) async throws {
        try await withApp(server, portal, title: "Inside", isInside: true) { session, app in
            #expect(try await RealPortal.version(on: session.bus) != nil)
            try await session.screenshot("portal-\(server.name)")
            try await session.choose("Like", of: "Inside")
            try await app.lines.first("the answer") { $0 == "response like it" }
        }
    }

    private func clickThrough(_ server: DesktopServer) async throws {
        try await withApp(server, title: "Portal") { session, app in
            #expect(try await RealPortal.version(on: session.bus) != nil)
            try await session.screenshot("portal-\(server.name)")
            try await session.choose("Like", of: "Portal")
            try await app.lines.first("the answer") { $0 == "response like it" }
            try await app.lines.first("the acknowledgement") { $0 == "acknowledged" }
        }
        // The label is empty: the GTK backend sends the default action without a label.
        guard server.name == ServerCatalog.dunst.name else { return }
        try await withApp(server, title: "Open") { session, app in
            try await session.chooseDefault(labelled: "", of: "Open")
            try await app.lines.first("the answer") {
                $0 == "response com.apple.UNNotificationDefaultActionIdentifier"
            }
        }
    }

    private func withApp(
        _ server: DesktopServer, _ portal: RealPortal = .gtk, title: String,
        isInside: Bool = false,
        _ body: (RealServer, RunningProgram) async throws -> Void
    ) async throws {
        try await RealServer.with(
            server,
            preparing: { bus in
                try await portal.install(on: bus)
                try bus.install(Self.inside, name: "Inside")
            }
        ) { session in
            let image = session.bus.directory + "/picture.png"
            try await TestImage.draw(image)
            var environment = session.bus.environment
            environment["TOCSIN_MODE"] = "embedded"
            environment["TOCSIN_PERMISSION"] = "allow"
            var words = [try HostedService.program("HostProbe"), "offer", title, image]
            if isInside {
                words =
                    try Jail.wrapper(
                        root: session.bus.directory + "/jail", app: Self.inside) + words
            } else {
                environment["TOCSIN_PRESENTER"] = "portal"
                environment["TOCSIN_APP_ID"] = "org.tocsin.Test"
            }
            let app = try RunningProgram(
                words[0], Array(words.dropFirst()), environment: environment)
            do {
                try await app.lines.first("the popup") { $0 == "shown" }
                try await session.waitUntilShown(title)
                try await body(session, app)
            } catch {
                await app.stop()
                throw HarnessError("\(error)\n\(app.said)")
            }
            await app.stop()
        }
    }
}
