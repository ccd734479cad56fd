import DesktopIntegration
import Foundation
import NotificationModel
import TestSupport
import Testing

/// The files of Plasma's settings; Tocsin writes the user's file if Plasma's program is missing.
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

    @Test func `a relative folder of the system's settings is ignored`() async throws {
        let folder = NSTemporaryDirectory() + "plasma-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        let group = "[Applications][\(ApplicationID.tocsin)]\n"
        try (group + "ShowPopups=false\n").write(
            toFile: folder + "/plasmanotifyrc", atomically: true, encoding: .utf8)
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let relative = String(repeating: "../", count: depth) + String(folder.dropFirst())
        let desktop = try await PlayedDesktop(adding: ["XDG_CONFIG_DIRS": relative])
        try desktop.write(group + "ShowBadges=false\n", to: "system/plasmanotifyrc")
        try await BusRecorder.recording(desktop.bus) {
            await desktop.follow("Plasma")
            let value = await desktop.preferences.appSwitch(of: .tocsin)
            #expect(value?.isOn == true && value?.showsBadges == false)
        }
        await desktop.stop()
    }
}
