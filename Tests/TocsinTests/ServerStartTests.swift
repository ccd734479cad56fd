import DesktopBus
import Foundation
import NotificationModel
import TestSupport
import Testing

/// The tool's behaviour while a notification server hangs at its start.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServerStartTests {
    /// How a server hangs.
    enum Hang: CaseIterable, Sendable {
        /// The bus starts the server, which never takes the name.
        case withoutName
        /// The server owns the name and does not answer.
        case withName
    }

    private static let notice = "waiting for"

    /// A failed send must not leave its request in the daemon.
    @Test(arguments: Hang.allCases)
    func `while a server hangs, send fails in time and keeps no request, and missed succeeds`(
        _ hang: Hang
    ) async throws {
        try await Self.run(hang) { bus in
            for arguments in [["send", "Tea"], ["send", "Tea", "-p"], ["missed"]] {
                let start = ContinuousClock.now
                let run = try RunningProgram(
                    ProgramTests.products + "/tocsin", arguments, environment: bus.environment)
                let status = try await run.exit()
                try await run.lines.untilFinished()
                let took = ContinuousClock.now - start
                #expect(status == (arguments == ["missed"] ? 0 : 69), "\(run.said)")
                // The server gets five seconds; the rest allows for a busy machine.
                #expect(took < .seconds(12), "\(arguments) took \(took)")
                if status == 69 {
                    let notices = run.said.components(separatedBy: Self.notice).count - 1
                    #expect(notices == 1, "\(run.said)")
                    let problem =
                        hang == .withName
                        ? "The notification server did not answer within" : "The installed server"
                    #expect(run.said.contains(problem), "\(run.said)")
                }
            }
            let list = try RunningProgram(
                ProgramTests.products + "/tocsin", ["list", "--all-apps", "--json"],
                environment: bus.environment)
            #expect(try await list.exit() == 0)
            try await list.lines.untilFinished()
            #expect(list.lines.all.isEmpty, "nothing is kept: \(list.said)")
        }
    }

    private static func run(_ hang: Hang, _ body: (PrivateBus) async throws -> Void) async throws {
        let name = "org.freedesktop.Notifications"
        let bus = try PrivateBus(
            services: hang == .withoutName
                ? ["\(name).service": "[D-BUS Service]\nName=\(name)\nExec=/usr/bin/sleep 60"]
                : [:])
        var script = ServerScript()
        script.isSilent = true
        let server =
            hang == .withName ? try await ScriptedServer.start(on: bus, script: script) : nil
        try await body(bus)
        await server?.introduce()
        await server?.stop()
    }
}
