import DesktopBus
import Glibc
import TestSupport
import Testing

/// Other implementations call our exported object and are called by us.
@Suite(.timeLimit(.minutes(2))) struct InteroperationTests {
    @Test(.disabled(if: PythonPeer.isMissing, "python3-dbus or python3-gi is not installed"))
    func `a Python service answers our call and calls us`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        try await connection.export(TestObject().exported, at: TestObject.path)
        let peer = try PythonPeer(bus)
        let name = try await peer.name()
        let value = BusValue.vardict([("list", .strings(["a"])), ("flag", .bool(true))])
        let echo = try await connection.call(.toPeer(name, "Echo", [.variant(value)]))
        #expect(echo.arguments == [.variant(value)])

        let own = try #require(await connection.uniqueName)
        let call = MethodCall.toPeer(name, "CallBack", [.string(own.rawValue)])
        let answers = try await connection.call(call).arguments
        #expect(answers[0] == .array(element: "i", [.int32(42)]))
        let named = try #require(answers[1].vardictValue)
        #expect(named["echo"]?.vardictValue == ["k": .byte(1)])
        #expect(named["named"] == .string("test.Error.Named"))
        #expect(named["wrong"] == .string("org.freedesktop.DBus.Error.InvalidArgs"))
    }

    @Test(.disabled(if: PythonPeer.isMissing, "python3-dbus or python3-gi is not installed"))
    func `a Python service's signal arrives, and a descriptor reaches the service`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let peer = try PythonPeer(bus)
        let name = try await peer.name()
        let inbox = Inbox<String>()
        let rule = MatchRule(sender: name, member: "Happened")
        let subscription = try await connection.subscribe(rule) {
            inbox.append($0.arguments[0].stringValue ?? "")
        }
        _ = try await connection.call(.toPeer(name, "Emit", [.string("Grüße")]))
        #expect(inbox.values == ["Grüße"])
        subscription.cancel()

        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let reading = BusDescriptor(adopting: ends[0])
        #expect(write(ends[1], "through the bus", 15) == 15)
        close(ends[1])
        let reply = try await connection.call(.toPeer(name, "Read", [.descriptor(reading)]))
        #expect(reply.arguments == [.string("through the bus")])
    }

    @Test(.disabled(if: access("/usr/bin/gdbus", X_OK) != 0, "gdbus is not installed"))
    func `gdbus calls and introspects our object`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        try await connection.requestName("test.Name")
        try await connection.export(TestObject().exported, at: TestObject.path)
        func gdbus(_ arguments: [String]) async throws -> ChildProcess.Result {
            try await ChildProcess("/usr/bin/gdbus", arguments, environment: bus.environment)
                .finish()
        }
        let object = ["--session", "-d", "test.Name", "-o", "/test/Object"]
        let sum = try await gdbus(["call"] + object + ["-m", "test.Interface.Add", "40", "2"])
        #expect(sum == .init(status: 0, output: "(42,)\n"))
        let ping = try await gdbus(["call"] + object + ["-m", "org.freedesktop.DBus.Peer.Ping"])
        #expect(ping == .init(status: 0, output: "()\n"))
        let described = try await gdbus(["introspect"] + object)
        #expect(described.status == 0)
        #expect(described.output.contains("Add(in  i a,"))
        #expect(described.output.contains("readonly u Version = 7;"))
    }
}
