import DesktopBus
import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ReconnectTests {
    private static let quick = BusConnectionOptions {
        $0.reconnect = Backoff(first: .milliseconds(10), longest: .milliseconds(50))
    }

    @Test func `after a restart of the bus, names, objects and subscriptions are there again`()
        async throws
    {
        let bus = try PrivateBus()
        let (server, client) = (
            try await connect(bus, Self.quick), try await connect(bus, Self.quick)
        )
        try await server.requestName("test.Name")
        try await server.export(TestObject().exported, at: TestObject.path)
        let (owners, signals) = (Inbox<BusName?>(), Inbox<String>())
        let watch = try await client.watchOwner(of: "test.Name") { owners.append($0) }
        let rule = MatchRule(sender: "test.Name", member: "Happened")
        let subscription = try await client.subscribe(rule) {
            signals.append($0.arguments[0].stringValue ?? "")
        }
        #expect(owners.values.count == 1)
        try bus.restart()
        let seen = await owners.wait(for: 3)
        #expect(seen[1] == nil)
        #expect(seen[2] != nil)
        let reply = try await client.call(.toPeer("test.Name", "Add", [.int32(20), .int32(1)]))
        #expect(reply.arguments == [.int32(21)])
        try await server.emit(
            path: "/test/Object", interface: "test.Interface", member: "Happened",
            arguments: [.string("again")])
        #expect(await signals.wait(for: 1) == ["again"])
        watch.cancel()
        subscription.cancel()
    }

    @Test func `waiting calls and later calls fail when the bus is lost`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let states = Inbox<BusConnectionState>()
        await client.onStateChange { states.append($0) }
        let name = try #require(await server.uniqueName)
        let task = Task { await busError { _ = try await client.call(.toPeer(name, "Wait")) } }
        _ = await object.received.wait(for: 1)
        bus.stop()
        #expect(await task.value?.code == .disconnected)
        guard case .disconnected = try #require(await states.wait(for: 1).first) else {
            Issue.record("the loss was not reported")
            return
        }
        let later = await busError { _ = try await client.call(.toBus("GetId")) }
        #expect(later?.code == .disconnected)
        // Without the option to reconnect, the caller opens the connection again.
        try bus.start()
        try await client.open()
        _ = try await client.call(.toBus("GetId"))
    }

    /// libdbus closes the socket while it writes, so the reactor gets no event of the socket.
    ///
    /// If the connection did not report the loss, a daemon would keep its store without a bus.
    @Test func `a connection whose send finds the bus dead reports the loss`() async throws {
        let bus = try PrivateBus()
        let client = try await connect(bus)
        let states = Inbox<BusConnectionState>()
        await client.onStateChange { states.append($0) }
        let process = try #require(bus.processIdentifier)
        kill(process, SIGSTOP)
        var information = siginfo_t()
        waitid(P_PID, id_t(process), &information, WSTOPPED | WNOWAIT)
        let sendErrors = Inbox<BusError?>()
        // The reactor polls the socket only after this closure.
        client.onReactor { client in
            for isLast in [false, true] {
                // The bus dies without having read the first signal.
                if isLast { bus.stop() }
                do throws(BusError) {
                    try client.emit(path: "/a", interface: "test.Interface", member: "Happened")
                    sendErrors.append(nil)
                } catch {
                    sendErrors.append(error)
                }
            }
        }
        guard case .disconnected = try #require(await states.wait(for: 1).first) else {
            Issue.record("the loss was not reported")
            return
        }
        #expect(sendErrors.values == [nil, nil])
        #expect(await client.uniqueName == nil)
    }

    @Test func `a name that another connection took during the outage is reported as lost`()
        async throws
    {
        let bus = try PrivateBus()
        let first = try await connect(
            bus, .init { $0.reconnect = Backoff(first: .seconds(60), longest: .seconds(60)) })
        let lost = Inbox<Int>()
        try await first.requestName("test.Name") { lost.append(1) }
        let states = Inbox<BusConnectionState>()
        await first.onStateChange { states.append($0) }
        try bus.restart()
        _ = await states.wait(for: 1)
        let second = try await connect(bus)
        try await second.requestName("test.Name")
        try await first.open()
        _ = await lost.wait(for: 1)
        #expect(try await first.owner(of: "test.Name") == second.uniqueName)
    }

    /// If the answer to the request stored the name again, its release would be reported as a loss.
    @Test func `a name that is released while it is requested again is not reported as lost`()
        async throws
    {
        let bus = try PrivateBus()
        let client = try await connect(bus, Self.quick)
        let (lost, releases) = (Inbox<Int>(), Inbox<BusError?>())
        try await client.requestName("test.Name") { lost.append(1) }
        await client.onStateChange { state in
            guard case .connected = state else { return }
            // The reactor begins the release before it reads the answer to the request.
            Task.immediate {
                do throws(BusError) {
                    try await client.releaseName("test.Name")
                    releases.append(nil)
                } catch {
                    releases.append(error)
                }
            }
        }
        try bus.restart()
        // The bus signals the loss of the name before it answers the release.
        #expect(await releases.wait(for: 1) == [nil])
        #expect(lost.values.isEmpty)
        #expect(try await client.owner(of: "test.Name") == nil)
        await client.close()
    }

    @Test func `a subscription made without a bus begins when the bus returns`() async throws {
        let bus = try PrivateBus()
        let client = try await connect(
            bus, .init { $0.reconnect = Backoff(first: .seconds(60), longest: .seconds(60)) })
        let states = Inbox<BusConnectionState>()
        await client.onStateChange { states.append($0) }
        bus.stop()
        _ = await states.wait(for: 1)
        let (owners, signals) = (Inbox<BusName?>(), Inbox<Int>())
        let watch = try await client.watchOwner(of: "test.Name") { owners.append($0) }
        let subscription = try await client.subscribe(MatchRule(member: "Happened")) { _ in
            signals.append(1)
        }
        #expect(owners.values == [nil])
        try bus.start()
        try await client.open()
        let server = try await connect(bus)
        try await server.requestName("test.Name")
        _ = await owners.wait(for: 2)
        try await server.emit(path: "/a", interface: "test.Interface", member: "Happened")
        _ = await signals.wait(for: 1)
        watch.cancel()
        subscription.cancel()
    }

    /// Without another attempt, the subscription gets no signal until the next reconnect.
    @Test func `a rule that the bus refuses after a reconnect is sent again`() async throws {
        let bus = try PrivateBus()
        let client = try await connect(bus, Self.quick)
        let (states, signals) = (Inbox<BusConnectionState>(), Inbox<Int>())
        await client.onStateChange { states.append($0) }
        let subscription = try await client.subscribe(MatchRule(member: "Happened")) { _ in
            signals.append(1)
        }
        let owners = Inbox<BusName?>()
        let watch = try await client.watchOwner(of: "test.Name") { owners.append($0) }
        #expect(owners.values == [nil])
        let file = "\(bus.directory)/bus.conf"
        let usual = try String(contentsOfFile: file, encoding: .utf8)
        let limit = #""max_match_rules_per_connection">"#
        let strict = usual.replacingOccurrences(of: limit + "50000", with: limit + "0")
        #expect(strict != usual)
        try strict.write(toFile: file, atomically: true, encoding: .utf8)
        try bus.restart()
        _ = await states.wait(for: 2)
        // The bus answers in order, so the refusal has come before this answer.
        _ = try await client.call(.toBus("GetId"))
        try usual.write(toFile: file, atomically: true, encoding: .utf8)
        let server = try await connect(bus)
        try await server.requestName("test.Name")
        try await server.reloadConfiguration()
        // The bus has sent every refusal. The next attempt follows within the longest pause, so it
        // reaches the bus before the last call.
        _ = try await client.call(.toBus("GetId"))
        await client.pause(.milliseconds(50))
        _ = try await client.call(.toBus("GetId"))
        try await server.emit(path: "/a", interface: "test.Interface", member: "Happened")
        _ = await signals.wait(for: 1)
        #expect(await owners.values.last == server.uniqueName)
        watch.cancel()
        subscription.cancel()
    }

    /// If the name counted as unowned, the connection would drop the signals of its owner.
    ///
    /// Here the calls for the match rules use up the limit of pending calls, so the question fails.
    /// A bus that is too slow to answer has the same effect.
    @Test func `if the question for a name's owner fails after a reconnect, it is asked again`()
        async throws
    {
        let bus = try PrivateBus()
        let client = try await connect(
            bus,
            .init {
                $0.reconnect = Self.quick.reconnect
                $0.maximumPendingCalls = 2
            })
        // The bus owns this name from its start, so it never signals a new owner.
        let name: BusName = "org.freedesktop.DBus"
        let owners = Inbox<BusName?>()
        let watch = try await client.watchOwner(of: name) { owners.append($0) }
        let subscription = try await client.subscribe(MatchRule(member: "Happened")) { _ in }
        try bus.restart()
        #expect(await owners.wait(for: 3) == [name, nil, name])
        watch.cancel()
        subscription.cancel()
    }

    @Test func `opening fails at its timeout if the socket accepts and stays silent`() async throws
    {
        let bus = try PrivateBus()
        let path = "\(bus.directory)/silent"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        #expect(listen(listener, 4) == 0)
        let connection = BusConnection(
            address: try BusAddress(socketPath: path), reactor: Reactor.started(),
            options: .init { $0.openTimeout = .milliseconds(100) })
        let error = await busError { try await connection.open() }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message.contains("did not answer within 0.1 seconds") == true)
    }

    /// A thread for each attempt would stay, and would connect when the bus accepts again.
    @Test func `attempts at a bus with a full backlog share one thread and its connection`()
        async throws
    {
        let bus = try RawBus(backlog: 0)
        let count = bus.fillBacklog()
        let reactor = Reactor.started()
        for _ in 0..<5 {
            let connection = BusConnection(
                address: bus.address, reactor: reactor,
                options: .init { $0.openTimeout = .milliseconds(20) })
            let error = await busError { try await connection.open() }
            #expect(error?.code == .connectionFailed)
        }
        let connection = BusConnection(
            address: bus.address, reactor: reactor,
            options: .init { $0.openTimeout = .seconds(60) })
        let opening = Task.immediate { try await connection.open() }
        // The actor answers this after the opening has begun.
        #expect(await connection.uniqueName == nil)
        bus.drop(count)
        let end = try #require(await bus.acceptAndGreet(), "only the running attempt may connect")
        defer { close(end) }
        try await opening.value
        #expect(await connection.uniqueName == ":1.1")
        await connection.close()
        reactor.stop()
    }

    @Test func `a bus that is not there is an error at once`() async throws {
        // If the opening waited for its timeout, the test would reach its time limit.
        let connection = BusConnection(
            address: try BusAddress(socketPath: "/nonexistent/bus"), reactor: Reactor.started(),
            options: .init { $0.openTimeout = .seconds(3_600) })
        let error = await busError { try await connection.open() }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message.contains("/nonexistent/bus") == true)
    }
}
