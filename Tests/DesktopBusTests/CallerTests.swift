import Reactor
import TestSupport
import Testing

@testable import DesktopBus

/// A call ends when its caller leaves the bus, and more connections give a caller no larger quota.
@Suite(.timeLimit(.minutes(2))) struct CallerTests {
    /// An object whose methods answer only after the test cancels or releases them.
    private struct Waiting {
        let begun = Inbox<String>()
        let ended = Inbox<String>()
        let gate = Gate()

        func exported(owner: String? = nil) -> ExportedObject {
            let (begun, ended, gate) = (begun, ended, gate)
            var admission: MethodEntry.Admission?
            if let owner { admission = { _, _ in owner } }
            let check = admission
            func entry(_ name: MemberName, isWait: Bool) -> MethodEntry {
                MethodEntry(name, isWait: isWait, admission: check) { call in
                    begun.append(call.sender.rawValue)
                    // The loop ends when the task is cancelled.
                    for await _ in AsyncStream<Never>(unfolding: { await Self.forEver() }) {}
                    ended.append(call.sender.rawValue)
                    return []
                }
            }
            return ExportedObject(
                interfaces: [
                    InterfaceTable(
                        name: "test.Interface",
                        methods: [
                            entry("WaitLong", isWait: true), entry("Hang", isWait: false),
                            MethodEntry("Hold", in: [ArgumentEntry("bytes", "ay")]) { call in
                                begun.append(call.sender.rawValue)
                                await gate.waitUntilOpen()
                                return []
                            },
                            MethodEntry("Ping", admission: check) { _ in [] },
                        ],
                        properties: [
                            PropertyEntry(
                                "Held", "b",
                                get: {
                                    begun.append("Held")
                                    await gate.waitUntilOpen()
                                    return .bool(true)
                                })
                        ])
                ], propertyAdmission: check)
        }

        private static func forEver() async -> Never? {
            let (stream, source) = AsyncStream.makeStream(of: Never.self)
            defer { source.finish() }
            for await _ in stream {}
            return nil
        }
    }

    private struct Stage {
        let bus: PrivateBus
        let server: BusConnection
        let name: BusName
        let object = Waiting()

        init(
            _ options: BusConnectionOptions, owner: String? = nil, limits: [String: Int] = [:]
        ) async throws {
            bus = try PrivateBus(limits: limits)
            server = try await connect(bus, options)
            name = try #require(await server.uniqueName)
            try await server.export(object.exported(owner: owner), at: TestObject.path)
        }

        /// Returns a caller whose call has begun.
        func caller(_ member: MemberName, count: Int) async throws -> BusConnection {
            let caller = try await connect(bus)
            caller.call(.toPeer(name, member), timeout: .seconds(600)) { _ in }
            _ = await object.begun.wait(for: count)
            return caller
        }
    }

    /// A cron job that ends during its wait must not use up the quota for ever.
    @Test(arguments: ["WaitLong", "Hang"] as [MemberName])
    func `a call ends when its caller leaves the bus, and then uses no quota`(
        member: MemberName
    ) async throws {
        let stage = try await Stage(
            .init {
                $0.maximumInvocations = 1
                $0.maximumWaits = 1
            })
        for round in 1...4 {
            let caller = try await stage.caller(member, count: round)
            let name = try #require(await caller.uniqueName)
            await caller.close()
            #expect(await stage.object.ended.wait(for: round).last == name.rawValue)
        }
        let last = try await connect(stage.bus)
        _ = try await last.call(.toPeer(stage.name, "Ping"))
        #expect(await stage.server.callers.isEmpty)
    }

    /// The wait must not continue for ever if the bus at first refuses to signal the caller's end.
    @Test func `a wait ends when its caller leaves, although the bus refused the first match rule`()
        async throws
    {
        let stage = try await Stage(.init(), limits: ["max_match_rules_per_connection": 1])
        let rule = try await stage.server.subscribe(MatchRule(interface: "test.Other")) { _ in }
        let caller = try await stage.caller("WaitLong", count: 1)
        // The bus answers in order, so the refusal comes before this answer.
        _ = try await stage.server.call(.toBus("GetId"))
        #expect(await stage.server.callers.isEmpty)
        await caller.close()
        rule.cancel()
        #expect(await stage.object.ended.wait(for: 1).count == 1)
    }

    /// A lost connection watches no caller, so the call could go on for ever.
    @Test func `a call ends if the bus is lost before its caller is watched`() async throws {
        let stage = try await Stage(.init())
        let caller = try await stage.caller("Hang", count: 1)
        stage.bus.stop()
        #expect(await stage.object.ended.wait(for: 1).count == 1)
        await caller.close()
    }

    @Test func `long waits do not use up the quota of short calls`() async throws {
        let stage = try await Stage(
            .init {
                $0.maximumInvocationsOfSender = 2
                $0.maximumWaitsOfSender = 2
            })
        let caller = try await connect(stage.bus)
        for count in 1...2 {
            caller.call(.toPeer(stage.name, "WaitLong")) { _ in }
            _ = await stage.object.begun.wait(for: count)
        }
        for _ in 0..<3 { _ = try await caller.call(.toPeer(stage.name, "Ping")) }
        await caller.close()
    }

    /// The bus does not report that a client cancels a wait, so old waits must not bar new ones.
    @Test func `a wait beyond the quota ends the oldest wait of its caller`() async throws {
        let stage = try await Stage(.init { $0.maximumWaitsOfSender = 2 }, owner: "pid 7")
        let caller = try await connect(stage.bus)
        let answered = Inbox<Int>()
        for count in 1...10 {
            caller.call(.toPeer(stage.name, "WaitLong")) { _ in answered.append(count) }
            #expect(await stage.object.begun.wait(for: count).count == count)
        }
        #expect(await answered.wait(for: 8).sorted() == Array(1...8))
        await caller.close()
        #expect(await stage.object.ended.wait(for: 10).count == 10)
    }

    @Test(arguments: [":1.1", ":1.2"] as [BusName])
    func `the oldest wait continues if the limit on bytes refuses a new wait`(
        senderOfCall: BusName
    ) throws {
        let options = BusConnectionOptions {
            $0.maximumWaitsOfSender = 1
            $0.maximumBytesOfSender = 10
        }
        let sender: BusName = ":1.1"
        var table = InvocationTable()
        let call = try table.acquirePlace(
            senderOfCall, InvocationLoad(calls: 1, bytes: 7), within: options)
        try table.charge(call.number, to: "pid 7", within: options)
        let oldest = try table.acquirePlace(
            sender, InvocationLoad(waits: 1, bytes: 3), within: options)
        try table.charge(oldest.number, to: "pid 7", within: options)
        let task = Task<Void, Never> {}
        table.setTask(task, of: oldest.number)
        #expect(throws: BusError.self) {
            try table.acquirePlace(sender, InvocationLoad(waits: 1, bytes: 4), within: options)
        }
        #expect(table.tasks(of: sender) == [task])
        let next = try table.acquirePlace(
            sender, InvocationLoad(waits: 1, bytes: 3), within: options)
        #expect(next.endedWait == task)
        #expect(table.tasks(of: sender).isEmpty)
    }

    @Test func `two connections of one owner share the owner's quota`() async throws {
        let stage = try await Stage(.init { $0.maximumWaitsOfSender = 1 }, owner: "pid 7")
        let first = try await stage.caller("WaitLong", count: 1)
        let second = try await connect(stage.bus)
        let error = await busError { _ = try await second.call(.toPeer(stage.name, "WaitLong")) }
        #expect(error?.code == .limitsExceeded)
        _ = try await second.call(.toPeer(stage.name, "Ping"))
        await first.close()
        _ = await stage.object.ended.wait(for: 1)
        second.call(.toPeer(stage.name, "WaitLong")) { _ in }
        _ = await stage.object.begun.wait(for: 2)
        await second.close()
    }

    @Test func `two connections of one owner share the owner's quota for properties`()
        async throws
    {
        let stage = try await Stage(.init { $0.maximumInvocationsOfSender = 1 }, owner: "pid 7")
        let (first, second) = (try await connect(stage.bus), try await connect(stage.bus))
        let read = MethodCall(
            reading: "Held", of: "test.Interface", destination: stage.name, path: TestObject.path)
        first.call(read) { _ in }
        _ = await stage.object.begun.wait(for: 1)
        let error = await busError { _ = try await second.call(read) }
        #expect(error?.code == .limitsExceeded)
        await stage.object.gate.open()
        await first.close()
    }

    @Test func `the bytes of a sender's calls in progress are bounded`() async throws {
        let stage = try await Stage(.init { $0.maximumBytesOfSender = 1 << 20 })
        let (large, other) = (try await connect(stage.bus), try await connect(stage.bus))
        let bytes = BusValue.bytes([UInt8](repeating: 7, count: 900_000))
        large.call(.toPeer(stage.name, "Hold", [bytes])) { _ in }
        _ = await stage.object.begun.wait(for: 1)
        let error = await busError {
            _ = try await large.call(.toPeer(stage.name, "Hold", [bytes]))
        }
        #expect(error?.code == .limitsExceeded)
        _ = try await large.call(.toPeer(stage.name, "Ping"))
        other.call(.toPeer(stage.name, "Hold", [bytes])) { _ in }
        _ = await stage.object.begun.wait(for: 2)
        await stage.object.gate.open()
        // The sender has no other call in progress, so a call of any size is accepted.
        let huge = BusValue.bytes([UInt8](repeating: 7, count: 3_000_000))
        let lone = try await connect(stage.bus)
        _ = try await lone.call(.toPeer(stage.name, "Hold", [huge]))
    }

    @Test func `the bytes of all senders' calls in progress are bounded`() async throws {
        let stage = try await Stage(.init { $0.maximumBytesOfCalls = 1 << 20 })
        let (first, second) = (try await connect(stage.bus), try await connect(stage.bus))
        let bytes = BusValue.bytes([UInt8](repeating: 7, count: 900_000))
        first.call(.toPeer(stage.name, "Hold", [bytes])) { _ in }
        _ = await stage.object.begun.wait(for: 1)
        let error = await busError {
            _ = try await second.call(.toPeer(stage.name, "Hold", [bytes]))
        }
        #expect(error?.code == .limitsExceeded)
        _ = try await second.call(.toPeer(stage.name, "Ping"))
        await stage.object.gate.open()
    }

    /// By default, libdbus stops reading while the messages in use hold 63 MiB.
    @Test func `large calls in progress do not delay a later call`() async throws {
        let stage = try await Stage(.init())
        let caller = try await connect(stage.bus)
        let block = BusValue.bytes([UInt8](repeating: 7, count: 30 << 20))
        for count in 1...3 {
            caller.call(.toPeer(stage.name, "Hold", [block])) { _ in }
            _ = await stage.object.begun.wait(for: count)
        }
        _ = try await caller.call(.toPeer(stage.name, "Ping"))
        await stage.object.gate.open()
    }

    @Test func `a caller that is not admitted does not reach the handler`() async throws {
        let bus = try PrivateBus()
        let (server, caller) = (try await connect(bus), try await connect(bus))
        let reached = Inbox<Bool>()
        let entry = MethodEntry(
            "Take", in: [ArgumentEntry("files", "ah")],
            admission: { _, _ in throw BusError.remote("test.Error.Stranger", "no") },
            handler: { _ in
                reached.append(true)
                return []
            })
        let table = InterfaceTable(name: "test.Interface", methods: [entry])
        try await server.export(ExportedObject(interfaces: [table]), at: TestObject.path)
        let name = try #require(await server.uniqueName)
        let error = await busError {
            _ = try await caller.call(.toPeer(name, "Take", [.array(element: "h", [])]))
        }
        #expect(error?.remoteName == "test.Error.Stranger")
        #expect(reached.values.isEmpty)
    }
}

/// Only the called peer can answer, whatever messages the bus lets pass.
@Suite(.timeLimit(.minutes(2))) struct ForgedReplyTests {
    /// How a call names the peer, and what the caller knows about that name.
    enum Way: String, CaseIterable {
        case uniqueName, firstCallOfName, laterCallOfName, followedName
    }

    /// Sends an answer to every serial number that `caller` may have used.
    ///
    /// All answers leave on the connection's thread. With a task switch for each answer, the call
    /// would reach its timeout first on a busy machine.
    private static func forgeAnswers(
        to caller: BusName, by stranger: isolated BusConnection
    ) throws(BusError) {
        for serial in 1...200 as ClosedRange<UInt32> {
            _ = try stranger.transmit(
                OutgoingMessage(replyTo: serial, of: caller, [.string("forged")]))
            _ = try stranger.transmit(
                OutgoingMessage(
                    errorTo: serial, of: caller, name: "test.Error.Forged", message: ""))
        }
    }

    @Test(arguments: Way.allCases)
    func `an answer of a stranger is dropped`(way: Way) async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let stranger = try await connect(bus)
        let (gate, asked, said) = (Gate(), Inbox<Bool>(), Inbox<Bool>())
        let ask = MethodEntry("Ask", out: [ArgumentEntry("text", "s")]) { _ in
            asked.append(true)
            await gate.waitUntilOpen()
            return [.string("true answer")]
        }
        let table = InterfaceTable(
            name: "test.Interface", methods: [ask, MethodEntry("Ping") { _ in [] }])
        try await server.export(ExportedObject(interfaces: [table]), at: TestObject.path)
        try await server.requestName("test.Server")
        let name: BusName =
            way == .uniqueName ? try #require(await server.uniqueName) : "test.Server"
        let rule = MatchRule(sender: await stranger.uniqueName, interface: "test.Interface")
        let heard = try await client.subscribe(rule) { _ in said.append(true) }
        var following: BusSubscription?
        if way == .followedName { following = try await client.watchOwner(of: name) { _ in } }
        if way == .laterCallOfName {
            for _ in 0..<3 { _ = try await client.call(.toPeer(name, "Ping")) }
        }
        let answer = Task { try await client.call(.toPeer(name, "Ask")).arguments }
        _ = await asked.wait(for: 1)
        let caller = try #require(await client.uniqueName)
        try await Self.forgeAnswers(to: caller, by: stranger)
        try await stranger.emit(
            path: TestObject.path, interface: "test.Interface", member: "Done",
            destination: caller)
        _ = await said.wait(for: 1)
        await gate.open()
        #expect(try await answer.value == [.string("true answer")])
        heard.cancel()
        following?.cancel()
    }

    @Test func `an answer is accepted from a name that had no owner or another owner before`()
        async throws
    {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        // No connection owns the name, and the bus knows no service that it could start.
        let error = await busError { _ = try await client.call(.toPeer("test.Server", "WhoAmI")) }
        #expect(error?.code == .serviceUnknown)
        try await server.export(TestObject().exported, at: TestObject.path)
        try await server.requestName("test.Server")
        for _ in 0..<3 { _ = try await client.call(.toPeer("test.Server", "WhoAmI")) }
        // Another connection takes the name over, and then answers.
        try await server.releaseName("test.Server")
        let other = try await connect(bus)
        try await other.export(TestObject().exported, at: TestObject.path)
        try await other.requestName("test.Server")
        for _ in 0..<3 { _ = try await client.call(.toPeer("test.Server", "WhoAmI")) }
    }

    /// After a reconnect, a call may leave before the connection asks for the owners of its names.
    ///
    /// If the connection dropped the answer because it does not know the owner yet, the call would
    /// time out.
    @Test func `an answer is accepted before the owner of a followed name is known again`()
        async throws
    {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        try await server.export(TestObject().exported, at: TestObject.path)
        try await server.requestName("test.Server")
        let watch = try await client.watchOwner(of: "test.Server") { _ in }
        let answers = Inbox<Result<BusReply, BusError>>()
        client.onReactor { client in
            // A loss of the bus has the same effect.
            client.setOwner(of: "test.Server", nil)
            client.call(.toPeer("test.Server", "WhoAmI")) { answers.append($0) }
        }
        let answer = try #require(await answers.wait(for: 1).first)
        let name = try #require(await client.uniqueName)
        #expect(try answer.get().arguments == [.string(name.rawValue)])
        watch.cancel()
    }
}
