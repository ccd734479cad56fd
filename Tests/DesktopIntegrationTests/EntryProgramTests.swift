import Foundation
import TestSupport
import Testing

@testable import DesktopIntegration

/// The program that a desktop file starts.
@Suite struct EntryProgramTests {
    @Test(arguments: [
        ("sh", "/bin/sh"), ("/bin/sh %U", "/bin/sh"), ("\"/bin/sh\" -c 'a b'", "/bin/sh"),
        ("env A=b sh -c x", "/bin/sh"), ("/usr/bin/env TOCSIN_APP_ID=a /bin/sh", "/bin/sh"),
        ("env", nil), ("no-such-program-here", nil), ("sh 'open", nil), ("relative/sh", nil),
    ])
    func `the program of a desktop entry comes from its Exec key`(exec: String, path: String?) {
        var entry = LaunchEntry(id: "a")
        entry.exec = exec
        let search = ProgramSearch(environment: ["PATH": "/bin"])
        #expect(entry.program(in: search) == path)
    }

    /// The entry names the AppImage, and not the program that runs from the AppImage's mount.
    @Test(arguments: [("/usr", true), ("/bin/true", false), ("/no/such/mount", false)])
    func `an entry that starts an AppImage also starts the program in the AppImage's mount`(
        mount: String, starts: Bool
    ) {
        var entry = LaunchEntry(id: "a")
        entry.exec = "env DESKTOPINTEGRATION=1 /bin/true %U"
        let environment = ["PATH": "/bin", "APPIMAGE": "/bin/true", "APPDIR": mount]
        #expect(entry.starts("/usr/lib/no-such-app", environment: environment) == starts)
        #expect(entry.starts("/bin/true", environment: environment))
        entry.exec = "/bin/sh"
        #expect(!entry.starts("/usr/lib/no-such-app", environment: environment))
    }

    /// A setuid app must not run a `gsettings` that its caller has put into `PATH`.
    @Test func `a process with special rights finds no program in its user's PATH`() throws {
        let folder = NSTemporaryDirectory() + "search-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = folder + "/tocsin-no-such-program"
        #expect(
            FileManager.default.createFile(
                atPath: program, contents: Data(), attributes: [.posixPermissions: 0o700]))
        let environment = ["PATH": folder]
        let search = ProgramSearch(environment: environment, hasSpecialRights: true)
        #expect(search.path(of: "tocsin-no-such-program") == nil)
        #expect(search.path(of: "sh") != nil)
        let plain = ProgramSearch(environment: environment, hasSpecialRights: false)
        #expect(plain.path(of: "tocsin-no-such-program") == program)
        #expect(plain.path(of: "sh") == nil)
    }

    @Test func `an entry without a program starts nothing`() {
        #expect(LaunchEntry(id: "a").program(in: ProgramSearch(environment: [:])) == nil)
        let entry = DesktopEntry.entry(
            "org.tocsin.none.such", starts: "/bin/sh", environment: [:])
        #expect(!entry)
    }
}
