import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The start and the end of daemons: only one daemon serves a bus, and only one has a store.
///
/// The numbers of faults are those of `Tests/Faults.md`.
@Suite(.timeLimit(.minutes(5))) struct DaemonLifeTests {
    private static let isServed = "A notification centre serves this session already"

    /// Starts a daemon whose messages on standard error also appear in `lines`.
    private static func daemon(
        on bus: PrivateBus, environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            "sh", ["-c", "exec '\(try HostedService.program("tocsind"))' 2>&1"],
            environment: bus.environment.merging(environment) { $1 })
    }

    /// Follows the daemon's log file; a pipe would not do, as a daemon without its bus closes it.
    private static func lines(of file: String) throws -> RunningProgram {
        try RunningProgram("tail", ["-n", "+1", "-F", file], keepsErrors: true)
    }

    /// `tocsin list | less` cannot end before the daemon that it started closes the pipe.
    @Test func `a daemon that has lost its bus closes the pipes that it was started with`()
        async throws
    {
        let bus = try PrivateBus()
        let folder = try #require(bus.environment["XDG_DATA_HOME"]) + "/dbus-1/services"
        let (script, pid) = (bus.directory + "/start", bus.directory + "/pid")
        try await ShellScript.write(
            "echo $$ >'\(pid)'; exec '\(try HostedService.program("tocsind"))'", to: script)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let name = "org.tocsin.NotificationCenter1"
        try "[D-BUS Service]\nName=\(name)\nExec=\(script)\n".write(
            toFile: "\(folder)/\(name).service", atomically: true, encoding: .utf8)
        let session = try RunningProgram(
            "sh",
            [
                "-c",
                "dbus-run-session -- '\(try HostedService.program("tocsin"))' list 2>&1 | cat",
            ], environment: bus.environment)
        // The shell ends only after `cat`, which reads until the daemon has closed its pipes.
        #expect(try await session.exit() == 0)
        #expect(session.said.contains("Nothing is pending."), "\(session.said)")
        let text = try String(contentsOfFile: pid, encoding: .utf8)
        let daemon = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(daemon, SIGTERM) == 0, "the daemon still runs, because it waits for its bus")
    }

    @Test func `the daemon makes files that only its user can read, and leaves no core dump`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = "/proc/\(daemon.processIdentifier)/"
        let status = try String(contentsOfFile: process + "status", encoding: .utf8)
        #expect(status.contains("Umask:\t0077"))
        let limits = try String(contentsOfFile: process + "limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.contains("core file") })
        #expect(core.split(separator: " ").dropFirst(4).first == "0")
        await daemon.stop()
    }

    @Test func `the second daemon of a session ends and says why`() async throws {
        let bus = try PrivateBus()
        let first = try await HostedService.startDaemon(on: bus)
        let second = try Self.daemon(on: bus)
        #expect(try await second.exit() == 1)
        try await second.lines.untilFinished(within: 30)
        #expect(second.lines.all.contains { $0.contains(Self.isServed) }, "\(second.said)")
        await first.stop()
    }

    @Test func `if many daemons start at once, exactly one of them serves`() async throws {
        let bus = try PrivateBus()
        let count = 20
        let daemons = try (0..<count).map { _ in try Self.daemon(on: bus) }
        let ended = Recording<Int32>()
        for daemon in daemons {
            Task { ended.append(try await daemon.exit(within: 120)) }
        }
        try await ended.wait(for: "the losers", within: 120) { $0.count == count - 1 }
        #expect(Set(ended.all) == [1])
        #expect(try await HostedService.client(on: bus).status().hosting == "daemon")
        for daemon in daemons { await daemon.stop() }
        #expect(try await ended.wait(for: "the winner") { $0.count == count }.last == 0)
    }

    /// Fault 34: a program holds the name and does not give it up.
    @Test func `a daemon that cannot get its bus name ends, says why and shows nothing`()
        async throws
    {
        let bus = try PrivateBus()
        // This request stays due because there is no server yet. Later, only a daemon that has
        // opened the store could show it.
        let former = try await HostedService.startDaemon(on: bus)
        try await HostedService.client(on: bus).add(
            NotificationRequest(identifier: "due", content: NotificationContent(title: "due")),
            attachments: [], for: .tocsin)
        await former.stop()
        let server = try await ScriptedServer.start(on: bus)
        let holder = try await BusConnection.open(on: bus, name: "holder")
        try await holder.requestName("org.tocsin.NotificationCenter1")
        let daemon = try Self.daemon(on: bus)
        #expect(try await daemon.exit() == 1)
        try await daemon.lines.untilFinished(within: 30)
        #expect(daemon.lines.all.contains { $0.contains("another tocsind owns") }, "\(daemon.said)")
        #expect(server.calls.all.isEmpty)
        await holder.close()
        await server.stop()
    }

    /// Fault 32, with a short outage of the bus.
    @Test func `after its bus dies and returns, a daemon serves again and shows due requests once`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try Self.daemon(on: bus)
        try await daemon.lines.wait(for: "the daemon") { !$0.isEmpty }
        let client = try await HostedService.client(on: bus)
        for (name, seconds) in [("soon", 2.0), ("later", 3_600.0)] {
            try await client.add(
                NotificationRequest(
                    identifier: name, content: NotificationContent(title: name),
                    trigger: .interval(seconds: seconds, repeats: false)),
                attachments: [], for: .tocsin)
        }
        bus.stop()
        await server.stop()
        try #require(server.calls.all.isEmpty, "nothing was due before the bus went")
        try bus.start()
        let next = try await ScriptedServer.start(on: bus)
        try await next.calls.wait(for: "what was due") { !$0.isEmpty }
        let center = try await HostedService.client(on: bus)
        var pending: [String] = []
        while pending.isEmpty {
            // Calls fail until the daemon owns its name again.
            pending = (try? await center.pending(of: .tocsin).map(\.request.identifier)) ?? []
        }
        #expect(pending == ["later"])
        // A second popup of an earlier request would appear before this popup.
        try await center.add(
            NotificationRequest(identifier: "last", content: NotificationContent(title: "last")),
            attachments: [], for: .tocsin)
        try await next.calls.wait(for: "the last popup") { $0.map(\.summary) == ["soon", "last"] }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        await next.stop()
    }

    @Test func `a daemon waits until another session's daemon releases the store`() async throws {
        let (old, new) = (try PrivateBus(), try PrivateBus())
        let state = ["XDG_STATE_HOME": old.directory + "/shared-state"]
        let first = try Self.daemon(on: old, environment: state)
        try await first.lines.wait(for: "the first daemon") { !$0.isEmpty }
        let second = try Self.daemon(on: new, environment: state)
        try await second.lines.wait(for: "the wait") { lines in
            lines.contains { $0.contains("another process releases the store") }
        }
        await first.stop()
        try await second.lines.wait(for: "the second daemon") { lines in
            lines.contains { $0.contains("serving") }
        }
        second.signal(SIGTERM)
        #expect(try await second.exit() == 0)
    }

    @Test func `a daemon that waits for a store ends on SIGTERM`() async throws {
        let (old, new) = (try PrivateBus(), try PrivateBus())
        let state = ["XDG_STATE_HOME": old.directory + "/shared-state"]
        let first = try Self.daemon(on: old, environment: state)
        try await first.lines.wait(for: "the first daemon") { !$0.isEmpty }
        let second = try Self.daemon(on: new, environment: state)
        try await second.lines.first("the wait") {
            $0.contains("another process releases the store")
        }
        second.signal(SIGTERM)
        #expect(try await second.exit() == 0)
        await first.stop()
    }

    /// Fault 8: the next daemon has every acknowledged request, and may have unacknowledged ones.
    @Test func `a daemon that gets SIGTERM keeps every request that it acknowledged`() async throws
    {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let client = try await HostedService.client(on: bus)
        let acknowledged = Recording<String>()
        let adding = Task {
            for number in 0... {
                let request = NotificationRequest(
                    identifier: "r\(number)", content: NotificationContent(title: "later"),
                    trigger: .interval(seconds: 10_000, repeats: false))
                try await client.add(request, attachments: [], for: .tocsin)
                acknowledged.append(request.identifier)
                if Task.isCancelled { return }
            }
        }
        try await acknowledged.wait(for: "some requests") { $0.count >= 50 }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        adding.cancel()
        _ = try? await adding.value
        let next = try await HostedService.startDaemon(on: bus)
        let kept = try await client.pending(of: .tocsin).map(\.request.identifier)
        #expect(Set(acknowledged.all).subtracting(kept) == [])
        await next.stop()
        await server.stop()
    }

    /// The next daemon posts the request again only if the server was restarted.
    ///
    /// A server that kept running still shows the popup, although it never answered.
    @Test(arguments: [true, false])
    func `a daemon ends within 15 s of SIGTERM if its server does not answer`(
        isReplaced: Bool
    ) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        await server.change { $0.replies = .never }
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.attach(.daemon, on: bus, daemon: daemon)
        try await HostedService.allow(.daemon, on: bus)
        try await center.service.add(
            NotificationRequest(identifier: "a", content: NotificationContent(title: "now")),
            attachments: [], for: center.app)
        try await server.calls.wait(for: "the post") { $0.count == 1 }
        daemon.signal(SIGTERM)
        // This is well below the call's own timeout of 25 s.
        #expect(try await daemon.exit(within: 15) == 0)
        await server.change { $0.replies = .atOnce }
        if isReplaced { try await server.restart() }
        let next = try await HostedService.startDaemon(on: bus)
        try await center.add("b", title: "next")
        let count = isReplaced ? 3 : 2
        let calls = try await server.calls.wait(for: "the posts") { $0.count >= count }
        #expect(calls.map(\.summary) == (isReplaced ? ["now", "now", "next"] : ["now", "next"]))
        try await center.settled { pending, delivered in
            pending.isEmpty && Set(delivered.map(\.request.identifier)) == ["a", "b"]
        }
        await next.stop()
        await server.stop()
    }

    /// The daemon must close its store before its call to the bus times out after 25 s.
    @Test func `a daemon ends within 15 s of SIGTERM if its bus hangs`() async throws {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = try #require(bus.processIdentifier)
        #expect(kill(process, SIGSTOP) == 0)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit(within: 15) == 0)
    }

    /// Fault 8: the next daemon must not repeat the posts that the slow server answers later.
    @Test(arguments: [true, false])
    func `a daemon that ends while its server is slow loses no request and shows none twice`(
        isCareful: Bool
    ) async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(
            on: bus, script: isCareful ? .plasma64 : ServerScript())
        await server.change {
            $0.replies = .held
            $0.repeatInterval = nil
        }
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.attach(.daemon, on: bus, daemon: daemon)
        try await HostedService.allow(.daemon, on: bus)
        let names = (0..<100).map { "r\($0)" }
        for name in names { try await center.add(name) }
        try await server.calls.first(isCareful ? 1 : 64)
        let start = ContinuousClock.now
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        // The daemon waits 1 s for the server's answers and 1.5 s for its store, not a call's 25 s.
        #expect(ContinuousClock.now - start < .seconds(4))
        await server.release()
        let next = try await HostedService.startDaemon(on: bus)
        try await center.settled { $0.isEmpty && $1.count == 100 }
        #expect(server.calls.all.map(\.summary).sorted() == names.sorted())
        await next.stop()
        await server.stop()
    }

    /// Starts a daemon as systemd does; returns the daemon and its log when the daemon serves.
    private static func startCounting(
        on bus: PrivateBus
    ) async throws -> (daemon: RunningProgram, told: RunningProgram) {
        let log = bus.directory + "/log"
        // The daemon counts its quick ends only under systemd, which sets `SYSTEMD_EXEC_PID`.
        let command = "exec env SYSTEMD_EXEC_PID=$$ '\(try HostedService.program("tocsind"))'"
        let daemon = try RunningProgram(
            "sh", ["-c", "\(command) >'\(log)' 2>&1"], environment: bus.environment)
        let told = try lines(of: log)
        try await told.lines.first("the daemon") { $0.contains("serving") }
        return (daemon, told)
    }

    /// `QuickEnds` counts only unclean ends soon after a start; an end by SIGTERM is clean.
    @Test func `a daemon that gets SIGTERM while its bus is away counts no quick end`()
        async throws
    {
        let bus = try PrivateBus()
        let starts = try #require(bus.environment["XDG_RUNTIME_DIR"]) + "/tocsind.starts"
        let (daemon, told) = try await Self.startCounting(on: bus)
        #expect(FileManager.default.fileExists(atPath: starts))
        bus.stop()
        try await told.lines.first("the loss of the bus") { $0.contains("has released the store") }
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        #expect(!FileManager.default.fileExists(atPath: starts))
        await told.stop()
    }

    /// After three quick ends, the daemon delays its start; a return to the bus must not count.
    @Test func `a daemon that loses its bus right after its start counts no quick end`()
        async throws
    {
        let bus = try PrivateBus()
        let starts = try #require(bus.environment["XDG_RUNTIME_DIR"]) + "/tocsind.starts"
        let (daemon, told) = try await Self.startCounting(on: bus)
        try bus.restart()
        try await told.lines.wait(for: "the daemon again", within: 60) { lines in
            lines.count { $0.contains("serving") } == 2
        }
        let text = try String(contentsOfFile: starts, encoding: .utf8)
        #expect(text.hasPrefix("0 "), "\(text)")
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        await told.stop()
    }

    /// Fault 32, with an outage of the bus that is so long that the daemon releases its store.
    @Test
    func `a daemon without its bus leaves the store to the next session until the bus is back`()
        async throws
    {
        let (old, new) = (try PrivateBus(), try PrivateBus())
        let state = ["XDG_STATE_HOME": old.directory + "/shared-state"]
        let log = old.directory + "/log"
        let first = try RunningProgram(
            "sh", ["-c", "exec '\(try HostedService.program("tocsind"))' >'\(log)' 2>&1"],
            environment: old.environment.merging(state) { $1 })
        let told = try Self.lines(of: log)
        try await told.lines.wait(for: "the first daemon") { !$0.isEmpty }
        let center = try await HostedService.attach(.daemon, on: old)
        try await HostedService.allow(.daemon, on: old)
        let request = NotificationRequest(
            identifier: "a", content: NotificationContent(title: "due meanwhile"),
            trigger: .interval(seconds: 5, repeats: false))
        try await center.service.add(request, attachments: [], for: center.app)
        old.stop()
        try await told.lines.wait(for: "the loss of the bus", within: 60) { lines in
            lines.contains { $0.contains("has released the store") }
        }

        let server = try await ScriptedServer.start(on: new)
        let second = try Self.daemon(on: new, environment: state)
        let calls = try await server.calls.wait(for: "the popup", within: 60) { !$0.isEmpty }
        #expect(calls.map(\.summary) == ["due meanwhile"])
        await second.stop()
        #expect(!second.said.contains("another process releases the store"))

        try old.start()
        let next = try await ScriptedServer.start(on: old)
        try await told.lines.wait(for: "the daemon again", within: 60) { lines in
            lines.count { $0.contains("serving") } == 2
        }
        let client = try await HostedService.client(on: old)
        try await client.add(
            NotificationRequest(identifier: "b", content: NotificationContent(title: "again")),
            attachments: [], for: center.app)
        try await next.calls.wait(for: "the next popup") { $0.map(\.summary) == ["again"] }
        first.signal(SIGTERM)
        #expect(try await first.exit() == 0)
        await told.stop()
        await server.stop()
        await next.stop()
    }
}
