import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// An app that adds requests without end harms only itself.
@Suite(.timeLimit(.minutes(3))) struct FloodTests {
    /// Adds one app's requests in many tasks; each task makes one call at a time.
    private actor Flooder {
        private let connection: BusConnection
        private var isOver = false
        private(set) var answered = 0
        private(set) var refused = 0
        /// One element for each call that was answered or refused.
        private let ends = Recording<Void>()

        init(on bus: PrivateBus) async throws {
            connection = try await .open(on: bus, name: "flood")
        }

        func run(width: Int) async {
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<width { group.addTask { await self.addRequests(of: task) } }
            }
            await connection.close()
        }

        private func addRequests(of task: Int) async {
            var number = 0
            while !isOver {
                number += 1
                let request: BusValue = .vardict([
                    ("id", .string("\(task) \(number)")), ("title", .string("flood")),
                    (
                        "trigger",
                        .vardict([("kind", .string("interval")), ("seconds", .double(86_400))])
                    ),
                ])
                let call = MethodCall(
                    destination: "org.tocsin.NotificationCenter1",
                    path: "/org/tocsin/NotificationCenter1",
                    interface: "org.tocsin.NotificationCenter1", member: "Add",
                    arguments: [
                        .string("org.example.Flood"), request, .array(element: "h", []),
                    ])
                do throws(BusError) {
                    _ = try await connection.call(call)
                    answered += 1
                } catch {
                    refused += 1
                }
                ends.append(())
            }
        }

        func stop() { isOver = true }

        /// Returns when this many further requests were answered or refused.
        func wait(forMore count: Int) async throws {
            let end = ends.all.count + count
            try await ends.wait(for: "\(count) more calls") { $0.count >= end }
        }

        /// The time in which this many further requests are answered or refused.
        func duration(ofCalls count: Int) async throws -> Duration {
            let start = ContinuousClock.now
            try await wait(forMore: count)
            return ContinuousClock.now - start
        }
    }

    /// Runs the tool `count` times, and returns the median time; each process has its own quota.
    private static func median(
        of count: Int, named name: String, on bus: PrivateBus
    ) async throws -> Duration {
        var times: [Duration] = []
        for number in 0..<count {
            let start = ContinuousClock.now
            try await run(["in", "24h", name, "--id", "\(name) \(number)"], on: bus)
            times.append(ContinuousClock.now - start)
        }
        return times.sorted()[count / 2]
    }

    private static func run(_ arguments: [String], on bus: PrivateBus) async throws {
        try await RunningProgram.run(
            try HostedService.program("tocsin"), arguments, environment: bus.environment)
    }

    /// One line for each request would let a single call fill the log.
    @Test func `one call with many requests for past dates writes one line to the log`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus, by: "exec \"$1\" 2>&1")
        let center = try await HostedService.client(on: bus)
        var past = CalendarComponents()
        (past.year, past.month, past.day) = (2020, 1, 1)
        let trigger = NotificationTrigger.calendar(past, repeats: false)
        let requests = (0..<Limits.requestsOfCall.most).map { number in
            RequestWithFiles(
                NotificationRequest(
                    identifier: "r\(number)", content: NotificationContent(title: "T"),
                    trigger: trigger))
        }
        try await center.add(requests, for: .tocsin)
        #expect(try await center.pending(of: nil).isEmpty)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        try await daemon.lines.untilFinished()
        let lines = daemon.lines.all.filter { $0.contains("never fires") }
        #expect(lines.count == 1, "\(daemon.said.prefix(1_000))")
        #expect(lines.first?.contains("'r0' and 1023 more") == true, "\(lines.first ?? "")")
    }

    @Test func `an app that floods the daemon hardly delays the adds and popups of other apps`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let service = try await HostedService.client(on: bus)
        let quiet = try await Self.median(of: 21, named: "before", on: bus)
        let flooder = try await Flooder(on: bus)
        let width = 2_000
        let flood = Task { await flooder.run(width: width) }
        try await flooder.wait(forMore: 4_000)
        let before = await flooder.answered
        let floodTime = try await flooder.duration(ofCalls: width)
        let loud = try await Self.median(of: 21, named: "during", on: bus)
        let posted = ContinuousClock.now
        try await Self.run(["send", "due"], on: bus)
        let popup = try await server.calls.wait(for: "the popup") { calls in
            calls.contains { $0.summary == "due" }
        }
        let delay = ContinuousClock.now - posted
        await flooder.stop()
        await flood.value
        #expect(popup.count == 1)
        #expect(await flooder.answered > before, "the flood went on all the time")
        // The flooding process has reached its quota of simultaneous calls.
        #expect(await flooder.refused > 0)
        let pending = try await service.pending(of: .tocsin)
        #expect(pending.count == 42)
        print(
            """
            flood: an add of another app takes \(loud), and took \(quiet) before, \
            \(loud / quiet)-fold; \(width) calls of the flood take \(floodTime), a popup \(delay); \
            \(await flooder.answered) calls of the flood accepted, \(await flooder.refused) refused
            """)
        // The tool makes three calls to add a request; each waits behind open calls of the flood.
        #expect(loud < quiet * 10 + floodTime * 5)
        #expect(delay < .seconds(5))
        await daemon.stop()
        await server.stop()
    }
}
