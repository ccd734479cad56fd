import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// `waitUntilIdle` returns when an app has no work left.
@Suite(.timeLimit(.minutes(5))) struct IdleTests {
    @Test(arguments: Hosting.allCases)
    func `an app that never added anything is idle`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.service.waitUntilIdle(harness.app, includingPopups: true)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a wait that ignores popups ends when the last request was shown`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add(
                "soon", trigger: .interval(seconds: 0.05, repeats: false))
            try await harness.service.waitUntilIdle(harness.app, includingPopups: false)
            #expect(harness.server.calls.all.map(\.summary) == ["soon"])
        }
    }

    /// If a stored response counted as work, an app without a delegate would wait for ever.
    @Test(arguments: Hosting.allCases)
    func `a wait that ignores popups ends although the app acknowledges no response`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.center.add("tea")
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.server.click(try await harness.post(1).id, "default")
            try await harness.center.settled { _, delivered in delivered.isEmpty }
            #expect(try await harness.service.status().responseCount == 1)
            try await harness.service.waitUntilIdle(harness.app, includingPopups: false)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a wait ends although another app has a request`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let request = NotificationRequest(
                identifier: "later", content: NotificationContent(title: "later"),
                trigger: .interval(seconds: 10_000, repeats: false))
            try await harness.service.add(
                request, attachments: [], for: try ApplicationID("org.tocsin.Other"))
            try await harness.service.waitUntilIdle(harness.app, includingPopups: true)
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a wait ends when its last request is removed`(_ hosting: Hosting) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.add(
                "later", trigger: .interval(seconds: 10_000, repeats: false))
            let idle = Task.immediate {
                try await harness.service.waitUntilIdle(harness.app, includingPopups: true)
            }
            // When the second call is answered, the centre has found that the app is not idle.
            for _ in 0..<2 { _ = try await harness.service.status() }
            try await harness.service.removePending(.all, of: harness.app)
            try await idle.value
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a wait for popups lasts until the response is acknowledged`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            try await harness.center.connect()
            try await harness.center.add("tea")
            let ended = Recording<String>()
            let idle = Task.immediate {
                try await harness.service.waitUntilIdle(harness.app, includingPopups: true)
                ended.append("idle")
            }
            try await harness.server.click(try await harness.post(1).id, "default")
            let response = try await harness.center.response(1)
            ended.append("response")
            try await harness.service.acknowledge(response.id, of: harness.app)
            try await idle.value
            #expect(ended.all == ["response", "idle"])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a waiting program prints the user's response, and then that nothing is left to do`(
        _ hosting: Hosting
    ) async throws {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let daemon =
                hosting == .daemon ? try await HostedService.startDaemon(on: bus) : nil
            try await HostedService.allow(hosting, on: bus)
            let program = try RunningProgram(
                "stdbuf", ["-oL", try HostedService.program("LastLine")],
                environment: hosting.environment(bus.environment))
            let posts = try await server.calls.wait(for: "the popup") { !$0.isEmpty }
            try await server.click(posts[0].id, "default")
            let lines = [
                "added", "answered: \(UserNotificationsIdentifier.standard)",
                "nothing left to do",
            ]
            #expect(try await program.exit(within: 60) == 0)
            try await program.lines.untilFinished()
            #expect(program.lines.all == lines)
            await daemon?.stop()
            await server.stop()
        }
    }

    /// A cron job may end during its wait, and the daemon limits the number of waits.
    @Test func `the daemon's limit of waits does not include the waits of dead clients`()
        async throws
    {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let daemon = try await HostedService.startDaemon(on: bus)
            let center = try await HostedService.client(on: bus)
            let app = try ApplicationID("org.example.Cron")
            let request = NotificationRequest(
                identifier: "later", content: NotificationContent(title: "later"),
                trigger: .interval(seconds: 10_000, repeats: false))
            try await center.add(request, attachments: [], for: app)
            // Together these clients begin more waits than the daemon permits for one process, and
            // more than it permits for all processes.
            for _ in 0..<200 {
                let connection = try await BusConnection.open(on: bus, name: "cron")
                for _ in 0..<8 {
                    let wait = Self.call("WaitUntilIdle", [.string(app.rawValue), .bool(true)])
                    connection.call(wait) { _ in }
                }
                // The daemon answers this call after it has begun the waits.
                _ = try await connection.call(Self.call("Status"))
                await connection.close()
            }
            let client = try await HostedService.client(on: bus)
            let idle = Task.immediate {
                try await client.waitUntilIdle(app, includingPopups: true)
            }
            // The removal also ends the waits of dead clients, so the new wait must begin first.
            _ = try await client.status()
            try await center.removePending(.all, of: app)
            try await idle.value
            await daemon.stop()
        }
    }

    private static func call(_ member: MemberName, _ arguments: [BusValue] = []) -> MethodCall {
        MethodCall(
            destination: "org.tocsin.NotificationCenter1", path: "/org/tocsin/NotificationCenter1",
            interface: "org.tocsin.NotificationCenter1", member: member, arguments: arguments)
    }

    private enum UserNotificationsIdentifier {
        static let standard = "com.apple.UNNotificationDefaultActionIdentifier"
    }
}
