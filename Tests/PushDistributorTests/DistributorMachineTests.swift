import NotificationModel
import PushDistributor
import Testing

@Suite struct DistributorMachineTests {
    private static let server = "https://ntfy.example"
    private var machine = DistributorMachine(DistributorState())

    @discardableResult
    private mutating func register(_ token: String = "t") -> [DistributorMachine.Effect] {
        machine.register(
            service: "org.example.App", token: token, version: 2, server: Self.server,
            topic: "up-\(token)", now: 100)
    }

    private mutating func receive(
        _ id: String, _ topic: String = "up-t"
    ) -> [DistributorMachine.Effect] {
        machine.received(
            .message(NtfyMessage(id: id, topic: topic, body: [1])), from: Self.server)
    }

    private mutating func finish(
        _ id: String, attempt: Int = 1, isTaken: Bool = true
    ) throws -> [DistributorMachine.Effect] {
        let registration = try #require(machine.state.registrations["t"])
        return machine.delivered(
            NtfyMessage(id: id, topic: "up-t", body: [1]), to: registration, attempt: attempt,
            isTaken: isTaken)
    }

    @Test mutating func `a registration is saved before the app gets its endpoint`() throws {
        let effects = register()
        let registration = try #require(machine.state.registrations["t"])
        #expect(registration.endpoint == "https://ntfy.example/up-t?up=1")
        #expect(
            effects == [
                .save, .sendEndpoint(registration),
                .connect(server: Self.server, topics: ["up-t"], since: "100", after: .zero),
            ])
    }

    @Test mutating func `a known token keeps its endpoint`() throws {
        register()
        let registration = try #require(machine.state.registrations["t"])
        let effects = machine.register(
            service: "org.example.App", token: "t", version: 2, server: "https://other.example",
            topic: "up-x", now: 200)
        #expect(effects == [.sendEndpoint(registration)])
    }

    @Test mutating func `the last unregistration closes the stream, an earlier one does not`()
        throws
    {
        register("t")
        register("u")
        let first = machine.unregister("u")
        #expect(
            first.last
                == .connect(server: Self.server, topics: ["up-t"], since: "100", after: .zero))
        #expect(machine.unregister("t").last == .disconnect(server: Self.server))
        #expect(machine.unregister("t").isEmpty)
        #expect(machine.state == DistributorState())
    }

    @Test mutating func `the place moves past a message only when its app took all before it`()
        throws
    {
        register()
        for id in ["a", "b", "c"] { #expect(receive(id).count == 1) }
        #expect(try finish("b").isEmpty)
        #expect(machine.state.since[Self.server] == "100")
        #expect(try finish("a") == [.save])
        #expect(machine.state.since[Self.server] == "b")
        #expect(try finish("c") == [.save])
        #expect(machine.state.since[Self.server] == "c")
    }

    @Test mutating func `a message that is on its way is not passed on twice`() throws {
        register()
        _ = receive("a")
        #expect(receive("a").isEmpty)
    }

    @Test mutating func `a refusal is followed by another attempt until the last one`() throws {
        register()
        _ = receive("a")
        var pauses: [Duration] = []
        for attempt in 1..<DistributorMachine.attempts {
            let effects = try finish("a", attempt: attempt, isTaken: false)
            guard case .deliver(_, _, attempt + 1, let pause) = effects.first else {
                Issue.record("the effects are \(effects)")
                return
            }
            pauses.append(pause)
        }
        #expect(pauses == [.seconds(4), .seconds(16), .seconds(64)])
        let last = try finish("a", attempt: DistributorMachine.attempts, isTaken: false)
        #expect(last == [.save])
        #expect(machine.state.since[Self.server] == "a")
    }

    @Test mutating func `a message of a topic without a registration is passed over`() {
        register()
        #expect(receive("a", "up-gone") == [.save])
        #expect(machine.state.since[Self.server] == "a")
    }

    @Test mutating func `a full window closes the stream until all messages are taken`() throws {
        register()
        for number in 1..<DistributorMachine.window { _ = receive("\(number)") }
        let last = "\(DistributorMachine.window)"
        #expect(receive(last).last == .disconnect(server: Self.server))
        #expect(machine.streamEnded(Self.server).isEmpty)
        #expect(receive("more").isEmpty)
        for number in 1..<DistributorMachine.window { _ = try finish("\(number)") }
        #expect(
            try finish(last).last
                == .connect(server: Self.server, topics: ["up-t"], since: last, after: .zero))
    }

    @Test mutating func `a lost stream is opened again after growing pauses`() {
        register()
        func pause(_ effects: [DistributorMachine.Effect]) -> Duration? {
            guard case .connect(_, _, _, let pause) = effects.first else { return nil }
            return pause
        }
        let pauses = (0..<10).map { _ in pause(machine.streamEnded(Self.server)) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300].map { .seconds($0) })
        _ = machine.received(.opened, from: Self.server)
        #expect(pause(machine.streamEnded(Self.server)) == .seconds(1))
    }

    @Test func `a start opens the stream of each server where it was left`() {
        var state = DistributorState()
        for (token, server) in [("a", "https://one.example"), ("b", "https://two.example")] {
            state.registrations[token] = .init(
                service: "org.example.App", token: token, version: 2, server: server,
                topic: "up-\(token)")
            state.since[server] = "last-\(token)"
        }
        var machine = DistributorMachine(state)
        #expect(
            machine.start() == [
                .connect(
                    server: "https://one.example", topics: ["up-a"], since: "last-a", after: .zero),
                .connect(
                    server: "https://two.example", topics: ["up-b"], since: "last-b", after: .zero),
            ])
    }
}

@Suite struct NtfyEventTests {
    @Test(
        arguments: [
            (#"data: {"event":"open","id":"x","topic":"a"}"#, .opened),
            (#"data: {"event":"keepalive","id":"x","topic":"a"}"#, .keepalive),
            (
                #"data: {"event":"message","id":"m1","topic":"a","message":"tea","time":1}"#,
                .message(NtfyMessage(id: "m1", topic: "a", body: Array("tea".utf8)))
            ),
            (
                #"data:{"event":"message","id":"m1","topic":"a","message":"AP8=","encoding":"base64"}"#,
                .message(NtfyMessage(id: "m1", topic: "a", body: [0, 255]))
            ),
            ("event: open", nil), ("", nil), ("data: {", nil),
            (#"data: {"event":"poll_request","id":"x","topic":"a"}"#, nil),
            (#"data: {"event":"message","topic":"a","message":"no id"}"#, nil),
            (
                #"data: {"event":"message","id":"m","topic":"a","message":"?","encoding":"base64"}"#,
                nil
            ),
        ] as [(String, NtfyEvent?)])
    func `a line of the stream is an event, or nothing`(line: String, event: NtfyEvent?) {
        #expect(NtfyEvent(line: line) == event)
    }
}
