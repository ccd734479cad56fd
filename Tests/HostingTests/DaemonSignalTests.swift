import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The signals that a daemon gets from a terminal and its shell.
@Suite(.timeLimit(.minutes(2))) struct DaemonSignalTests {
    /// A closed terminal sends SIGHUP.
    ///
    /// Without a clean end, open calls get no answer, and the next daemon repeats the last popups.
    @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
    func `a daemon ends cleanly on a signal of its terminal or of the user`(
        number: Int32
    ) async throws {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        daemon.signal(number)
        #expect(try await daemon.exit() == 0)
    }

    /// A shell without job control starts a background command (`&`) with SIGINT ignored.
    ///
    /// nohup(1) starts its command with SIGHUP ignored.
    @Test(arguments: [("INT", SIGINT), ("HUP", SIGHUP)])
    func `a daemon ignores a signal that was ignored when the daemon started`(
        name: String, number: Int32
    ) async throws {
        let bus = try PrivateBus()
        let program = try HostedService.program("tocsind")
        let daemon = try RunningProgram(
            "sh", ["-c", "trap '' \(name); exec '\(program)' 2>&1"], environment: bus.environment)
        try await daemon.lines.first("the daemon") { $0.contains("serving") }
        daemon.signal(number)
        // The daemon must not block the signal: the kernel keeps a blocked signal even if it is
        // ignored, and the daemon would read it from its signal descriptor.
        let status = try String(
            contentsOfFile: "/proc/\(daemon.processIdentifier)/status", encoding: .utf8)
        let mask = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
        let blocked = UInt64(mask.dropFirst(7).drop { $0 == "\t" }, radix: 16)
        #expect(try #require(blocked) & (1 << UInt64(number - 1)) == 0, "\(mask)")
        #expect(try await HostedService.client(on: bus).status().hosting == "daemon")
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }
}
