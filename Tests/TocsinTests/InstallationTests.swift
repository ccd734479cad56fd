import Foundation
import TestSupport
import Testing

/// The files that `make install` adds to the programs.
@Suite(.timeLimit(.minutes(5))) struct InstallationTests {
    /// The timeout of one `make`, in seconds: many tests run `make` at the same time.
    static let timeout = 300

    /// Runs `make` in this package; returns its output.
    @discardableResult
    static func make(_ arguments: String...) async throws -> String {
        try await RunningProgram.run(
            "make", ["-s", "-C", KeptText.root] + arguments, within: timeout)
    }

    /// Runs `body` with a temporary folder.
    static func withFolder(_ body: (_ directory: String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "install-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try await body(directory)
    }

    /// The link to this build's programs; its path needs no quotes.
    static func programs(in directory: String) -> String { directory + "/build" }

    /// Installs the data files for the programs of this build.
    static func installed(
        _ body: (_ directory: String) async throws -> Void
    ) async throws {
        try await withFolder { directory in
            let programs = programs(in: directory)
            try FileManager.default.createSymbolicLink(
                atPath: programs, withDestinationPath: ProgramTests.products)
            try await make(
                "install-data", "DESTDIR=\(directory)", "PREFIX=/usr", "BINDIR=\(programs)")
            try await body(directory)
        }
    }

    /// Installs the manual pages and the completions of this build.
    static func documented(
        _ body: (_ directory: String) async throws -> Void
    ) async throws {
        try await withFolder { directory in
            try await make(
                "install-documents", "DESTDIR=\(directory)", "PREFIX=/usr",
                "GENERATOR=\(ProgramTests.products)/tocsin")
            try await body(directory)
        }
    }

    /// Makes small files in place of the release programs, which would take minutes to build.
    static func standIns(in directory: String) throws -> String {
        let programs = "\(directory)/programs"
        try FileManager.default.createDirectory(
            atPath: programs, withIntermediateDirectories: true)
        for name in ["tocsin", "tocsind", "tocsin-media", "tocsin-push", "tocsin-distributor"] {
            try FileManager.default.copyItem(atPath: "/bin/true", toPath: "\(programs)/\(name)")
        }
        return programs
    }

    /// Returns every path below a folder with its permissions and, for a file, its contents.
    private static func tree(_ directory: String) throws -> [String: String] {
        let files = FileManager.default
        var tree: [String: String] = [:]
        for path in try files.subpathsOfDirectory(atPath: directory) {
            let attributes = try files.attributesOfItem(atPath: "\(directory)/\(path)")
            let mode = attributes[.posixPermissions] as? Int ?? -1
            let contents = files.contents(atPath: "\(directory)/\(path)")
            tree[path] = "\(mode) \(contents?.base64EncodedString() ?? "folder")"
        }
        return tree
    }

    @Test func `an installed file has no placeholder, and starts the installed daemon`()
        async throws
    {
        try await Self.installed { directory in
            for file in [
                "usr/share/dbus-1/services/org.tocsin.NotificationCenter1.service",
                "usr/share/systemd/user/tocsind.service",
                "etc/xdg/autostart/tocsind-autostart.desktop",
            ] {
                let text = try String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)
                #expect(text.contains("=\(Self.programs(in: directory))/tocsind\n"), "\(file)")
                #expect(!text.contains("@"), "\(file)")
            }
        }
    }

    // If nothing started a crashed distributor, no push would arrive until the next login.
    @Test func `systemd starts the installed distributor for D-Bus, and again after a crash`()
        async throws
    {
        try await Self.withFolder { directory in
            let programs = try Self.standIns(in: directory)
            try await Self.make(
                "install-distributor-files", "DESTDIR=\(directory)", "PREFIX=/usr",
                "RELEASE_BIN=\(programs)")
            let name = "org.unifiedpush.Distributor.tocsin"
            for (file, lines) in [
                "dbus-1/services/\(name).service": ["SystemdService=tocsin-distributor.service"],
                "systemd/user/tocsin-distributor.service": [
                    "BusName=\(name)", "ExecStart=/usr/bin/tocsin-distributor",
                    "Restart=on-failure",
                ],
            ] {
                let text = try String(
                    contentsOfFile: "\(directory)/usr/share/\(file)", encoding: .utf8)
                for line in lines { #expect(text.contains("\n\(line)\n"), "\(text)") }
            }
        }
    }

    /// With such a path, D-Bus could not start the daemon, and `make uninstall` would remove other
    /// files.
    @Test(arguments: ["PREFIX=/my programs", "PREFIX=~/.local", "BINDIR=bin", "DESTDIR=/my stage"])
    func `make refuses to install in a path with a blank or in a relative path`(
        variable: String
    ) async throws {
        try await Self.withFolder { directory in
            let error = await #expect(throws: HarnessError.self) {
                try await Self.make("install-data", "DESTDIR=\(directory)", variable)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("\(variable) "), "\(text)")
            let installed = try FileManager.default.contentsOfDirectory(atPath: directory)
            #expect(installed.isEmpty)
        }
    }

    @Test func `the bus starts the installed daemon for the first call`() async throws {
        try await Self.installed { directory in
            let name = "org.tocsin.NotificationCenter1.service"
            let service = try String(
                contentsOfFile: "\(directory)/usr/share/dbus-1/services/\(name)", encoding: .utf8)
            let bus = try PrivateBus(services: [name: service])
            let server = try await ScriptedServer.start(on: bus)
            let schedule = try await ProgramTests.run(
                "tocsin", ["schedule", "Hi", "--in", "50ms"], environment: bus.environment)
            #expect(schedule.status == 0, "\(schedule.errors)")
            let post = try await server.calls.wait(for: "the popup") { !$0.isEmpty }
            #expect(post.map(\.summary) == ["Hi"])
            let doctor = try await ProgramTests.run(
                "tocsin", ["doctor", "--json"], environment: bus.environment)
            #expect(doctor.output.contains("\"hosting\":\"daemon\""))
            await server.stop()
        }
    }

    @Test(arguments: [
        ["PREFIX=/usr", "UNITDIR=/usr/lib/systemd/user"], ["PREFIX=/usr/local"],
        ["PREFIX=/srv/anna/.local", "SYSCONFDIR=/srv/anna/.config"],
    ])
    func `make uninstall removes the installed files and nothing else`(
        variables: [String]
    ) async throws {
        try await Self.withFolder { directory in
            let programs = try Self.standIns(in: directory)
            let system = "\(directory)/system"
            func make(_ targets: String...) async throws {
                try await RunningProgram.run(
                    "make",
                    [
                        "-s", "-C", KeptText.root, "DESTDIR=\(system)", "RELEASE_BIN=\(programs)",
                        "GENERATOR=\(ProgramTests.products)/tocsin",
                    ] + variables + targets)
            }
            try await make(
                "install-programs", "install-data", "install-documents",
                "install-distributor-files")
            let installed = try Self.tree(system).filter { !$0.value.hasSuffix("folder") }
            #expect(installed.count { !$0.key.contains("/man1/") } == 15, "\(installed.keys)")
            // A file of somebody else lies beside each installed file.
            for path in installed.keys {
                try "other".write(
                    toFile: "\(system)/\(path)-other", atomically: true, encoding: .utf8)
            }
            try await make("uninstall")
            let before = try Self.tree(system)
            #expect(before.values.count { !$0.hasSuffix("folder") } == installed.count)
            try await make(
                "install-programs", "install-data", "install-documents",
                "install-distributor-files")
            #expect(try Self.tree(system) == before.merging(installed) { $1 })
            try await make("uninstall")
            #expect(try Self.tree(system) == before)
            try await make("uninstall")
        }
    }
}
