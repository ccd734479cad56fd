import DesktopIntegration
import Foundation
import NotificationModel
import Testing

/// Dynamic quick actions in the user's desktop files.
struct QuickActionFileTests {
    private static let installed = """
        [Desktop Entry]
        Type=Application
        Name=Tea
        Exec=/usr/bin/tea

        """

    /// The data directories of the user and of the system, removed with this object.
    private final class Folders {
        let path = NSTemporaryDirectory() + "actions-" + UUID().uuidString
        let file: QuickActionFile

        init() throws {
            file = QuickActionFile(
                of: try ApplicationID("org.example.Tea"),
                dataDirectories: [path + "/user", path + "/system"])
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func path(_ folder: String) -> String {
            "\(path)/\(folder)/applications/org.example.Tea.desktop"
        }

        func write(_ text: String, in folder: String) throws {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(folder)/applications", withIntermediateDirectories: true)
            try text.write(toFile: path(folder), atomically: true, encoding: .utf8)
        }

        func text(_ folder: String) -> String? {
            FileManager.default.contents(atPath: path(folder)).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    private let actions = [QuickAction(kind: .dynamic, type: "brew", title: "Brew")]

    @Test func `the system's file is copied for the user, and the last action removes the copy`()
        throws
    {
        let folders = try Folders()
        try folders.write(Self.installed, in: "system")
        try folders.file.setDynamicActions(actions)
        let copy = try #require(folders.text("user"))
        #expect(copy.contains("Actions=brew;\n"))
        #expect(
            copy.contains(
                "Exec=env TOCSIN_APP_ID=org.example.Tea TOCSIN_QUICK_ACTION=brew /usr/bin/tea\n"))
        #expect(folders.text("system") == Self.installed)
        #expect(folders.file.actions().map(\.title) == ["Brew"])
        try folders.file.setDynamicActions([])
        #expect(folders.text("user") == nil)
    }

    /// An app whose package is removed never runs again, so it cannot remove the copy.
    @Test(
        arguments: [
            ("/usr/bin/tea", "TryExec=/usr/bin/tea"), ("env CUP=1 tea %u", "TryExec=tea"),
            ("\"/opt/My Tea/tea\"", "TryExec=/opt/My Tea/tea"),
            ("/usr/bin/tea\nTryExec=kettle", "TryExec=kettle"),
            ("env -i /usr/bin/tea", nil), ("./tea\nPath=/opt/tea", nil), ("\"", nil),
        ] as [(String, String?)])
    func `the copy names its program, so menus ignore the copy when the program is gone`(
        exec: String, line: String?
    ) throws {
        let folders = try Folders()
        try folders.write(
            Self.installed.replacingOccurrences(of: "/usr/bin/tea", with: exec), in: "system")
        try folders.file.setDynamicActions(actions)
        let lines = try #require(folders.text("user")).split(separator: "\n").map(String.init)
        #expect(lines.first { $0.hasPrefix("TryExec=") } == line)
    }

    @Test func `the copy is replaced or removed together with its original`() throws {
        let folders = try Folders()
        try folders.write(Self.installed, in: "system")
        try folders.file.setDynamicActions(actions)
        try folders.write(
            Self.installed.replacingOccurrences(of: "Name=Tea", with: "Name=Tea 2"), in: "system")
        #expect(folders.file.actions().map(\.title) == ["Brew"])
        #expect(folders.text("user")?.contains("Name=Tea 2\n") == true)
        try FileManager.default.removeItem(atPath: folders.path("system"))
        #expect(folders.file.actions().isEmpty)
        #expect(folders.text("user") == nil)
    }

    /// A cron job may run without the session's `XDG_DATA_DIRS`.
    @Test func `a copy is kept if its original lies outside of the known directories`() throws {
        let folders = try Folders()
        try folders.write(Self.installed, in: "system")
        try folders.file.setDynamicActions(actions)
        let other = QuickActionFile(
            of: try ApplicationID("org.example.Tea"), dataDirectories: [folders.path + "/user"])
        #expect(other.actions().map(\.title) == ["Brew"])
        #expect(folders.text("user") != nil)
        // New actions for such a copy are an error, and the copy stays.
        let copy = folders.text("user")
        let error = #expect(throws: NotificationError.self) {
            try other.setDynamicActions(actions + actions)
        }
        #expect(error?.code == .noSettings)
        #expect(error?.message.contains(folders.path("system").quotedForMessage()) == true)
        #expect(folders.text("user") == copy)
        try other.setDynamicActions([])
        #expect(folders.text("user") == nil)
    }

    @Test func `new actions for an uninstalled app remove the copy and are an error`()
        throws
    {
        let folders = try Folders()
        try folders.write(Self.installed, in: "system")
        try folders.file.setDynamicActions(actions)
        try FileManager.default.removeItem(atPath: folders.path("system"))
        let error = #expect(throws: NotificationError.self) {
            try folders.file.setDynamicActions(actions)
        }
        #expect(error?.code == .noSettings)
        #expect(error?.message.contains("the app is no longer installed") == true)
        #expect(folders.text("user") == nil)
    }

    @Test func `a file that Tocsin registered is changed in place`() throws {
        let folders = try Folders()
        let registered = Self.installed + "X-Tocsin-Registered=true\n"
        try folders.write(registered, in: "user")
        try folders.file.setDynamicActions(actions)
        #expect(folders.file.actions().map(\.title) == ["Brew"])
        try folders.file.setDynamicActions([])
        #expect(folders.text("user") == registered)
    }

    @Test func `the user's own file is not changed, and the error names it`() throws {
        let folders = try Folders()
        try folders.write(Self.installed, in: "user")
        let error = #expect(throws: NotificationError.self) {
            try folders.file.setDynamicActions(actions)
        }
        #expect(error?.message.contains("was written by another program") == true)
        #expect(folders.text("user") == Self.installed)
    }

    /// If a copy of the system's file replaced the user's file, the user's file would be lost.
    @Test func `an unreadable file of the user is not changed, and the error names it`()
        throws
    {
        let folders = try Folders()
        try folders.write(Self.installed, in: "system")
        // A link to the null device hides an app from the menus.
        try folders.write("", in: "user")
        let own = folders.path("user")
        try FileManager.default.removeItem(atPath: own)
        try FileManager.default.createSymbolicLink(atPath: own, withDestinationPath: "/dev/null")
        for wanted in [actions, []] {
            let error = #expect(throws: NotificationError.self) {
                try folders.file.setDynamicActions(wanted)
            }
            #expect(error?.message.contains("cannot be read or is too large") == true)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: own) == "/dev/null")
        }
        let large = Self.installed + String(repeating: "#", count: 2_000_000)
        try FileManager.default.removeItem(atPath: own)
        try folders.write(large, in: "user")
        #expect(throws: NotificationError.self) { try folders.file.setDynamicActions(actions) }
        #expect(folders.text("user") == large)
    }

    @Test func `an app without a desktop file, or in a sandbox, has no actions`() throws {
        let folders = try Folders()
        #expect(throws: NotificationError.self) { try folders.file.setDynamicActions(actions) }
        try folders.write(Self.installed + "X-Flatpak=org.example.Tea\n", in: "system")
        #expect(throws: NotificationError.self) { try folders.file.setDynamicActions(actions) }
        #expect(!folders.file.isInstalled)
        #expect(folders.text("user") == nil)
    }

    @Test func `a file that would be too large is not written`() throws {
        let folders = try Folders()
        try folders.write(Self.installed, in: "system")
        var large = actions
        large[0].subtitle = String(repeating: "x", count: 2_000_000)
        let error = #expect(throws: NotificationError.self) {
            try folders.file.setDynamicActions(large)
        }
        #expect(error?.code == .limitReached)
        #expect(folders.text("user") == nil)
    }
}
