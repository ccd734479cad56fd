import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// An idle daemon causes no wake-ups, so it costs no battery.
@Suite(.timeLimit(.minutes(5))) struct SleepTests {
    /// The seconds of a measurement; libdispatch checks its threads more often than that.
    private static let span = 3
    /// The maximum number of measurements; at first the daemon may still finish earlier work.
    private static let tries = 10

    @Test func `a daemon that waits for a request sleeps without a wake-up`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        // The daemon must wait for the signals of the screen saver, and not poll it.
        let locker = try await ScriptedLocker.start(on: bus)
        let system = try PrivateBus()
        let logind = try await ScriptedLogind.start(on: system)
        let daemon = try await HostedService.startDaemon(
            on: bus, adding: ["DBUS_SYSTEM_BUS_ADDRESS": system.address.rawValue])
        let center = try await HostedService.attach(.daemon, on: bus, daemon: daemon)
        try await HostedService.allow(.daemon, on: bus)
        try await center.connect()
        try await center.add("later", trigger: .interval(seconds: 10_000, repeats: false))
        try await center.add("now")
        let post = try await server.calls.wait(for: "the popup") { !$0.isEmpty }[0]
        try await server.click(post.id, "default")
        let response = try await center.response(1)
        try await center.service.acknowledge(response.id, of: center.app)
        var counts: [Int] = []
        for _ in 0..<Self.tries {
            let before = try Self.wakeUps(of: daemon.processIdentifier)
            await #expect(throws: HarnessError.self, "the daemon still runs") {
                try await daemon.exit(within: Self.span)
            }
            counts.append(try Self.wakeUps(of: daemon.processIdentifier) - before)
            if counts.last == 0 { break }
        }
        #expect(counts.last == 0, "wake-ups in each \(Self.span) s: \(counts)")
        let lock = try await center.service.status().lock
        #expect(lock.sources == ["org.freedesktop.ScreenSaver", "org.freedesktop.login1"])
        await center.stop()
        await server.stop()
        await locker.stop()
        await logind.stop()
    }

    /// How often the threads of a process have gone to sleep so far; proc(5).
    private static func wakeUps(of process: Int32) throws -> Int {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            let line = try #require(
                status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") })
            return sum + (try #require(Int(line.split(separator: "\t").last ?? "")))
        }
    }
}
