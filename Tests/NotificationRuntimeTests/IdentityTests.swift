import Foundation
import Glibc
import NotificationEngine
import NotificationModel
import NotificationRuntime
import NotificationStore
import Testing

/// The app identity that a program finds for itself.
@Suite struct IdentityTests {
    private static func configuration(
        _ program: String = "/opt/bin/Tea", _ environment: [String: String] = [:]
    ) -> Configuration {
        Configuration(
            environment: environment, executable: program, directory: "/", userID: 1,
            machineID: "m")
    }

    @Test func `a program without an id gets an id from its file name`() throws {
        let identity = Self.configuration().identity()
        #expect(identity.id.rawValue == "dev.Tea")
        #expect(identity.formerID == nil)
        #expect(Self.configuration("").identity().id.rawValue == "dev.app")
    }

    @Test func `a valid TOCSIN_APP_ID is the id unless the code sets another id`() throws {
        let variables = ["TOCSIN_APP_ID": "org.example.Tea"]
        let identity = Self.configuration("/opt/bin/Tea", variables).identity()
        #expect(identity.id.rawValue == "org.example.Tea")
        #expect(identity.formerID?.rawValue == "dev.Tea")
        let chosen = try ApplicationID("org.example.Chosen")
        #expect(
            Self.configuration("/opt/bin/Tea", variables).identity(settingID: chosen).id == chosen)
        let broken = ["TOCSIN_APP_ID": "../a"]
        #expect(Self.configuration("/opt/bin/Tea", broken).identity().id.rawValue == "dev.Tea")
    }

    @Test func `a program name that is no valid id becomes a valid id`() throws {
        let odd = Self.configuration("/opt/a\u{1B}[31m\nb").identity()
        #expect(odd.id.rawValue == "dev.a-[31m-b")
        let long = Self.configuration("/opt/" + String(repeating: "ü", count: 127)).identity()
        #expect(long.id.rawValue == "dev." + String(repeating: "ü", count: 125))
        #expect(long.id.rawValue.utf8.count == 254)
        #expect(long.cleaned.name.unicodeScalars.count == 127)
        #expect(odd.cleaned.name == "a [31m b")
    }

    /// The id becomes part of log lines, and some terminals obey U+009B as they obey ESC and `[`.
    @Test(arguments: ["", ".a", "a/b", "a\nb", "a\u{7F}", "a\u{85}b", "a\u{9B}31m"])
    func `an id with a slash, a leading dot or a control character is refused`(text: String) {
        #expect(throws: NotificationError.self) { _ = try ApplicationID(text) }
    }

    @Test func `an icon with control characters is ignored`() throws {
        var identity = ApplicationIdentity(id: .tocsin, name: "a", icon: "bell")
        #expect(identity.cleaned == identity)
        identity.icon = "bell\n"
        #expect(identity.cleaned.icon == "")
        identity.name = String(repeating: "x", count: 1_000)
        #expect(identity.cleaned.name.count == Limits.name.most)
    }

    @Test func `only a program inside the snap's folder has the snap's id`() throws {
        let variables = ["SNAP": "/snap/tea/1", "SNAP_NAME": "tea", "SNAP_INSTANCE_NAME": "tea_x"]
        var own = Self.configuration("/snap/tea/1/bin/run", variables)
        #expect(own.identity().id.rawValue == "tea_x_run")
        own.controlGroups =
            "0::/user.slice/snap.tea_x.timer-01234567-89ab-cdef-0123-456789abcdef.scope\n"
        #expect(own.identity().id.rawValue == "tea_x_timer")
        #expect(Self.configuration("/opt/bin/Tea", variables).identity().id.rawValue == "dev.Tea")
    }

    /// A read of a pipe named `Info.plist` beside a program would block the program's start.
    @Test func `an Info plist that is a pipe or too large is not read`() throws {
        let folder = NSTemporaryDirectory() + "identity-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/Info.plist"
        let texts = ["TOCSINPushServerKey": "key"]
        let plist = try PropertyListSerialization.data(
            fromPropertyList: texts, format: .xml, options: 0)
        try plist.write(to: URL(fileURLWithPath: path))
        #expect(Self.configuration(folder + "/Tea").pushServerKey == "key")
        let padding = Data(repeating: UInt8(ascii: "\n"), count: Limits.configurationFile.most)
        try (plist + padding).write(to: URL(fileURLWithPath: path))
        // A failure ends the test here, because a read of the pipe below would block.
        try #require(Self.configuration(folder + "/Tea").pushServerKey == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(Self.configuration(folder + "/Tea").pushServerKey == nil)
    }

    @Test func `every app id has a separate store with a valid file name`() throws {
        let configuration = Self.configuration("/opt/Tea", ["HOME": "/home/a"])
        func name(_ id: String) throws -> Substring {
            let layout = configuration.embeddedLayout(of: try ApplicationID(id))
            let parts = layout.directory.split(separator: "/")
            #expect(parts.dropLast().last == "apps")
            return parts.last ?? ""
        }
        #expect(try name("org.example.Tea") == "org.example.Tea")
        #expect(try name("a b~") == "a%20b%7E")
        let plain = String(repeating: "a", count: 255)
        #expect(try name(plain) == plain[...])
        let long = try [
            String(repeating: "ü", count: 127), String(repeating: "ü", count: 126) + "ä",
        ]
        .map(name)
        #expect(long.allSatisfy { $0.utf8.count <= 255 && $0.contains("~") })
        #expect(Set(long).count == 2)
    }
}
