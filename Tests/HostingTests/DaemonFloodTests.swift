import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Faults 7, 28, 30, 46 and 56 of `Tests/Faults.md`: clients and servers demand too much.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DaemonFloodTests {
    private static func later(_ identifier: String) -> NotificationRequest {
        NotificationRequest(
            identifier: identifier, content: NotificationContent(title: identifier),
            trigger: .interval(seconds: 10_000, repeats: false))
    }

    private static func image(in bus: PrivateBus) throws -> String {
        let path = bus.directory + "/picture.png"
        try Data(TestPNG.bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func withImage(_ identifier: String, _ path: String) -> NotificationRequest {
        var request = later(identifier)
        request.content.attachments = [
            NotificationAttachment(
                identifier: "p", path: path, type: "public.png")
        ]
        return request
    }

    // MARK: 7

    @Test func `clients that die during a call leave no open file and no partial request`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let center = try await HostedService.client(on: bus)
        let image = try Self.image(in: bus)
        try await center.add(Self.later("warm"), attachments: [], for: .tocsin)
        let before = try process.descriptors
        var certain: Set<String> = []
        for number in 0..<30 {
            let connection = try await BusConnection.open(on: bus, name: "dying")
            let client = HostedService.client(over: connection)
            let request = Self.withImage("r\(number)", image)
            // The call is sent before the connection closes.
            let adding = Task.immediate {
                let file = try OpenFile(path: image)
                try await client.add(request, attachments: [file], for: .tocsin)
            }
            if number.isMultiple(of: 3) {
                // The client dies while the answer is on its way.
                try await center.waitForChange(until: "\(request.identifier) is pending") {
                    try await center.pending(of: .tocsin).contains {
                        $0.request.identifier == request.identifier
                    } ? () : nil
                }
                certain.insert(request.identifier)
            } else {
                await connection.flush()
            }
            await connection.close()
            _ = try? await adding.value
        }
        try await process.untilDescriptors(are: before, asking: center)
        let pending = try await center.pending(of: .tocsin)
        #expect(certain.isSubset(of: pending.map(\.request.identifier)))
        for one in pending where one.request.identifier != "warm" {
            let paths = one.request.content.attachments.map(\.path)
            #expect(paths.count == 1)
            #expect(paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        }
        await daemon.stop()
    }

    // MARK: 28

    @Test
    func `a daemon waits between tries if its server refuses posts, and keeps the posts' order`()
        async throws
    {
        let bus = try PrivateBus()
        var script = ServerScript.plasma64
        script.failures = .all("org.freedesktop.Notifications.Error.ExcessNotificationGeneration")
        let server = try await ScriptedServer.start(on: bus, script: script)
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let center = try await HostedService.client(on: bus)
        let names = (0..<5).map { "r\($0)" }
        for name in names {
            try await center.add(
                NotificationRequest(identifier: name, content: NotificationContent(title: name)),
                attachments: [], for: .tocsin)
        }
        try await server.calls.wait(for: "the second try") { $0.count >= 2 }
        let (start, computed) = (ContinuousClock.now, try process.computing)
        try await server.calls.wait(for: "the next try") { $0.count >= 3 }
        let share = (try process.computing - computed) / (ContinuousClock.now - start)
        print("a server that refuses everything: \(share * 100) % of a processor")
        #expect(share < 0.01)
        #expect(
            Set(server.calls.all.map(\.summary)) == ["r0"], "the others wait until 'r0' succeeds")
        await server.change { $0.failures = .none }
        let shown = try await server.calls.wait(for: "all of them", within: 120) { calls in
            calls.count { $0.id != 0 } == names.count
        }
        #expect(shown.filter { $0.id != 0 }.map(\.summary) == names)
        await daemon.stop()
        await server.stop()
    }

    // MARK: 30

    /// The daemon must check the sender of a signal before it reads the signal's values.
    @Test(arguments: [false, true])
    func `a huge signal costs the daemon little memory`(isFromServer: Bool) async throws {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let center = try await HostedService.client(on: bus)
        let before = try process.peakMemory
        let sender = try await BusConnection.open(on: bus, name: "sender")
        if isFromServer { try await sender.requestName("org.freedesktop.Notifications") }
        // In memory these values take many times their 12 MB on the wire.
        let values = BusValue.array(
            element: "v", Array(repeating: .variant(.bool(true)), count: 1_500_000))
        try await sender.emit(
            path: "/org/freedesktop/Notifications", interface: "org.freedesktop.Notifications",
            member: "ActionInvoked", arguments: [.uint32(1), values])
        // When the bus answers this call, it has already passed the signal on.
        _ = try await sender.call(.toBus("GetId"))
        _ = try await center.status()
        let grown = try process.peakMemory - before
        print("a huge signal: the daemon grew by \(grown >> 20) MiB")
        #expect(grown < 96 << 20)
        await sender.close()
        await daemon.stop()
    }

    // MARK: 46

    /// Arguments without a valid request, as a careless or hostile client may send them.
    private static let nonsense: [[BusValue]] = [
        [], [.string("")], [.uint32(7), .bool(true)],
        [.string(""), .vardict([]), .array(element: "h", [])],
        [.string("org.example.App"), .vardict([]), .array(element: "h", [])],
        [
            .string("org.example.App"), .vardict([("id", .uint32(7))]), .array(element: "h", []),
        ],
        [
            .string("org.example.App"),
            .vardict([("id", .string("x")), ("trigger", .vardict([("kind", .string("never"))]))]),
            .array(element: "h", []),
        ],
        [
            .string("org.example.App"),
            .vardict([
                ("id", .string("x")), ("title", .string(String(repeating: "x", count: 1 << 20))),
            ]), .array(element: "h", []),
        ],
        [
            .string(String(repeating: "a.", count: 400)), .vardict([("id", .string("x"))]),
            .array(element: "h", []),
        ],
    ]

    @Test func `twenty clients that send nonsense get errors, and other clients are served`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let center = try await HostedService.client(on: bus)
        try await center.add(Self.later("before"), attachments: [], for: .tocsin)
        let before = try process.memory
        let errors = Recording<String>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let connection = try await BusConnection.open(on: bus, name: "flood")
                    await Self.send(60, on: connection, errors)
                    await connection.close()
                }
            }
            for number in 0..<20 {
                try await center.add(Self.later("during \(number)"), attachments: [], for: .tocsin)
            }
            try await group.waitForAll()
        }
        #expect(errors.all.count == 20 * 60)
        let typed = ["org.tocsin.Error.", "org.freedesktop.DBus.Error.InvalidArgs"]
        let others = Set(errors.all.filter { name in !typed.contains { name.hasPrefix($0) } })
        #expect(others.isSubset(of: ["org.freedesktop.DBus.Error.LimitsExceeded"]), "\(others)")
        #expect(try await center.pending(of: nil).count == 21)
        let grown = try process.memory - before
        print("1,200 calls of nonsense: the daemon grew by \(grown >> 20) MiB")
        #expect(grown < 128 << 20)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }

    /// Makes all calls at the same time, and records their errors.
    private static func send(
        _ count: Int, on connection: BusConnection, _ errors: Recording<String>
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    do throws(BusError) {
                        _ = try await connection.call(
                            MethodCall(
                                destination: "org.tocsin.NotificationCenter1",
                                path: "/org/tocsin/NotificationCenter1",
                                interface: "org.tocsin.NotificationCenter1",
                                member: number.isMultiple(of: 2) ? "Add" : "Connect",
                                arguments: nonsense[number % nonsense.count]))
                        errors.append("none: \(number)")
                    } catch {
                        errors.append(error.remoteName?.rawValue ?? "\(error)")
                    }
                }
            }
        }
    }

    // MARK: 56

    /// The test sends 20,000 requests, and 200,000 in `make test-kill`.
    @Test func `a flood of requests costs little memory, and each request is stored`() async throws
    {
        let count = ProcessInfo.processInfo.environment["TOCSIN_FLOOD"].flatMap { Int($0) }
        let clients = 10
        let each = (count ?? 20_000) / clients
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let center = try await HostedService.client(on: bus)
        try await Self.add(1_000, on: bus, app: try ApplicationID("org.example.First"))
        let before = try process.memory
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    try await Self.add(
                        each, on: bus, app: try ApplicationID("org.example.Flood\(client)"))
                }
            }
            // The daemon must serve other clients during the flood.
            for number in 0..<10 {
                try await center.add(Self.later("other \(number)"), attachments: [], for: .tocsin)
            }
            try await group.waitForAll()
        }
        let took = ContinuousClock.now - start
        let grown = try process.memory - before
        print("\(each * clients) adds in \(took): the daemon grew by \(grown >> 20) MiB")
        #expect(grown < 48 << 20)
        #expect(try await center.status().pendingCount == each * clients + 1_010)
        await daemon.stop()
    }

    private static func add(_ count: Int, on bus: PrivateBus, app: ApplicationID) async throws {
        let connection = try await BusConnection.open(on: bus, name: "flood")
        let client = HostedService.client(over: connection)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<64 {
                group.addTask {
                    for number in stride(from: lane, to: count, by: 64) {
                        try await client.add(later("r\(number)"), attachments: [], for: app)
                    }
                }
            }
            try await group.waitForAll()
        }
        await connection.close()
    }
}
