import Foundation
import Freedesktop
import NotificationModel
import TestSupport
import Testing

/// The capabilities that a server's own configuration turns off.
@Suite struct ServerConfigurationTests {
    private let folder = NSTemporaryDirectory() + "swaync-" + UUID().uuidString

    private func write(_ text: String, to name: String) throws {
        let place = "\(folder)/\(name)/swaync"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        try text.write(toFile: place + "/config.json", atomically: true, encoding: .utf8)
    }

    private func takesReplies(_ name: String = "SwayNotificationCenter") -> Bool {
        let server = Samples.server(name, ["actions", "inline-reply"])
        let isOn = server.traits.configuration?.isOn(in: [
            "HOME": folder + "/home", "XDG_CONFIG_DIRS": "\(folder)/first:\(folder)/second",
        ])
        return server.configured(isOn ?? false).capabilities.contains("inline-reply")
    }

    @Test
    func `the user's file takes precedence over the system's, and a missing setting means off`()
        throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(!takesReplies())
        #expect(takesReplies("Plasma"))
        try write(#"{"notification-inline-replies": true}"#, to: "second")
        #expect(takesReplies())
        try write(#"{"positionX": "right"}"#, to: "first")
        #expect(!takesReplies())
        try write(#"{"widgets": [1], "notification-inline-replies": true}"#, to: "home/.config")
        #expect(takesReplies())
        try write("{", to: "home/.config")
        #expect(!takesReplies())
    }
}
