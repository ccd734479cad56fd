import DesktopIntegration
import NotificationModel
import TestSupport
import Testing

/// A change of GNOME's switches while gsettings fails.
@Suite(.timeLimit(.minutes(2))) struct GnomeSwitchTests {
    /// A gsettings whose next read of the keys for all apps fails if the file `fails` exists.
    private static let gsettings = """
        case "$1 $2" in
        "list-recursively org.gnome.desktop.notifications")
            /bin/rm "$FOLDER/fails" 2>/dev/null && exit 1
            echo "s application-children @as []";;
        "list-recursively org.gnome.desktop.notifications.application:"*)
            echo "s enable true"
            echo "s details-in-lock-screen true";;
        *) exit 1;;
        esac
        """

    /// If the change continued after the failed read, its next read would give the old value
    /// without an error.
    @Test func `if the keys cannot be read before a change, the change is an error`() async throws {
        let desktop = try await PlayedDesktop(programs: ["gsettings": Self.gsettings])
        try await BusRecorder.recording(desktop.bus) {
            await desktop.follow("gnome-shell")
            try desktop.write("", to: "fails")
            let error = await #expect(throws: NotificationError.self) {
                try await desktop.preferences.setDesktopSwitch(false, for: .tocsin)
            }
            #expect(error?.code == .protocolViolation)
            try desktop.write("", to: "fails")
            let texts = await #expect(throws: NotificationError.self) {
                try await desktop.preferences.show(textsWhileLocked: false, of: .tocsin)
            }
            #expect(texts?.code == .protocolViolation)
            #expect(await desktop.preferences.appSwitch(of: .tocsin)?.isOn == true)
        }
        await desktop.stop()
    }
}
