import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// On a real server, a click on the popup of an app that has quit starts the app.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct LaunchOnRealServersTests {
    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a click on a button of dunst's popup starts the app that has quit`() async throws {
        try await RealServer.with(ServerCatalog.dunst) { session in
            try await withProbe(session) { pipe in
                try await session.choose("Return", of: "Come back")
                let lines = try await pipe.lines.first(3)
                #expect(lines[0].hasPrefix("start"))
                #expect(lines[1...] == ["response open cup 7", "acknowledged"])
            }
        }
    }

    @Test(.enabled(if: ServerCatalog.xfce.isWanted, "\(ServerCatalog.xfce.skipReason)"))
    func `a click on a button of Xfce's popup starts the app that has quit`() async throws {
        try await RealServer.with(ServerCatalog.xfce) { session in
            try await withProbe(session) { pipe in
                try await session.choose("Return", of: "Come back")
                let lines = try await pipe.lines.first(3)
                #expect(lines[0].hasPrefix("start"))
                #expect(lines[1...] == ["response open cup 7", "acknowledged"])
            }
        }
    }

    @Test(.enabled(if: ServerCatalog.dunst.isWanted, "\(ServerCatalog.dunst.skipReason)"))
    func `a dismissal and a background action on dunst start no app`() async throws {
        try await RealServer.with(ServerCatalog.dunst) { session in
            try await withProbe(session) { pipe in
                try await session.choose("Archive", of: "Come back")
                let center = try await HostedService.attach(.daemon, on: session.bus)
                try await center.settled { _, delivered in delivered.isEmpty }
                #expect(try await center.service.status().responseCount == 1)
                try await expectFirstStart(in: session, response: "archive", pipe)
            }
        }
        try await RealServer.with(ServerCatalog.dunst) { session in
            try await withProbe(session) { pipe in
                try await session.dismiss("Come back")
                let center = try await HostedService.attach(.daemon, on: session.bus)
                try await center.settled { _, delivered in delivered.isEmpty }
                try await expectFirstStart(
                    in: session, response: "com.apple.UNNotificationDismissActionIdentifier", pipe)
            }
        }
    }

    /// Starts the app as the user does, and expects no earlier start in its reports.
    ///
    /// An app that the daemon has started would report its start, and would take the response.
    private func expectFirstStart(
        in session: RealServer, response: String, _ pipe: ReportPipe
    ) async throws {
        #expect(pipe.lines.all.isEmpty)
        try await runApp(in: session)
        let lines = try await pipe.lines.wait(for: "the response") { $0.contains("acknowledged") }
        #expect(
            lines == ["start token - words  for -", "response \(response) cup 7", "acknowledged"])
    }

    private func runApp(in session: RealServer) async throws {
        let app = try RunningProgram(
            try HostedService.program("LaunchProbe"),
            environment: Hosting.daemon.environment(session.bus.environment)
                .merging(places(in: session)) { $1 })
        #expect(try await app.exit() == 0, "\(app.said)")
    }

    private func places(in session: RealServer) -> [String: String] {
        [
            "PROBE_REPORT": session.bus.directory + "/report",
            "PROBE_MARKER": session.bus.directory + "/marker",
        ]
    }

    /// Runs the body with the app's popup on the screen, after the app has quit.
    private func withProbe(
        _ session: RealServer, _ body: (ReportPipe) async throws -> Void
    ) async throws {
        let pipe = try ReportPipe(session.bus.directory + "/report")
        let daemon = try await HostedService.start(
            .daemon, on: session.bus, adding: places(in: session))
        do {
            try await HostedService.allow(.daemon, on: session.bus)
            try await runApp(in: session)
            try await session.waitUntilShown("Come back")
            try await body(pipe)
        } catch {
            await daemon.stop()
            await pipe.stop()
            throw error
        }
        await daemon.stop()
        await pipe.stop()
    }
}
