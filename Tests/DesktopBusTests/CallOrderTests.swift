import DesktopBus
import Reactor
import TestSupport
import Testing

/// The order of the calls of one actor.
///
/// An app that removes a request and then lists the pending requests must not find it.
@Suite(.timeLimit(.minutes(2))) struct CallOrderTests {
    /// Makes each call before the answer to the previous call.
    private actor Caller {
        let connection: BusConnection
        let name: BusName

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            connection.reactor.asUnownedSerialExecutor()
        }

        init(_ connection: BusConnection, _ name: BusName) {
            self.connection = connection
            self.name = name
        }

        func recordCall(_ number: UInt32) async throws {
            _ = try await connection.call(.toPeer(name, "Note", [.uint32(number)]))
        }

        func noteAll(_ count: UInt32) async throws {
            let tasks = (0..<count).map { number in Task { try await recordCall(number) } }
            for task in tasks { try await task.value }
        }
    }

    @Test func `calls of an actor arrive in the order in which it made them`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let numbers = Inbox<UInt32>()
        try await server.export(
            ExportedObject(interfaces: [
                InterfaceTable(
                    name: "test.Interface",
                    methods: [
                        MethodEntry("Note", in: [ArgumentEntry("number", "u")]) {
                            numbers.append($0.arguments[0].uint32Value ?? 0)
                            return []
                        }
                    ])
            ]), at: TestObject.path)
        let caller = Caller(client, try #require(await server.uniqueName))
        try await caller.noteAll(400)
        #expect(numbers.values == Array(0..<400))
    }
}
