import DesktopIntegration
import Foundation
import NotificationModel
import TestSupport
import Testing

/// The user's file of Plasma's settings, which is written by hand where Plasma's program is
/// missing.
@Suite(.timeLimit(.minutes(2))) struct PlasmaFileTests {
    @Test func `a link to Plasma's file stays a link`() async throws {
        let desktop = try await PlayedDesktop()
        let home = desktop.bus.directory + "/home"
        try desktop.write("[A]\nB=c\n", to: "home/dotfiles/plasmanotifyrc")
        try desktop.write("", to: "home/.config/other")
        let link = home + "/.config/plasmanotifyrc"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: home + "/dotfiles/plasmanotifyrc")
        try await BusRecorder.recording(desktop.bus) {
            await desktop.follow("Plasma")
            _ = try await desktop.preferences.setDesktopSwitch(false, for: .tocsin)
        }
        await desktop.stop()
        #expect(desktop.text("home/dotfiles/plasmanotifyrc").contains("ShowPopups=false"))
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: link)
                == home + "/dotfiles/plasmanotifyrc")
    }
}
