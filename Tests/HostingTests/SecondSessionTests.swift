import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Two session buses of one user with one store.
///
/// Only one daemon can have the store, so commands in the other session must reach that daemon.
@Suite(.timeLimit(.minutes(5))) struct SecondSessionTests {
    /// Two buses with one state directory.
    private struct Sessions {
        let first: PrivateBus
        let second: PrivateBus
        let state: [String: String]

        init() throws {
            first = try PrivateBus()
            second = try PrivateBus()
            state = ["XDG_STATE_HOME": first.directory + "/shared-state"]
        }

        /// Starts a daemon whose messages appear in `lines`; returns when a line contains `text`.
        func daemon(on bus: PrivateBus, saying text: String) async throws -> RunningProgram {
            let daemon = try RunningProgram(
                "sh", ["-c", "exec '\(try HostedService.program("tocsind"))' 2>&1"],
                environment: bus.environment.merging(state) { $1 })
            try await daemon.lines.wait(for: text) { lines in
                lines.contains { $0.contains(text) }
            }
            return daemon
        }

        /// Runs the tool.
        func tocsin(
            _ arguments: [String], on bus: PrivateBus
        ) async throws -> (status: Int32, output: [String], all: String) {
            let run = try RunningProgram(
                try HostedService.program("tocsin"), arguments,
                environment: bus.environment.merging(state) { $1 })
            let status = try await run.exit()
            try await run.lines.untilFinished(within: 30)
            return (status, run.lines.all, run.said)
        }

        /// Returns when a daemon owns the name on this bus.
        func untilDaemonIsBack(on bus: PrivateBus) async throws {
            let owners = Recording<BusName?>()
            let connection = try await BusConnection.open(on: bus, name: "watch")
            let watch = try await connection.watchOwner(of: "org.tocsin.NotificationCenter1") {
                owners.append($0)
            }
            try await owners.wait(for: "the daemon's name") { $0.last.flatMap(\.self) != nil }
            watch.cancel()
            await connection.close()
        }

        /// Returns the error with which the daemon of a bus answers a call, or nil.
        func refusal(on bus: PrivateBus) async throws -> BusError? {
            let connection = try await BusConnection.open(on: bus, name: "asking")
            do throws(BusError) {
                _ = try await connection.call(.status)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func `the second daemon answers each call with the address of the first daemon's bus`()
        async throws
    {
        let sessions = try Sessions()
        let first = try await sessions.daemon(on: sessions.first, saying: "serving")
        let second = try await sessions.daemon(on: sessions.second, saying: "releases the store")
        let error = try #require(try await sessions.refusal(on: sessions.second))
        #expect(error.remoteName == "org.tocsin.Error.StoreElsewhere")
        let address = try BusAddress(try #require(error.detail))
        #expect(address.leads(toSameBusAs: sessions.first.address))
        second.signal(SIGTERM)
        #expect(try await second.exit() == 0, "a daemon that waits for a store ends on SIGTERM")
        first.signal(SIGTERM)
        #expect(try await first.exit() == 0)
    }

    @Test func `commands in the second session reach the daemon of the first session`() async throws
    {
        let sessions = try Sessions()
        let first = try await sessions.daemon(on: sessions.first, saying: "serving")
        let second = try await sessions.daemon(on: sessions.second, saying: "releases the store")
        let server = try await ScriptedServer.start(on: sessions.first)
        let added = try await sessions.tocsin(
            ["in", "1h", "tea", "--id", "tea"], on: sessions.second)
        #expect(added.status == 0, "\(added.all)")
        for bus in [sessions.first, sessions.second] {
            let listed = try await sessions.tocsin(["list"], on: bus)
            #expect(listed.output.contains { $0.contains("tea") }, "\(listed.all)")
        }
        let ran = try await sessions.tocsin(["run", "--", "true"], on: sessions.second)
        #expect(ran.status == 0)
        let posts = try await server.calls.wait(for: "the end of the command") { !$0.isEmpty }
        #expect(posts.map(\.summary) == ["true is done"])
        #expect(try await sessions.tocsin(["remove", "tea"], on: sessions.second).status == 0)
        await second.stop()
        await first.stop()
        await server.stop()
    }

    @Test func `send in the second session posts on that session's server`() async throws {
        let sessions = try Sessions()
        let first = try await sessions.daemon(on: sessions.first, saying: "serving")
        let second = try await sessions.daemon(on: sessions.second, saying: "releases the store")
        let (main, nested) = (
            try await ScriptedServer.start(on: sessions.first),
            try await ScriptedServer.start(on: sessions.second)
        )
        for arguments in [["send", "here"], ["send", "here", "-u", "low"]] {
            let sent = try await sessions.tocsin(arguments, on: sessions.second)
            #expect(sent.status == 0, "\(sent.all)")
            #expect(sent.all.contains("serves another session"))
        }
        #expect(nested.calls.all.map(\.summary) == ["here", "here"])
        #expect(main.calls.all.isEmpty)
        await second.stop()
        await first.stop()
        await main.stop()
        await nested.stop()
    }

    @Test func `if the first bus is out of reach, schedule uses the inbox`() async throws {
        let sessions = try Sessions()
        let first = try await sessions.daemon(on: sessions.first, saying: "serving")
        let second = try await sessions.daemon(on: sessions.second, saying: "releases the store")
        let socket = sessions.first.directory + "/run/bus"
        try FileManager.default.moveItem(atPath: socket, toPath: socket + ".away")
        for arguments in [["list"], ["show", "last"], ["remove", "--all"], ["settings"]] {
            let run = try await sessions.tocsin(arguments, on: sessions.second)
            #expect(run.status == 75, "\(arguments): \(run.all)")
            #expect(run.all.contains("cannot be reached from here"), "\(run.all)")
        }
        let kept = try await sessions.tocsin(
            ["in", "1h", "tea", "--id", "tea"], on: sessions.second)
        #expect(kept.status == 0, "\(kept.all)")
        #expect(kept.all.contains("another session takes it"), "\(kept.all)")
        try FileManager.default.moveItem(atPath: socket + ".away", toPath: socket)
        await first.stop()
        try await second.lines.wait(for: "the store") { lines in
            lines.contains { $0.contains("serving") }
        }
        let listed = try await sessions.tocsin(["list"], on: sessions.second)
        #expect(listed.output.contains { $0.contains("tea") }, "\(listed.all)")
        await second.stop()
    }

    /// A lost bus must not leave a thread that waits for the store.
    @Test func `a daemon waits for a store with one thread, even after restarts of its bus`()
        async throws
    {
        let sessions = try Sessions()
        let first = try await sessions.daemon(on: sessions.first, saying: "serving")
        let second = try await sessions.daemon(on: sessions.second, saying: "releases the store")
        for _ in 0..<3 {
            try sessions.second.restart()
            try await sessions.untilDaemonIsBack(on: sessions.second)
            // The daemon gives this answer while it waits for the store.
            let error = try #require(try await sessions.refusal(on: sessions.second))
            #expect(error.remoteName == "org.tocsin.Error.StoreElsewhere")
        }
        // A thread that waits has the lock file open; the daemon also opens the file for a moment
        // to read the address of the other bus.
        let folder = "/proc/\(second.processIdentifier)/fd"
        let files = FileManager.default
        let locks = try files.contentsOfDirectory(atPath: folder)
            .compactMap { try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            .filter { $0.hasSuffix("/center.lock") }
        #expect((1...2).contains(locks.count), "\(locks)")
        await second.stop()
        await first.stop()
    }

    /// At first the app is connected through the bus of the first session, and this session ends.
    @Test func `an app of the second session gets responses from the daemon of either session`()
        async throws
    {
        let sessions = try Sessions()
        let first = try await sessions.daemon(on: sessions.first, saying: "serving")
        let second = try await sessions.daemon(on: sessions.second, saying: "releases the store")
        let (main, nested) = (
            try await ScriptedServer.start(on: sessions.first),
            try await ScriptedServer.start(on: sessions.second)
        )
        let center = try await HostedService.attach(
            .daemon, on: sessions.second, adding: sessions.state)
        try await center.connect()
        try await center.add("one")
        let post = try await main.calls.wait(for: "the popup") { !$0.isEmpty }[0]
        try await main.click(post.id, "default")
        let response = try await center.response(1)
        #expect(response.notification.request.identifier == "one")
        try await center.service.acknowledge(response.id, of: center.app)

        sessions.first.stop()
        try await second.lines.wait(for: "the store") { lines in
            lines.contains { $0.contains("serving") }
        }
        try await center.add("two")
        let next = try await nested.calls.wait(for: "the next popup") { !$0.isEmpty }[0]
        #expect(next.summary == "two")
        try await nested.click(next.id, "default")
        #expect(try await center.response(2).notification.request.identifier == "two")
        await second.stop()
        await first.stop()
        await nested.stop()
        await main.stop()
    }
}

/// A daemon that a signal has stopped, so it does not answer.
@Suite(.timeLimit(.minutes(5))) struct StoppedDaemonTests {
    /// A command must not wait for the call's timeout of 25 s.
    @Test func `a call to a stopped daemon fails before its timeout, and the error names the stop`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "client")
        let client = HostedService.client(over: connection)
        daemon.signal(SIGSTOP)
        // This call begins earlier and has the same timeout. If it succeeds, the call below failed
        // before the timeout.
        let answered = Recording<Bool>()
        connection.call(.status) { result in
            guard case .success = result else { return answered.append(false) }
            answered.append(true)
        }
        let error = await #expect(throws: NotificationError.self) { try await client.status() }
        #expect(error?.code == .noDaemon)
        #expect(error?.message.contains("is stopped") == true, "\(error?.message ?? "")")
        daemon.signal(SIGCONT)
        #expect(try await answered.first(1) == [true], "the error must come before the timeout")
        #expect(try await client.status().hosting == "daemon")
        await daemon.stop()
    }
}

/// A wait may take days, and the daemon may be stopped for a part of that time.
@Suite(.timeLimit(.minutes(5))) struct WaitOverStopTests {
    @Test func `a wait goes on with a daemon that was stopped for a while`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let center = try await HostedService.attach(.daemon, on: bus)
        try await center.add("tea", trigger: .interval(seconds: 3_600, repeats: false))
        let ends = Recording<Bool>()
        let wait = Task.immediate {
            do {
                try await center.service.waitUntilIdle(center.app, includingPopups: false)
                ends.append(true)
            } catch {
                ends.append(false)
            }
        }
        // The second client's call fails when it notices that the daemon is stopped. At that moment
        // the wait has also noticed the stop.
        let other = try await HostedService.client(on: bus)
        _ = try await other.status()
        daemon.signal(SIGSTOP)
        _ = await #expect(throws: NotificationError.self) { try await other.status() }
        daemon.signal(SIGCONT)
        #expect(ends.all.isEmpty)
        try await center.service.removePending(.all, of: center.app)
        #expect(try await ends.first(1) == [true])
        await wait.value
        await daemon.stop()
        await server.stop()
    }
}

/// An installed daemon, or a development daemon, that cannot open its store.
@Suite(.timeLimit(.minutes(5))) struct StoreRefusalTests {
    enum Fault: String, CaseIterable {
        case link, file, writableByOthers, database

        /// Makes the store's directory unusable in this way.
        func make(_ directory: String) throws {
            let files = FileManager.default
            let parent = (directory as NSString).deletingLastPathComponent
            try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
            switch self {
            case .link:
                try files.createSymbolicLink(atPath: directory, withDestinationPath: "/tmp")
            case .file: #expect(files.createFile(atPath: directory, contents: nil))
            case .writableByOthers:
                try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
                #expect(chmod(directory, 0o777) == 0)
            case .database:
                try files.createDirectory(
                    atPath: directory + "/center.sqlite", withIntermediateDirectories: true)
                #expect(chmod(directory, 0o700) == 0)
            }
        }
    }

    @Test(arguments: Fault.allCases, [true, false])
    func `the tool says why the store is refused`(
        _ fault: Fault, _ isInstalled: Bool
    ) async throws {
        let name = "org.tocsin.NotificationCenter1"
        let service =
            "[D-BUS Service]\nName=\(name)\nExec='\(try HostedService.program("tocsind"))'\n"
        let bus = try PrivateBus(services: isInstalled ? ["\(name).service": service] : [:])
        let machine = try String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let state = try #require(bus.environment["XDG_STATE_HOME"]) + "/tocsin/" + machine
        let directory = isInstalled ? state : state + "/dev"
        try fault.make(directory)
        for arguments in [["list"], ["in", "1h", "tea"]] {
            let run = try RunningProgram(
                try HostedService.program("tocsin"), arguments, environment: bus.environment)
            #expect(try await run.exit() == 1, "\(run.said)")
            try await run.lines.untilFinished(within: 30)
            #expect(run.said.contains(directory), "\(run.said)")
            #expect(run.said.contains("refused") || run.said.contains("opened"), "\(run.said)")
        }
    }
}

extension MethodCall {
    fileprivate static var status: MethodCall {
        MethodCall(
            destination: "org.tocsin.NotificationCenter1",
            path: "/org/tocsin/NotificationCenter1",
            interface: "org.tocsin.NotificationCenter1", member: "Status")
    }
}
