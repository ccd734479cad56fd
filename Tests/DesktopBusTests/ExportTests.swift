import DesktopBus
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ExportTests {
    private func pair() async throws -> (PrivateBus, BusConnection, BusName, TestObject) {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        // This closure keeps the server alive as long as the client.
        await client.onStateChange { _ in _ = server.address }
        return (bus, client, try #require(await server.uniqueName), object)
    }

    @Test func `calls of one sender begin in their order`() async throws {
        let (bus, client, name, object) = try await pair()
        for number in UInt32(0)..<1_000 {
            try await client.send(.toPeer(name, "Count", [.uint32(number)]))
        }
        #expect(await object.received.wait(for: 1_000) == Array(0..<1_000))
        bus.stop()
    }

    @Test func `a BusError of a handler keeps its name, and any other error becomes Failed`()
        async throws
    {
        let (bus, client, name, _) = try await pair()
        let named = await busError { _ = try await client.call(.toPeer(name, "FailByName")) }
        #expect(named == .remote("test.Error.Named", "said so"))
        let other = await busError { _ = try await client.call(.toPeer(name, "FailSomehow")) }
        #expect(other == .remote("org.freedesktop.DBus.Error.Failed", "it failed"))
        bus.stop()
    }

    /// The error of an app must not add lines to the daemon's log.
    @Test func `the text of a peer's error arrives as one bounded line`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let text = "a\nb\u{1B}[31m\u{202E}" + String(repeating: "é", count: 100_000)
        let table = InterfaceTable(
            name: "test.Interface",
            methods: [
                MethodEntry("Forge") { _ in throw BusError.remote("test.Error.Forged", text) }
            ])
        try await server.export(ExportedObject(interfaces: [table]), at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let error = await busError { _ = try await client.call(.toPeer(name, "Forge")) }
        #expect(error?.remoteName == "test.Error.Forged")
        #expect(error?.message.hasPrefix("a b [31m éé") == true)
        #expect(error?.message.unicodeScalars.count == 2_000)
        await server.close()
        bus.stop()
    }

    @Test func `arguments and results of wrong types are refused`() async throws {
        let (bus, client, name, object) = try await pair()
        let wrong = await busError {
            _ = try await client.call(.toPeer(name, "Count", [.string("1")]))
        }
        #expect(wrong?.remoteName == "org.freedesktop.DBus.Error.InvalidArgs")
        #expect(wrong?.message == "Count takes \"u\", not \"s\".")
        #expect(object.received.values.isEmpty)
        let answer = await busError { _ = try await client.call(.toPeer(name, "AnswerWrongly")) }
        #expect(answer?.remoteName == "org.freedesktop.DBus.Error.Failed")
        bus.stop()
    }

    @Test(arguments: [
        ("/test/Object", "test.Interface", "Absent", "UnknownMethod"),
        ("/test/Object", "test.Absent", "Echo", "UnknownInterface"),
        ("/test/Absent", "test.Interface", "Echo", "UnknownObject"),
        ("/test", "test.Interface", "Echo", "UnknownInterface"),
    ])
    func `an unknown object, interface and member get different D-Bus errors`(
        path: String, interface: String, member: String, error: String
    ) async throws {
        let (bus, client, name, _) = try await pair()
        let call = MethodCall(
            destination: name, path: try ObjectPath(path),
            interface: try InterfaceName(interface), member: try MemberName(member))
        let found = await busError { _ = try await client.call(call) }
        #expect(found?.remoteName?.rawValue == "org.freedesktop.DBus.Error.\(error)")
        bus.stop()
    }

    @Test func `a handler gets the unique name of the sender`() async throws {
        let (bus, client, name, _) = try await pair()
        let reply = try await client.call(.toPeer(name, "WhoAmI"))
        #expect(reply.arguments.first?.stringValue == (await client.uniqueName)?.rawValue)
        bus.stop()
    }

    @Test func `properties are read and written`() async throws {
        let (bus, client, name, object) = try await pair()
        func call(_ member: MemberName, _ arguments: [BusValue]) async throws -> [BusValue] {
            let call = MethodCall(
                destination: name, path: "/test/Object",
                interface: "org.freedesktop.DBus.Properties", member: member,
                arguments: arguments)
            return try await client.call(call).arguments
        }
        let interface = BusValue.string("test.Interface")
        #expect(try await call("Get", [interface, .string("Version")]) == [.variant(.uint32(7))])
        _ = try await call("Set", [interface, .string("Text"), .variant(.string("new"))])
        #expect(object.property.values == ["new"])
        let all = try await call("GetAll", [interface])[0].vardictValue
        #expect(all == ["Version": .uint32(7), "Text": .string("new")])
        let peer = try await call("GetAll", [.string("org.freedesktop.DBus.Peer")])
        #expect(peer[0].vardictValue == [:])
        let unknown = await busError {
            _ = try await call("GetAll", [.string("org.freedesktop.DBus.Bogus")])
        }
        #expect(unknown?.remoteName == "org.freedesktop.DBus.Error.UnknownInterface")
        let readOnly = await busError {
            _ = try await call("Set", [interface, .string("Version"), .variant(.uint32(8))])
        }
        #expect(readOnly?.remoteName == "org.freedesktop.DBus.Error.PropertyReadOnly")
        let wrong = await busError {
            _ = try await call("Set", [interface, .string("Text"), .variant(.uint32(8))])
        }
        #expect(wrong?.remoteName == "org.freedesktop.DBus.Error.InvalidArgs")
        let absent = await busError { _ = try await call("Get", [interface, .string("Absent")]) }
        #expect(absent?.remoteName == "org.freedesktop.DBus.Error.UnknownProperty")
        bus.stop()
    }

    @Test func `the introspection data describes the table`() async throws {
        let (bus, client, name, _) = try await pair()
        func introspect(_ path: ObjectPath) async throws -> String {
            let call = MethodCall(
                destination: name, path: path, interface: "org.freedesktop.DBus.Introspectable",
                member: "Introspect")
            return try await client.call(call).arguments[0].stringValue ?? ""
        }
        let xml = try await introspect("/test/Object")
        #expect(xml.contains("<interface name=\"test.Interface\">"))
        #expect(xml.contains("<arg name=\"b\" type=\"i\" direction=\"in\"/>"))
        #expect(xml.contains("<arg name=\"sum\" type=\"i\" direction=\"out\"/>"))
        #expect(xml.contains("<signal name=\"Happened\">"))
        #expect(xml.contains("<property name=\"Version\" type=\"u\" access=\"read\">"))
        #expect(xml.contains("EmitsChangedSignal\" value=\"const\"/>"))
        #expect(xml.contains("<property name=\"Text\" type=\"s\" access=\"readwrite\"/>"))
        #expect(try await introspect("/").contains("<node name=\"test\"/>"))
        #expect(try await introspect("/test").contains("<node name=\"Object\"/>"))
        bus.stop()
    }

    @Test func `a second export at a path is refused until the first export ends`() async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let object = TestObject().exported
        try await connection.export(object, at: "/a")
        let error = await busError { try await connection.export(object, at: "/a") }
        #expect(error?.code == .alreadyExported)
        await connection.unexport(at: "/a")
        try await connection.export(object, at: "/a")
    }

    @Test func `a caller that floods uses up only its own quota`() async throws {
        let bus = try PrivateBus()
        let server = try await connect(bus, .init { $0.maximumInvocationsOfSender = 2 })
        let (flooding, other) = (try await connect(bus), try await connect(bus))
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let waiting = (0..<2).map { _ in
            Task { _ = try await flooding.call(.toPeer(name, "Wait")) }
        }
        _ = await object.received.wait(for: 2)
        let error = await busError { _ = try await flooding.call(.toPeer(name, "WhoAmI")) }
        #expect(error?.remoteName == "org.freedesktop.DBus.Error.LimitsExceeded")
        #expect(error?.message.contains("of your calls") == true)
        _ = try await other.call(.toPeer(name, "WhoAmI"))
        await object.gate.open()
        for task in waiting { try await task.value }
        _ = try await flooding.call(.toPeer(name, "WhoAmI"))
    }

    @Test func `more calls than the option allows are answered with an error`() async throws {
        let bus = try PrivateBus()
        let server = try await connect(bus, .init { $0.maximumInvocations = 1 })
        let client = try await connect(bus)
        let object = TestObject()
        try await server.export(object.exported, at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let waiting = Task { _ = try await client.call(.toPeer(name, "Wait")) }
        _ = await object.received.wait(for: 1)
        let error = await busError { _ = try await client.call(.toPeer(name, "WhoAmI")) }
        #expect(error?.remoteName == "org.freedesktop.DBus.Error.LimitsExceeded")
        await object.gate.open()
        try await waiting.value
        _ = try await client.call(.toPeer(name, "WhoAmI"))
    }
}
