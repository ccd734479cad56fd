import DesktopBus
import Reactor
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct CallTests {
    @Test func `an opened connection has a unique name, also after a second opening`() async throws
    {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let name = try #require(await connection.uniqueName)
        #expect(name.rawValue.hasPrefix(":"))
        #expect(try await connection.owner(of: name) == name)
        try await connection.open()
        #expect(await connection.uniqueName == name)
    }

    @Test func `a call that is sent before the bus answers Hello is answered`() async throws {
        let bus = try PrivateBus()
        let reactor = Reactor.started("ahead")
        defer { reactor.stop() }
        let connection = BusConnection(
            address: bus.address, reactor: reactor, options: .init { $0.connectsOnReactor = true })
        try await connection.openAhead()
        let answer = try await connection.call(
            .toBus("GetNameOwner", [.string("org.freedesktop.DBus")]))
        #expect(answer.arguments == [.string("org.freedesktop.DBus")])
        #expect(await connection.uniqueName != nil)
        await connection.close()
    }

    @Test func `an opening that does not await Hello fails at once if no bus listens`() async throws
    {
        let reactor = Reactor.started("ahead")
        defer { reactor.stop() }
        // If the opening waited for its timeout, the test would reach its time limit.
        let connection = BusConnection(
            address: try BusAddress(socketPath: "/nonexistent/bus"), reactor: reactor,
            options: .init {
                $0.connectsOnReactor = true
                $0.openTimeout = .seconds(3_600)
            })
        #expect(await busError { try await connection.openAhead() }?.code == .connectionFailed)
    }

    @Test func `the answer of the bus is decoded`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let reply = try await connection.call(.toBus("ListNames"))
        #expect(reply.sender == "org.freedesktop.DBus")
        #expect(reply.arguments[0].stringsValue?.contains("org.freedesktop.DBus") == true)
    }

    @Test func `an error of a peer keeps its name`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let unknown = await busError { _ = try await connection.call(.toBus("NoSuchMethod")) }
        #expect(unknown?.remoteName == "org.freedesktop.DBus.Error.UnknownMethod")
        let absent = await busError {
            _ = try await connection.call(.toPeer("test.Absent", "Echo", [.variant(.byte(1))]))
        }
        #expect(absent?.code == .serviceUnknown)
    }

    @Test func `hundreds of calls are in flight and each gets its own answer`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        try await server.export(TestObject().exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let sums = try await withThrowingTaskGroup(of: (Int32, Int32?).self) { group in
            for number in Int32(0)..<640 {
                group.addTask {
                    let call = MethodCall.toPeer(name, "Add", [.int32(number), .int32(1)])
                    return (number, try await client.call(call).arguments.first?.int32Value)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(sums.count == 640)
        #expect(sums.allSatisfy { $0.value == $0.key + 1 })
    }

    @Test func `64 calls of one connection wait at the same time`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 {
                group.addTask { _ = try await client.call(.toPeer(name, "Wait")) }
            }
            _ = await object.received.wait(for: 64)
            await object.gate.open()
            try await group.waitForAll()
        }
        #expect(object.received.values.count == 64)
    }

    @Test func `a call without an answer ends at its deadline and a late answer is dropped`()
        async throws
    {
        let bus = try PrivateBus()
        let server = try await connect(bus)
        // If the call waited for the usual timeout, the test would reach its time limit.
        let client = try await connect(bus, .init { $0.callTimeout = .seconds(3_600) })
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let error = await busError {
            _ = try await client.call(.toPeer(name, "Wait"), timeout: .milliseconds(30))
        }
        #expect(error?.code == .timedOut)
        await object.gate.open()
        // The bus delivers in order, so the late answer has arrived before the answer to this call.
        let reply = try await client.call(.toPeer(name, "Add", [.int32(1), .int32(2)]))
        #expect(reply.arguments == [.int32(3)])
    }

    @Test func `a call ends if its task is cancelled`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let task = Task { await busError { _ = try await client.call(.toPeer(name, "Wait")) } }
        _ = await object.received.wait(for: 1)
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        let second = Task {
            // This wait ends when the task is cancelled, so the call begins in a cancelled task.
            _ = try? await Recording<Void>().first(1)
            return await busError { _ = try await client.call(.toPeer(name, "Wait")) }
        }
        second.cancel()
        #expect(await second.value?.code == .cancelled)
    }

    @Test func `closing a connection ends every wait on it`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let states = Inbox<BusConnectionState>()
        await client.onStateChange { states.append($0) }
        let task = Task { await busError { _ = try await client.call(.toPeer(name, "Wait")) } }
        _ = await object.received.wait(for: 1)
        await client.close()
        await client.close()
        #expect(await task.value?.code == .disconnected)
        #expect(states.values == [.closed])
        let later = await busError { _ = try await client.call(.toBus("GetId")) }
        #expect(later?.code == .disconnected)
        #expect(await busError { try await client.open() }?.code == .disconnected)
    }

    @Test func `a call ends when the other side leaves the bus`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let task = Task { await busError { _ = try await client.call(.toPeer(name, "Wait")) } }
        _ = await object.received.wait(for: 1)
        await server.close()
        #expect(await task.value?.code == .noReply)
    }

    @Test func `more calls than the option allows are refused`() async throws {
        let bus = try PrivateBus()
        let server = try await connect(bus)
        let client = try await connect(bus, .init { $0.maximumPendingCalls = 1 })
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let task = Task { _ = try await client.call(.toPeer(name, "Wait")) }
        _ = await object.received.wait(for: 1)
        let error = await busError { _ = try await client.call(.toBus("GetId")) }
        #expect(error?.code == .limitsExceeded)
        #expect(error?.remoteName == nil)
        await object.gate.open()
        try await task.value
    }

    @Test func `a value of every type comes back unchanged`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        try await server.export(TestObject().exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let values: [BusValue] = [
            .byte(255), .bool(true), .bool(false), .int16(.min), .uint16(.max), .int32(.min),
            .uint32(.max), .int64(.min), .uint64(.max), .double(-0.1), .string(""),
            .string("Grüße, 世界 \u{1F514}"), .objectPath("/a/b"), .signature("a{sv}(ii)"),
            .signature(""), .bytes([]), .bytes(Array(0...255)), .strings([]),
            .strings(["a", "long enough to leave the small strings of Swift behind"]),
            .array(element: "i", [.int32(1), .int32(2)]), .array(element: "(su)", []),
            .array(element: "(su)", [.structure([.string("x"), .uint32(1)])]),
            .array(element: "aas", [.array(element: "as", [.strings(["n"])])]),
            .array(element: "ay", [.bytes([1]), .bytes([])]),
            .array(element: "a{sv}", [.vardict([("k", .bool(true))])]),
            .vardict([]), .vardict([("one", .int32(1)), ("two", .vardict([("x", .byte(1))]))]),
            .dictionary(
                key: "u", value: "(sas)",
                [.init(.uint32(1), .structure([.string("s"), .strings(["t"])]))]),
            .structure([.byte(1), .structure([.string("in"), .variant(.variant(.double(2)))])]),
            .variant(.string("v")),
        ]
        for value in values {
            let reply = try await client.call(.toPeer(name, "Echo", [.variant(value)]))
            #expect(reply.arguments == [.variant(value)])
        }
    }
}
