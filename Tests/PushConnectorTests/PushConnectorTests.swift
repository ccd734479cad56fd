import DesktopBus
import NotificationModel
import TestSupport
import Testing
import WebPush

@testable import PushConnector

/// The connector on a private bus with a scripted distributor, and a centre in memory.
@Suite(.timeLimit(.minutes(2))) struct PushConnectorTests {
    private static let service: BusName = "org.tocsin.NotificationCenter1"

    private func connector(
        on bus: PrivateBus, for center: MemoryPushCenter,
        retry: Backoff = PushConnector.Timing().retry
    ) async throws -> (PushConnector, BusConnection) {
        let connection = try await BusConnection.open(on: bus, name: "connector")
        var timing = PushConnector.Timing()
        timing.retry = retry
        let connector = PushConnector(
            connection: connection, service: Self.service, distributor: nil, timing: timing)
        try await connector.prepare()
        try await connection.requestName(Self.service)
        try await connector.start(center)
        return (connector, connection)
    }

    private static func registration(_ number: Int) throws -> PushRegistration {
        let keys = PushKeys()
        return PushRegistration(
            app: try ApplicationID("org.example.App\(number)"), token: "token-\(number)",
            privateKey: keys.privateKey, authenticationSecret: keys.authenticationSecret)
    }

    private static func subscription(
        _ registration: PushRegistration
    ) throws -> PushSubscription {
        let keys = try PushKeys(
            privateKey: registration.privateKey,
            authenticationSecret: registration.authenticationSecret)
        return PushSubscription(
            endpoint: "https://push.example/a", publicKey: keys.publicKey,
            authenticationSecret: keys.authenticationSecret)
    }

    @Test func `a thousand stored apps are registered again, and each gets its own message`()
        async throws
    {
        let count = 1_000
        let bus = try PrivateBus()
        let stored = try (0..<count).map(Self.registration)
        let center = MemoryPushCenter(stored)
        let distributor = try await ScriptedDistributor.start(on: bus)
        let (connector, connection) = try await connector(on: bus, for: center)
        try await center.subscriptions.wait(for: "all endpoints") { $0.count == count }
        let status = await connector.status()
        #expect(status.appCount == count && status.endpointCount == count)
        #expect(Set(distributor.registrations.all.map(\.token)).count == count)
        for (number, registration) in stored.enumerated() {
            let body = try MessageEncryption.encrypt(
                Array("\(number)".utf8), for: Self.subscription(registration))
            try await distributor.send(body, to: registration.token)
        }
        let payloads = try await center.payloads.wait(for: "all messages") { $0.count == count }
        for (number, registration) in stored.enumerated() {
            #expect(payloads[number].app == registration.app)
            #expect(payloads[number].payload == Array("\(number)".utf8))
        }
        await connection.close()
        await distributor.stop()
    }

    @Test func `the pauses after temporary refusals grow`() async throws {
        let bus = try PrivateBus()
        let center = MemoryPushCenter([try Self.registration(1)])
        let distributor = try await ScriptedDistributor.start(
            on: bus, refusing: ["NETWORK", "INTERNAL_ERROR", "NETWORK", "NETWORK", "NETWORK"])
        let start = ContinuousClock.now
        let (_, connection) = try await connector(
            on: bus, for: center, retry: Backoff(first: .milliseconds(40)))
        try await center.subscriptions.wait(for: "the endpoint") { $0.count == 1 }
        // The shortest pauses are 40, 80, 160, 320 and 640 ms. Five pauses that do not grow take at
        // most 400 ms together.
        #expect(start.duration(to: .now) >= .milliseconds(1_240))
        #expect(distributor.registrations.all.count == 6)
        await connection.close()
        await distributor.stop()
    }

    @Test func `a distributor that offers its object later than its name gets the registrations`()
        async throws
    {
        let bus = try PrivateBus()
        let recorder = try await BusRecorder(bus)
        let distributor = try await BusConnection.open(on: bus, name: "distributor")
        try await distributor.requestName("org.unifiedpush.Distributor.late")
        let (_, connection) = try await connector(
            on: bus, for: MemoryPushCenter([Self.registration(1)]),
            retry: Backoff(first: .milliseconds(10)))
        try await recorder.waitForLine(containing: "Error.UnknownObject")
        try await distributor.export(
            ExportedObject(interfaces: [
                InterfaceTable(name: UnifiedPush.Version.two.distributor)
            ]), at: UnifiedPush.distributorPath)
        try await recorder.waitForLine(containing: "member=Register")
        await recorder.stop()
        await connection.close()
        await distributor.close()
    }

    /// A daemon that loses its bus must release its former engine, with the engine's file watches.
    @Test func `a connector releases its centre when its connection closes`() async throws {
        let bus = try PrivateBus()
        func started() async throws -> (PushConnector, BusConnection, Recording<Void>) {
            let center = MemoryPushCenter()
            let (made, open) = try await self.connector(on: bus, for: center)
            return (made, open, center.releases)
        }
        let (connector, connection, releases) = try await started()
        #expect(releases.all.isEmpty)
        await connection.close()
        try await releases.first(1)
        withExtendedLifetime(connector) {}
    }

    @Test func `a message that cannot be stored is refused, and is stored when it is sent again`()
        async throws
    {
        let bus = try PrivateBus()
        let registration = try Self.registration(1)
        let center = MemoryPushCenter([registration])
        let distributor = try await ScriptedDistributor.start(on: bus)
        let (_, connection) = try await connector(on: bus, for: center)
        try await center.subscriptions.wait(for: "the endpoint") { $0.count == 1 }
        let body = try MessageEncryption.encrypt([1], for: Self.subscription(registration))
        await center.refuse(with: NotificationError(.noSpace, "The disk is full."))
        let error = await #expect(throws: BusError.self) {
            try await distributor.send(body, to: registration.token, id: "m")
        }
        #expect(error?.message == "The disk is full.")
        await center.refuse(with: nil)
        #expect(try await distributor.send(body, to: registration.token, id: "m") == "m")
        #expect(center.payloads.all.count == 1)
        await connection.close()
        await distributor.stop()
    }

    @Test func `an endpoint that arrives while its app unregisters is not stored again`()
        async throws
    {
        let bus = try PrivateBus()
        let registration = try Self.registration(1)
        let center = MemoryPushCenter([registration])
        let distributor = try await ScriptedDistributor.start(on: bus)
        let (connector, connection) = try await connector(on: bus, for: center)
        try await center.subscriptions.wait(for: "the endpoint") { $0.count == 1 }
        let late = try #require(
            PushEndpoint(
                token: .string(registration.token), url: .string("https://push.example/late")))
        await center.runAfterRemovals { await connector.endpointReported(late, by: ":1.99") }
        try await connector.unregister(registration.app)
        #expect(try await distributor.unregistrations.first(1) == [registration.token])
        // A task that stores the late endpoint would begin before this call.
        #expect(await connector.status().appCount == 0)
        #expect(await center.pushRegistrations().isEmpty)
        await connection.close()
        await distributor.stop()
    }

    /// If the connector lost such an app's token, the app could never end its registration.
    @Test func `an app that registers while another app takes a new id can unregister`()
        async throws
    {
        let bus = try PrivateBus()
        let moved = try Self.registration(1)
        let center = MemoryPushCenter([moved])
        let distributor = try await ScriptedDistributor.start(on: bus)
        let (connector, connection) = try await connector(on: bus, for: center)
        await center.runAfterReads {
            _ = try? await connector.register(.tocsin, name: "Tea", serverKey: nil)
        }
        await connector.registrationsMoved()
        #expect(await connector.status().appCount == 2)
        try await connector.unregister(.tocsin)
        #expect(await connector.status().appCount == 1)
        try await connector.unregister(moved.app)
        #expect(await connector.status().appCount == 0)
        await connection.close()
        await distributor.stop()
    }

    // `tocsin-distributor` confirms `Unregister` by a call of `Unregistered`, which may arrive
    // late.
    @Test func `a late Unregistered from a former distributor does not end a moved registration`()
        async throws
    {
        try await withMovedRegistration { connector, _, token, sender in
            for (name, count) in [("former", 1), ("present", 0)] {
                await connector.unregistrationReported(token, by: try await sender(name))
                #expect(await connector.status().appCount == count)
            }
        }
    }

    /// The connector must not store the late endpoint as an endpoint of the chosen distributor.
    @Test func `a late endpoint from the former distributor does not replace the present endpoint`()
        async throws
    {
        try await withMovedRegistration { connector, center, token, sender in
            for name in ["former", "present"] {
                let endpoint = try #require(
                    PushEndpoint(
                        token: .string(token), url: .string("https://\(name).example/b")))
                await connector.endpointReported(endpoint, by: try await sender(name))
            }
            let saved = try await center.savedEndpoints.wait(for: "the last endpoint") {
                $0.last == "https://present.example/b"
            }
            #expect(saved.count == 3 && !saved.contains("https://former.example/b"), "\(saved)")
        }
    }

    /// A check of the caller would cost a call to the bus for each running distributor.
    @Test func `a NewEndpoint or Unregistered with an unknown token causes no call to the bus`()
        async throws
    {
        let bus = try PrivateBus()
        let distributor = try await ScriptedDistributor.start(on: bus, name: "one")
        try await distributor.takeName("two")
        let (connector, connection) = try await connector(on: bus, for: MemoryPushCenter())
        // The connector knows both names after this call.
        try await connector.chooseDistributor("one")
        let recorder = try await BusRecorder(bus)
        let endpoint = try #require(
            PushEndpoint(token: .string("unknown"), url: .string("https://push.example/b")))
        await connector.endpointReported(endpoint, by: ":1.999")
        await connector.unregistrationReported("unknown", by: ":1.999")
        _ = try await connection.owner(of: "org.example.Last")
        try await recorder.waitForLine(containing: "org.example.Last")
        let lines = recorder.text.split(separator: "\n")
        let asked = zip(lines, lines.dropFirst()).filter { call, argument in
            call.hasSuffix("member=GetNameOwner") && argument.contains("org.unifiedpush.")
        }
        #expect(asked.isEmpty, "\(asked)")
        await recorder.stop()
        await connection.close()
        await distributor.stop()
    }

    /// Runs the body after a registration has moved from one distributor to another.
    ///
    /// The body gets the registration's token, and a closure that returns a distributor's unique
    /// bus name for its short name.
    private func withMovedRegistration(
        _ body: (
            PushConnector, MemoryPushCenter, String, (String) async throws -> BusName
        ) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let registration = try Self.registration(1)
        let center = MemoryPushCenter([registration])
        let former = try await ScriptedDistributor.start(on: bus, name: "former")
        let (connector, connection) = try await connector(on: bus, for: center)
        try await center.subscriptions.wait(for: "the first endpoint") { $0.count == 1 }
        let present = try await ScriptedDistributor.start(on: bus, name: "present")
        await present.place(at: "https://present.example")
        try await connector.chooseDistributor("present")
        try await center.subscriptions.wait(for: "the second endpoint") { $0.count == 2 }
        try await body(connector, center, registration.token) { name in
            let distributor = try BusName("org.unifiedpush.Distributor.\(name)")
            return try #require(try await connection.owner(of: distributor))
        }
        await connection.close()
        await former.stop()
        await present.stop()
    }

    @Test func `Unregistered from a process that owns two distributor names ends the registration`()
        async throws
    {
        let bus = try PrivateBus()
        let registration = try Self.registration(1)
        let center = MemoryPushCenter([registration])
        let distributor = try await ScriptedDistributor.start(on: bus, name: "one")
        try await distributor.takeName("two")
        let (connector, connection) = try await connector(on: bus, for: center)
        try await connector.chooseDistributor("one")
        try await center.subscriptions.wait(for: "the endpoint") { $0.count == 1 }
        try await distributor.drop(registration.token)
        #expect(await connector.status().appCount == 0)
        await connection.close()
        await distributor.stop()
    }

    @Test func `a server key that is no VAPID key is refused`() async throws {
        let bus = try PrivateBus()
        let center = MemoryPushCenter()
        let distributor = try await ScriptedDistributor.start(on: bus)
        let (connector, connection) = try await connector(on: bus, for: center)
        for key in ["", "short", String(repeating: "=", count: 87)] {
            let error = await #expect(throws: NotificationError.self) {
                try await connector.register(.tocsin, name: "Tea", serverKey: key)
            }
            #expect(error?.code == .invalidArgument)
        }
        let key = String(repeating: "B", count: 87)
        _ = try await connector.register(.tocsin, name: "Tea", serverKey: key)
        #expect(distributor.registrations.all.map(\.serverKey) == [key])
        await connection.close()
        await distributor.stop()
    }
}
