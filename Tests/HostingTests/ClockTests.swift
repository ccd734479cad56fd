import Foundation
import HostingSupport
import NotificationModel
import Reactor
import TestSupport
import Testing

/// How due requests fire after a real daemon was frozen, or after an upgrade of the zone data.
///
/// The numbers of faults are those of `Tests/Faults.md`.
@Suite(.timeLimit(.minutes(5))) struct ClockTests {
    /// Fault 6: requests fall due while the daemon is frozen.
    @Test func `a daemon that was frozen fires each due request once when it continues`()
        async throws
    {
        let bus = try PrivateBus()
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let daemon = try await HostedService.startDaemon(on: bus)
            let center = try await HostedService.attach(.daemon, on: bus)
            for index in 1...3 {
                try await center.add(
                    "r\(index)",
                    trigger: .interval(seconds: 0.5 + Double(index) / 10, repeats: false))
            }
            daemon.signal(SIGSTOP)
            try await Self.untilBootTime(passes: .milliseconds(900))
            daemon.signal(SIGCONT)
            try await server.calls.first(3)
            // This popup comes last, so no earlier popup is still on its way.
            try await center.add("last")
            let calls = try await server.calls.wait(for: "the last one") {
                $0.contains { $0.summary == "last" }
            }
            #expect(calls.map(\.summary) == ["r1", "r2", "r3", "last"])
            // The daemon stores a delivery only after the popup has appeared.
            try await center.settled { pending, _ in pending.isEmpty }
            await daemon.stop()
            await server.stop()
        }
    }

    /// Fault 52, with a real daemon and inotify: tzdata is replaced while the daemon runs.
    @Test func `an upgrade of the zone data moves stored dates`() async throws {
        let bus = try PrivateBus()
        let folder = bus.directory + "/zoneinfo/Europe"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func install(_ zone: String) throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(zone)"))
            try data.write(to: URL(fileURLWithPath: folder + "/Berlin"), options: .atomic)
        }
        try install("Europe/Berlin")
        try await BusRecorder.recording(bus) {
            let server = try await ScriptedServer.start(on: bus)
            let daemon = try await HostedService.startDaemon(
                on: bus, adding: ["TZDIR": bus.directory + "/zoneinfo", "TZ": "UTC"])
            let center = try await HostedService.attach(.daemon, on: bus)
            let rule = NotificationRule("day at 9", timeZone: "Europe/Berlin")
            try await center.add("daily", trigger: .rule(rule))
            let before = try await center.service.pending(of: nil).first?.nextFire
            try install("Asia/Tokyo")
            let hour: Int64 = 3_600_000_000
            try await center.settled { pending, _ in
                guard let next = pending.first?.nextFire, let before, next != before else {
                    return false
                }
                // 9:00 in Tokyo is 0:00 in UTC. 9:00 in Berlin is 7:00 or 8:00 in UTC.
                return next.microseconds % (24 * hour) == 0
            }
            await daemon.stop()
            await server.stop()
        }
    }

    /// Waits for a timer on the boot-time clock, which the daemon's alarms use.
    private static func untilBootTime(passes duration: Duration) async throws {
        let reactor = Reactor.started("freeze")
        defer { reactor.stop() }
        let rings = Recording<Bool>()
        let timer = Locked<ReactorTimer?>(nil)
        reactor.perform {
            let made = try? reactor.timer(.boottime) { _ in rings.append(true) }
            var now = timespec()
            clock_gettime(CLOCK_BOOTTIME, &now)
            made?.arm(
                atMicroseconds: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
                    + duration.wholeMicroseconds)
            timer.withLock { $0 = made }
        }
        try await rings.first(1)
        reactor.perform { timer.withLock { $0 = nil } }
    }
}
