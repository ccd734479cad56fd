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
    func `a desktop entry's program is found as it is started`(exec: String, path: String?) {
        var entry = LaunchEntry(id: "a")
        entry.exec = exec
        let search = ProgramSearch(environment: ["PATH": "/bin"])
        #expect(entry.program(in: search) == path)
    }

    /// The program of an AppImage once had no desktop file: the entry starts the AppImage.
    @Test(arguments: [("/usr", true), ("/bin/true", false), ("/no/such/mount", false)])
    func `an entry that starts an AppImage starts the program in its mount`(
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

    @Test func `an entry without a program starts nothing`() {
        #expect(LaunchEntry(id: "a").program(in: ProgramSearch(environment: [:])) == nil)
        let entry = DesktopEntry.entry(
            "org.tocsin.none.such", starts: "/bin/sh", environment: [:])
        #expect(!entry)
    }
}
