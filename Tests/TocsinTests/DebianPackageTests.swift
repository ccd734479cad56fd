import Foundation
import TestSupport
import Testing

/// The files that `make deb` packs; `make test-deb` installs them.
@Suite(
    .enabled(if: RunningProgram.path(of: "dpkg-deb") != nil, "dpkg-deb is not installed"),
    .timeLimit(.minutes(5)))
struct DebianPackageTests {
    private static let programs = [
        "usr/bin/tocsin", "usr/bin/tocsind", "usr/libexec/tocsin-media", "usr/libexec/tocsin-push",
    ]

    /// Packs files in place of the programs and unpacks them again.
    private static func unpacked(
        adding variables: String...,
        body: (_ package: String, _ files: String) async throws -> Void
    ) async throws {
        try await InstallationTests.withFolder { directory in
            let programs = try InstallationTests.standIns(in: directory)
            let package = try await RunningProgram.run(
                "make",
                [
                    "-s", "-C", KeptText.root, "pack-deb", "RELEASE_BIN=\(programs)",
                    "DEB_OUTPUT=\(directory)/out", "GENERATOR=\(ProgramTests.products)/tocsin",
                ] + variables, within: InstallationTests.timeout)
            let files = "\(directory)/files"
            try await RunningProgram.run("dpkg-deb", ["--raw-extract", package, files])
            try await body(package, files)
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `the package lists the checksums of its files, except the settings`() async throws {
        try await Self.unpacked { _, files in
            let listed = try Self.text("\(files)/DEBIAN/md5sums").split(separator: "\n")
                .map { String($0.split(separator: " ", maxSplits: 1)[1].drop { $0 == " " }) }
            var isFolder: ObjCBool = false
            let present = try FileManager.default.subpathsOfDirectory(atPath: files).filter {
                FileManager.default.fileExists(atPath: "\(files)/\($0)", isDirectory: &isFolder)
                    && !isFolder.boolValue && !$0.hasPrefix("DEBIAN/")
            }
            let settings = try Self.text("\(files)/DEBIAN/conffiles").split(separator: "\n")
            #expect(settings == ["/etc/xdg/autostart/tocsind-autostart.desktop"])
            #expect(
                Set(present) == Set(listed).union(settings.map { String($0.dropFirst()) }))
            #expect(Self.programs.allSatisfy(listed.contains))
            try await RunningProgram.run(
                "sh", ["-c", "cd \"$1\" && md5sum --check --quiet DEBIAN/md5sums", "sh", files])
        }
    }

    @Test func `every file belongs to root, and no other user may write it`() async throws {
        try await Self.unpacked { package, _ in
            let list = try await RunningProgram.run("dpkg-deb", ["--contents", package])
                .split(separator: "\n").map { $0.split(separator: " ") }
            #expect(list.allSatisfy { $0[1] == "root/root" })
            #expect(Set(list.map { $0[0] }) == ["drwxr-xr-x", "-rwxr-xr-x", "-rw-r--r--"])
            let executables = list.filter { $0[0] == "-rwxr-xr-x" }.map { $0[5].dropFirst(2) }
            #expect(executables.map(String.init).sorted() == Self.programs)
        }
    }

    @Test func `the packed files start the packed daemon and lie in the folders of Debian`()
        async throws
    {
        try await Self.unpacked { _, files in
            for file in [
                "usr/lib/systemd/user/tocsind.service",
                "etc/xdg/autostart/tocsind-autostart.desktop",
                "usr/share/dbus-1/services/org.tocsin.NotificationCenter1.service",
            ] {
                let text = try Self.text("\(files)/\(file)")
                #expect(text.contains("=/usr/bin/tocsind\n"), "\(file)")
            }
            #expect(!FileManager.default.fileExists(atPath: "\(files)/usr/share/systemd"))
        }
    }

    @Test func `the maintainer scripts succeed and print nothing if their tools are missing`()
        async throws
    {
        try await Self.unpacked { _, files in
            for (script, arguments) in [
                ("postinst", ["configure"]), ("postinst", ["configure", "0.1"]),
                ("prerm", ["remove"]), ("prerm", ["upgrade", "2"]), ("postrm", ["remove"]),
                ("postrm", ["purge"]), ("postrm", ["upgrade", "2"]),
            ] {
                let run = try RunningProgram(
                    "/bin/sh", ["-eu", "\(files)/DEBIAN/\(script)"] + arguments + [""],
                    environment: ["PATH": "/nonexistent"])
                #expect(try await run.exit() == 0, "\(script) \(arguments): \(run.said)")
                #expect(try await run.allSaid().isEmpty, "\(script)")
            }
        }
    }

    /// A removal must delete the service file before it ends the daemon.
    ///
    /// With this file, the bus would start a new daemon for a listening app.
    @Test
    func `a removal ends every daemon after the files are gone, and an upgrade ends no daemon`()
        async throws
    {
        try await Self.unpacked { _, files in
            let daemon = try RunningProgram("sleep", ["600"])
            let (tools, asked) = ("\(files)/tools", "\(files)/asked")
            // This `readlink` reports a removed program only for the process of `daemon`.
            let link = "/proc/\(daemon.processIdentifier)/exe"
            try await ShellScript.write(
                """
                [ "$1" = \(link) ] || exit 0
                echo "$1" >>'\(asked)'
                echo '/usr/bin/tocsind (deleted)'
                """, to: "\(tools)/readlink")
            for (script, argument) in [
                ("prerm", "upgrade"), ("postrm", "upgrade"), ("prerm", "remove"),
                ("postrm", "purge"),
            ] {
                let run = try RunningProgram(
                    "/bin/sh", ["-eu", "\(files)/DEBIAN/\(script)", argument, ""],
                    environment: ["PATH": tools])
                #expect(try await run.exit() == 0)
                #expect(try await run.allSaid().isEmpty, "\(run.said)")
            }
            #expect(
                !FileManager.default.fileExists(atPath: asked),
                "only `postrm remove` (below) looks for daemons to end")
            let run = try RunningProgram(
                "/bin/sh", ["-eu", "\(files)/DEBIAN/postrm", "remove"],
                environment: ["PATH": tools])
            #expect(try await run.exit() == 0)
            #expect(try await run.allSaid().isEmpty, "\(run.said)")
            #expect(try await daemon.exit() == -SIGTERM)
        }
    }

    @Test func `the same sources give the same package`() async throws {
        var packages: [Data?] = []
        for _ in 0..<2 {
            try await Self.unpacked { package, _ in
                packages.append(FileManager.default.contents(atPath: package))
            }
        }
        #expect(packages[0] != nil && packages[0] == packages[1])
    }

    @Test func `the manual names each command of the tool`() async throws {
        let help = try await ProgramTests.run("tocsin", ["--help"], environment: [:]).output
        let groups = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().joined(
            separator: "\n")
        let commands = groups.split(separator: "\n")
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { $0.split(whereSeparator: { " ,".contains($0) }).first }
            .filter { $0 != "See" }
        #expect(commands.count >= 12)
        try await InstallationTests.documented { directory in
            let folder = "\(directory)/usr/share/man/man1"
            let page = try Self.text("\(folder)/tocsin.1")
            let named = page.split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }
                .map { $0.dropFirst(7) }
            #expect(named == commands)
            let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
            let expected = commands.map { "tocsin-\($0).1" } + ["tocsin.1", "tocsind.1"]
            #expect(pages.sorted() == expected.sorted())
        }
    }

    @Test func `the package has the version and the maintainer that make was given`() async throws {
        try await Self.unpacked(
            adding: "DEB_VERSION=9.1~rc1", "DEB_MAINTAINER=Anna Ä <anna@example.org>"
        ) { package, _ in
            #expect(package.contains("/tocsin_9.1~rc1_"))
            let fields = try await RunningProgram.run(
                "dpkg-deb",
                ["--show", "--showformat", "${Version}|${Maintainer}|${Section}", package])
            #expect(fields == "9.1~rc1|Anna Ä <anna@example.org>|utils")
            let depends = try await RunningProgram.run("dpkg-deb", ["-f", package, "Depends"])
            #expect(depends.contains("libc6"))
        }
    }

    /// The programs contain these packages, so the Debian package must have their licences.
    @Test func `the copyright file names every package that the build depends on`() throws {
        let manifest = try Self.text("\(KeptText.root)/Package.swift")
        let copyright = try Self.text("\(KeptText.root)/dbus/debian/copyright")
        // The documentation plugin is no part of a program.
        let names = manifest.matches(of: /\.package\(url: "https:\S*\/([^\/"]+)"/).map { $0.1 }
            .filter { $0 != "swift-docc-plugin" }
        #expect(names.count >= 4)
        for name in names { #expect(copyright.contains("\n \(name)"), "\(name)") }
    }

    @Test func `without DEB_VERSION, the package has the version of the programs`() async throws {
        try await Self.unpacked { package, _ in
            let version = try await RunningProgram.run("dpkg-deb", ["-f", package, "Version"])
            #expect(version.split(separator: ".").count == 3)
            for program in ["tocsin", "tocsind", "tocsin-media", "tocsin-push"] {
                let run = try await ProgramTests.run(program, ["--version"], environment: [:])
                #expect(run.output == version, "\(program)")
            }
        }
    }
}
