import Foundation
import TestSupport
import Testing

@testable import DesktopIntegration

/// The origin of desktop files: only files of the host may run their commands on the host.
@Suite final class EntryOriginTests {
    private let root: String

    init() throws {
        root =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/tocsin-origin-\(UUID().uuidString)"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private func make(_ path: String) throws -> String {
        let path = "\(root)/\(path)"
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("[Desktop Entry]\n".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func link(_ path: String, to target: String) throws -> String {
        let path = "\(root)/\(path)"
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        return path
    }

    private static let exports = [
        "var/lib/flatpak/exports/share/applications/a.desktop",
        "home/anna/.local/share/flatpak/exports/share/applications/a.desktop",
        "custom/exports/share/applications/a.desktop",
        "custom/app/a/x86_64/stable/0123/export/share/applications/a.desktop",
        "var/lib/snapd/desktop/applications/a.desktop",
        "home/anna/.var/app/a/data/applications/a.desktop",
        "home/anna/.local/share/xdg-desktop-portal/applications/a.desktop",
    ]

    private static let hosts = [
        "usr/share/applications/a.desktop", "home/anna/.local/share/applications/a.desktop",
        "opt/flatpak-tools/applications/a.desktop", "home/anna/exports/share/a.desktop",
        "srv/export/applications/a.desktop", "usr/share/snapd/applications/a.desktop",
    ]

    @Test(arguments: exports) func `a file below a sandbox's exports belongs to the sandbox`(
        path: String
    ) throws {
        #expect(EntryOrigin(file: try make(path), isMarked: false) == .sandbox)
    }

    @Test(arguments: hosts) func `a file elsewhere belongs to the host if it has no sandbox's key`(
        path: String
    ) throws {
        let file = try make(path)
        #expect(EntryOrigin(file: file, isMarked: false) == .host)
        #expect(EntryOrigin(file: file, isMarked: true) == .sandbox)
    }

    @Test(arguments: exports) func `a link that leads to an export belongs to the sandbox`(
        path: String
    ) throws {
        let file = try make(path)
        let direct = try link("user/applications/direct.desktop", to: file)
        #expect(EntryOrigin(file: direct, isMarked: false) == .sandbox)
        let chain = try link("user/applications/chain.desktop", to: "direct.desktop")
        #expect(EntryOrigin(file: chain, isMarked: false) == .sandbox)
        let folder = try link(
            "user/folder", to: (file as NSString).deletingLastPathComponent)
        #expect(EntryOrigin(file: folder + "/a.desktop", isMarked: false) == .sandbox)
    }

    @Test func `an export that links to a file of the host still belongs to the sandbox`()
        throws
    {
        let target = try make("elsewhere/a.desktop")
        let export = try link("x/exports/share/applications/a.desktop", to: target)
        let own = try link("user/applications/a.desktop", to: export)
        #expect(EntryOrigin(file: export, isMarked: false) == .sandbox)
        #expect(EntryOrigin(file: own, isMarked: false) == .sandbox)
        let relative = try link("y/applications/a.desktop", to: "../../elsewhere/a.desktop")
        #expect(EntryOrigin(file: relative, isMarked: false) == .host)
    }

    @Test func `a file whose path cannot be followed belongs to the sandbox`() throws {
        for file in ["", "relative.desktop", root + "/missing.desktop"] {
            #expect(EntryOrigin(file: file, isMarked: false) == .sandbox)
        }
        let loop = try link("loop/a.desktop", to: "a.desktop")
        #expect(EntryOrigin(file: loop, isMarked: false) == .sandbox)
    }

    @Test(arguments: [
        ("/usr/bin/flatpak run --branch=stable --command=a org.a @@u %U @@", true),
        ("flatpak run org.a", true), ("/snap/bin/a %U", true), ("snap run a", true),
        (
            "env BAMF_DESKTOP_FILE_HINT=/var/lib/snapd/desktop/applications/a.desktop "
                + "/snap/bin/a.b %U", true
        ),
        ("/bin/sh -c 'flatpak run org.a'", false), ("flatpak-spawn --host sh", false),
        ("env LD_PRELOAD=/tmp/x.so /snap/bin/a", false), ("/snap/bin/../../bin/sh", false),
        ("/opt/a/flatpak run a", false), ("flatpak", false), ("", false),
        ("flatpak run --filesystem=host --command=sh org.a", false),
        ("/usr/bin/flatpak install x", false), ("'/usr/bin/flatpak run", false),
        // A field code can vanish, or become an option of Flatpak.
        ("flatpak run %f --filesystem=host --command=sh org.a", false),
        ("flatpak run %d--filesystem=host org.a", false), ("flatpak run %c org.a", false),
        ("flatpak run --command=a %u org.a --filesystem=host", true),
    ])
    func `only a command that enters the sandbox starts an exported app`(
        line: String, enters: Bool
    ) {
        var entry = LaunchEntry(id: "org.a")
        entry.name = "--filesystem=host"
        entry.exec = line
        #expect(ExecKey.entersSandbox(entry) == enters)
    }

    /// Foundation cuts off the target of a link after 1,026 bytes.
    @Test func `a link with a long target is followed to its end`() throws {
        let file = try make("usr/share/applications/b.desktop")
        let export = try link("custom/exports/share/applications/b.desktop", to: file)
        let slashes = String(repeating: "/", count: 2_000)
        let own = try link("home/anna/.local/share/applications/b.desktop", to: slashes + export)
        #expect(EntryOrigin(file: own, isMarked: false) == .sandbox)
    }
}
