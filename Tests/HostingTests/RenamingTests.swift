import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// An app that gets a desktop file keeps the data that it stored under its former id.
@Suite(.timeLimit(.minutes(5))) struct RenamingTests {
    private static func run(
        _ hosting: Hosting, _ arguments: [String], as app: String?, on bus: PrivateBus,
        until line: String
    ) async throws {
        var environment = bus.environment
        environment["TOCSIN_MODE"] = hosting.rawValue
        environment["TOCSIN_APP_ID"] = app
        let program = try RunningProgram(
            try HostedService.program("HostProbe"), arguments, environment: environment)
        defer { program.signal(SIGKILL) }
        do {
            try await program.lines.wait(for: line) { $0.contains(line) }
        } catch {
            throw HarnessError("\(error)\n\(program.said)")
        }
        program.signal(SIGKILL)
        try await program.exit()
    }

    @Test(arguments: Hosting.allCases)
    func `an app whose id changes keeps its requests and its permission`(
        hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon =
            hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
        try await HostedService.allow(hosting, on: bus, app: "dev.HostProbe")
        try await Self.run(hosting, ["add", "10000", "Tea"], as: nil, on: bus, until: "added")
        let app = "org.example.Tea"
        try await Self.run(hosting, ["wait"], as: app, on: bus, until: "pending 1")
        // The app still has its permission, and this request replaces the earlier "Tea".
        try await Self.run(hosting, ["add", "10000", "Tea"], as: app, on: bus, until: "added")
        try await Self.run(hosting, ["wait"], as: app, on: bus, until: "pending 1")
        // Nothing is left under the former id.
        try await Self.run(hosting, ["wait"], as: nil, on: bus, until: "pending 0")
        await daemon?.stop()
        await server.stop()
    }

    @Test func `an app does not get the requests of another program of the same name`() async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let service = try await HostedService.client(on: bus)
        let former = try ApplicationID("dev.HostProbe")
        _ = try await service.connect(
            ApplicationIdentity(id: former, name: "a", executable: "/other/HostProbe"),
            asksBeforePresenting: false, identifiers: [""]
        ) { _ in }
        try await service.add(
            NotificationRequest(
                identifier: "a", content: NotificationContent(title: "a"),
                trigger: .interval(seconds: 10_000, repeats: false)), attachments: [], for: former)
        try await HostedService.allow(.daemon, on: bus, app: "org.example.Tea")
        try await Self.run(
            .daemon, ["wait"], as: "org.example.Tea", on: bus, until: "pending 0")
        #expect(try await service.pending(of: former).count == 1)
        await daemon.stop()
        await server.stop()
    }
}
