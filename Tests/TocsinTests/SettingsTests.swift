import Foundation
import TestSupport
import Testing

/// `tocsin settings`: the apps that it lists, and its message about an unknown id.
@Suite(.timeLimit(.minutes(5))) struct SettingsTests {
    /// Returns a session with these desktop files.
    private static func session(_ entries: [String: String]) throws -> PrivateBus {
        let bus = try PrivateBus()
        let folder = try #require(bus.environment["XDG_DATA_HOME"]) + "/applications"
        for (name, text) in entries {
            let path = URL(filePath: "\(folder)/\(name).desktop")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("[Desktop Entry]\nType=Application\n\(text)\n".utf8).write(to: path)
        }
        return bus
    }

    private static func run(
        _ arguments: [String], on bus: PrivateBus
    ) async throws -> ProgramTests.Run {
        try await ProgramTests.run(
            "tocsin", ["settings"] + arguments,
            environment: bus.environment.merging(["XDG_DATA_DIRS": bus.directory]) { $1 })
    }

    @Test func `an app that never asked for permission is listed after it has notified`()
        async throws
    {
        let bus = try Self.session([:])
        let server = try await ScriptedServer.start(on: bus)
        let none = try await Self.run([], on: bus)
        #expect(none.status == 0 && none.output.isEmpty)
        #expect(none.errors.contains("No app has notified or asked"), "\(none.errors)")
        for arguments in [["send", "-a", "Backup", "Done"], ["in", "1h", "Tea"]] {
            let sent = try await ProgramTests.run(
                "tocsin", arguments, environment: bus.environment)
            #expect(sent.status == 0, "\(sent.errors)")
        }
        let list = try await Self.run(["--json"], on: bus)
        #expect(
            list.output == """
                {"app":"dev.backup","name":"Backup","status":"notNeeded","options":[],"previews":"whenAuthenticated"}
                {"app":"org.tocsin.Tocsin","name":"","status":"notNeeded","options":[],"previews":"whenAuthenticated"}
                """)
        #expect(try await Self.run(["--ids"], on: bus).output == "dev.backup\norg.tocsin.Tocsin")
        await server.stop()
    }

    @Test func `the user chooses a push distributor, or the automatic choice`() async throws {
        let bus = try Self.session([:])
        let missing = try await Self.run(["--push-distributor", "kde"], on: bus)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("KUnifiedPush"), "\(missing.errors)")
        let distributor = try await ScriptedDistributor.start(on: bus)
        let chosen = try await Self.run(["--push-distributor", "scripted"], on: bus)
        #expect(chosen.status == 0 && chosen.output == "Push distributor: scripted", "\(chosen)")
        let auto = try await Self.run(["--push-distributor", "auto", "--json"], on: bus)
        #expect(auto.output.contains(#""distributor":"scripted""#), "\(auto)")
        #expect(!auto.output.contains("chosen"))
        let wrong = try await Self.run(["org.example.A", "--push-distributor", "a"], on: bus)
        #expect(wrong.status == 64)
        await distributor.stop()
    }

    @Test func `settings --all lists installed apps`() async throws {
        let bus = try Self.session([
            "org.example.News": "Name=The News\n[Desktop Action New]\nName=Other",
            "kde/org.example.Deep": "Name=Deep", "org.example.Part": "Name=Part\nNoDisplay=true",
            "org.example.Box": "Name=Box\nX-Flatpak=org.example.Box",
        ])
        #expect(try await Self.run(["--ids"], on: bus).output.isEmpty)
        let all = try await Self.run(["--all", "--json"], on: bus)
        #expect(
            all.output == """
                {"app":"kde-org.example.Deep","name":"Deep","status":"unknown","options":[],"previews":null}
                {"app":"org.example.Box","name":"Box","status":"notDetermined","options":[],"previews":null}
                {"app":"org.example.News","name":"The News","status":"unknown","options":[],"previews":null}
                """)
        // The tool does not know whether these apps need a permission.
        let table = try await Self.run(["--all"], on: bus).output
        #expect(!table.contains("needs no permission"), "\(table)")
        #expect(table.contains("not asked yet") && table.contains("unless it asks first"))
        let one = try await Self.run(["org.example.News", "--json"], on: bus)
        #expect(one.output.contains(#""status":"unknown""#), "\(one.output)")
    }

    @Test(
        arguments: [
            ("org.example.New", "org.example.News"), ("news", "org.example.News"),
            ("the news", "org.example.News"), ("org.example.News", nil), ("org.example.Part", nil),
            ("ORG.example.news", "org.example.News"),
        ])
    func `a decision about a misspelt id is refused, and about an exact id accepted`(
        app: String, meant: String?
    ) async throws {
        let bus = try Self.session([
            "org.example.News": "Name=The News", "org.example.Part": "NoDisplay=true",
        ])
        let run = try await Self.run([app, "--deny"], on: bus)
        guard let meant else {
            #expect(run.status == 0)
            #expect(run.output.contains("denied"), "\(run.output)")
            #expect(run.errors.isEmpty, "\(run.errors)")
            return
        }
        #expect(run.status == 1)
        #expect(run.errors.contains("no app '\(app)' is known"), "\(run.errors)")
        #expect(run.errors.contains("Did you mean '\(meant)'? Nothing was changed"))
        #expect(try await Self.run([], on: bus).output.isEmpty)
    }

    @Test func `a decision about an unknown id is stored with a warning`() async throws {
        let bus = try Self.session(["org.example.News": "Name=The News"])
        let run = try await Self.run(["com.elsewhere.Later", "--deny"], on: bus)
        #expect(run.status == 0)
        #expect(run.output.contains("denied"), "\(run.output)")
        #expect(run.errors.contains("Your decision is kept"), "\(run.errors)")
        #expect(!run.errors.contains("Did you mean"))
    }

    @Test func `a reset of an unknown id says that no decision is kept`() async throws {
        let bus = try Self.session([:])
        let run = try await Self.run(["com.elsewhere.Later", "--reset"], on: bus)
        #expect(run.status == 0)
        #expect(run.errors.contains("No decision about it is kept"), "\(run.errors)")
        #expect(!run.errors.contains("Your decision is kept"))
    }
}
