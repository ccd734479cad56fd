import Foundation
import HostingSupport
import TestSupport
import Testing

/// The programs in the README and in the articles of the documentation do what the texts say.
@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func article(_ name: String) -> String {
        "Sources/UserNotifications/UserNotifications.docc/\(name).md"
    }

    /// Returns the code blocks of a text in this language.
    private static func blocks(
        _ language: String, of path: String = "README.md"
    ) throws -> [String] {
        try text(path).components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
    }

    @Test func `the README's program is the compiled example`() throws {
        let program = try #require(try Self.blocks("swift").first)
        #expect(program == (try Self.text("Sources/Examples/TeaReminder/Reminder.swift")))
    }

    @Test func `the program of the article on main loops is the compiled example`() throws {
        let program = try #require(try Self.blocks("swift", of: Self.article("MainLoops")).first)
        #expect(program == (try Self.text("Sources/Examples/GLibMainLoop/GLibMainLoop.swift")))
    }

    @Test func `without a bus, the README's program prints the reason and fails`() async throws {
        let bus = try PrivateBus()
        var environment = bus.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(bus.directory)/none"
        let program = try RunningProgram(
            try HostedService.program("TeaReminder"), environment: environment)
        #expect(try await program.exit() == 1)
        #expect(try await program.lines.first("the reason") { _ in true }.hasPrefix("No tea: "))
        #expect(!program.said.contains("Fatal error"))
    }

    private static let hasPythonClient = FileManager.default.fileExists(
        atPath: "/usr/lib/python3/dist-packages/dbus/mainloop")

    @Test(
        .enabled(if: hasPythonClient, "python3-dbus is not installed"),
        arguments: ["pour", "click"])
    func `a Python client schedules a notification and gets the click on it`(
        _ answer: String
    ) async throws {
        let article = Self.article("OtherLanguages")
        let program = try #require(try Self.blocks("python", of: article).first)
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let daemon = try await HostedService.startDaemon(on: bus)
            let client = try RunningProgram(
                "/usr/bin/python3", ["-c", program], environment: bus.environment)
            let post = try await server.calls.first("the popup") { _ in true }
            #expect(post.summary == "The kettle boils")
            #expect(post.actions.first?.label == "Pour")
            // The last action is the click on the notification itself.
            let clicked = answer == "pour" ? post.actions.first : post.actions.last
            try await server.click(post.id, try #require(clicked).key)
            try await client.lines.wait(for: "the answer") {
                $0 == ["\(answer) of The kettle boils"]
            }
            await client.stop()
            let status = try await RunningProgram.run(
                try HostedService.program("tocsin"), ["list", "--all-apps", "--json"],
                environment: bus.environment)
            #expect(status.isEmpty)
            await daemon.stop()
            await server.stop()
        }
    }

    /// A client that listens only to the first daemon would never get the click.
    @Test(.enabled(if: hasPythonClient, "python3-dbus is not installed"))
    func `a Python client gets a click from a restarted daemon`() async throws {
        let article = Self.article("OtherLanguages")
        let program = try #require(try Self.blocks("python", of: article).first)
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let first = try await HostedService.startDaemon(on: bus)
            let client = try RunningProgram(
                "/usr/bin/python3", ["-c", program], environment: bus.environment)
            let post = try await server.calls.first("the popup") { _ in true }
            await first.stop()
            let second = try await HostedService.startDaemon(on: bus)
            try await server.click(post.id, post.actions[0].key)
            try await client.lines.wait(for: "the answer") { $0 == ["pour of The kettle boils"] }
            await client.stop()
            await second.stop()
            await server.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the README's program prints the output that the README shows`(
        _ hosting: Hosting
    ) async throws {
        let output = try #require(try Self.blocks("").first { $0.hasPrefix("The tea") })
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let daemon =
                hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            // Without `stdbuf`, the program would buffer its output because it writes to a pipe.
            let program = try RunningProgram(
                "stdbuf", ["-oL", try HostedService.program("TeaReminder")],
                environment: hosting.environment(bus.environment))
            let question = try await server.calls.first("the question") { _ in true }
            #expect(question.summary.hasSuffix("would like to send you notifications"))
            try await server.click(question.id, question.actions[0].key)
            let post = try await server.calls.wait(for: "the popup") { $0.count == 2 }[1]
            #expect(post.summary == "Tea is ready")
            #expect(post.actions.map(\.label).prefix(2) == ["Drink it", "Later"])
            try await server.click(post.id, post.actions[0].key)
            let lines = output.split(separator: "\n").map(String.init)
            try await program.lines.wait(for: "what the README prints") { $0 == lines }
            await program.stop()
            await daemon?.stop()
            await server.stop()
        }
    }
}
