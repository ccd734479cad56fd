import Foundation
import NotificationModel
import PushDistributor
import Testing

@Suite struct DistributorMachineTests {
    private static let server = "https://ntfy.example"
    private var machine = DistributorMachine(DistributorState())

    @discardableResult
    private mutating func register(
        _ token: String = "t", of service: String = "org.example.App"
    ) -> [DistributorMachine.Effect] {
        machine.register(
            service: service, token: token, version: 2, server: Self.server,
            topic: "up-\(token)")
    }

    @discardableResult
    private mutating func receive(
        _ id: String, _ topic: String = "up-t", time: Int64 = 1_000
    ) -> [DistributorMachine.Effect] {
        machine.received(
            .message(NtfyMessage(id: id, topic: topic, time: time, body: [1])), from: Self.server)
    }

    @discardableResult
    private mutating func finish(
        _ id: String, time: Int64 = 1_000, attempt: Int = 1, isTaken: Bool = true
    ) throws -> [DistributorMachine.Effect] {
        let registration = try #require(machine.state.registrations["t"])
        return machine.delivered(
            NtfyMessage(id: id, topic: "up-t", time: time, body: [1]), to: registration,
            attempt: attempt, isTaken: isTaken)
    }

    private mutating func keepalive(_ now: Int64) -> [DistributorMachine.Effect] {
        machine.received(.keepalive(now), from: Self.server)
    }

    /// The saved time of the server, and the ids of newer messages that the app has taken.
    private var place: DistributorState.Place? { machine.state.places[Self.server] }

    @Test mutating func `a registration is saved before the app gets its endpoint`() throws {
        let effects = register()
        let registration = try #require(machine.state.registrations["t"])
        #expect(registration.endpoint == "https://ntfy.example/up-t?up=1")
        #expect(
            effects == [
                .save, .sendEndpoint(registration),
                .connect(server: Self.server, topics: ["up-t"], since: "all", after: .zero),
            ])
    }

    @Test
    mutating func `a token that registers again keeps its endpoint, even if the server changed`()
        throws
    {
        register()
        let registration = try #require(machine.state.registrations["t"])
        let effects = machine.register(
            service: "org.example.App", token: "t", version: 2, server: "https://other.example",
            topic: "up-x")
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
                == .connect(server: Self.server, topics: ["up-t"], since: "all", after: .zero))
        #expect(machine.unregister("t").last == .disconnect(server: Self.server))
        #expect(machine.unregister("t").isEmpty)
        #expect(machine.state == DistributorState())
    }

    /// If each registration opened a stream at once, the server would refuse all requests.
    @Test mutating func `repeated registrations open few streams, and the last one stays open`() {
        func isConnect(_ effect: DistributorMachine.Effect) -> Bool {
            if case .connect = effect { true } else { false }
        }
        var effects = register("kept")
        for _ in 0..<50 { effects += register("again") + machine.unregister("again") }
        #expect(effects.count(where: isConnect) == DistributorMachine.mostOpenings)
        #expect(!effects.contains(.disconnect(server: Self.server)))
        let later = register("new")
        #expect(!later.contains(where: isConnect))
        #expect(
            machine.openingExpired(Self.server) == [
                .connect(
                    server: Self.server, topics: ["up-kept", "up-new"], since: "all", after: .zero)
            ])
        #expect(machine.openingExpired(Self.server).isEmpty, "the stream has the current topics")
        let next = register("next")
        #expect(next.contains(where: isConnect))
    }

    /// If the saved time moved, the topic's stream would not request messages from before that
    /// time.
    @Test mutating func `a server's saved time does not change while a topic waits for a stream`()
        throws
    {
        register()
        receive("a")
        try finish("a")
        for number in 0..<DistributorMachine.mostOpenings { register("\(number)") }
        #expect(keepalive(9_000).isEmpty)
        #expect(place?.time == 0)
        #expect(machine.openingExpired(Self.server).count == 1)
        #expect(keepalive(9_000) == [.save])
    }

    @Test mutating func `the saved time moves only when the server has sent all older messages`()
        throws
    {
        register()
        receive("new", time: 2_000)
        receive("old", time: 1_000)
        #expect(try finish("new", time: 2_000) == [.save])
        #expect(place?.taken == ["new": 2_000])
        #expect(
            keepalive(3_000).isEmpty,
            "the app has not taken the older message yet, so the time stays")
        #expect(try finish("old", time: 1_000) == [.save])
        #expect(place?.time == 0)
        #expect(keepalive(2_050) == [.save])
        #expect(
            place?.time == 1_990,
            "the time stays 60 s behind, because a server may store a message late")
        #expect(place?.taken == ["new": 2_000])
        #expect(keepalive(2_061) == [.save])
        #expect(place?.taken.isEmpty == true)
        #expect(keepalive(9_000).isEmpty, "without an id to forget, the saved time stays")
        #expect(
            machine.streamEnded(Self.server) == [
                .connect(
                    server: Self.server, topics: ["up-t"], since: "2001", after: .seconds(1))
            ])
    }

    @Test
    mutating func `a message that is in delivery or was taken by the app is not delivered again`()
        throws
    {
        register()
        receive("a")
        #expect(receive("a").isEmpty)
        try finish("a")
        #expect(receive("a").isEmpty)
        machine = DistributorMachine(machine.state)
        _ = machine.start()
        #expect(receive("a").isEmpty)
    }

    @Test mutating func `a long backlog moves the saved time before too many ids are kept`() throws
    {
        register()
        let count = 3 * DistributorState.Place.mostTaken
        for number in 0..<count {
            receive("\(number)", time: Int64(number / 2))
            try finish("\(number)", time: Int64(number / 2))
        }
        let place = try #require(place)
        #expect(place.taken.count <= DistributorState.Place.mostTaken)
        #expect(place.time > 0)
        let known = (0..<count).filter { Int64($0 / 2) >= place.time }
        #expect(Set(place.taken.keys) == Set(known.map { "\($0)" }))
    }

    @Test mutating func `many messages of the same second leave no more ids than the limit`() throws
    {
        register()
        for number in 0..<2 * DistributorState.Place.mostTaken {
            receive("\(number)")
            try finish("\(number)")
        }
        #expect(try #require(place).taken.count <= DistributorState.Place.mostTaken)
    }

    @Test
    mutating func `the stream closes if a message waits for its app and the ids reach their limit`()
        throws
    {
        register()
        receive("slow", time: 1)
        let most = DistributorState.Place.mostTaken
        for number in 0..<most {
            receive("\(number)", time: Int64(2 + number / 2))
            try finish("\(number)", time: Int64(2 + number / 2))
        }
        receive("last", time: 9_000)
        let last = try finish("last", time: 9_000)
        #expect(last == [.save, .disconnect(server: Self.server)])
        #expect(
            receive("more", time: 9_000).isEmpty,
            "the stream is closed, so its messages are ignored")
        let effects = try finish("slow", time: 1)
        let place = try #require(place)
        #expect(place.taken.count <= most)
        #expect(
            effects.last
                == .connect(
                    server: Self.server, topics: ["up-t"], since: "\(place.time)", after: .zero))
    }

    /// If a server's clock was set back, the ids of such messages would pile up.
    @Test mutating func `the id of a message from before the saved time is not kept`() throws {
        register()
        receive("a", time: 2_000)
        try finish("a", time: 2_000)
        #expect(keepalive(9_000) == [.save])
        receive("b", time: 1_000)
        #expect(try finish("b", time: 1_000) == [.save])
        #expect(place?.taken.isEmpty == true)
    }

    @Test mutating func `a new token is refused at the limit, and a known token still has room`()
        throws
    {
        let most = DistributorMachine.registrationsOfService
        for number in 0..<most { register("\(number)") }
        try machine.checkRoom(for: "0", of: "org.example.App")
        let own = #expect(throws: NotificationError.self) {
            try machine.checkRoom(for: "new", of: "org.example.App")
        }
        #expect(own?.code == .limitReached)
        try machine.checkRoom(for: "new", of: "org.example.Other")
        for number in most..<Limits.pushRegistrations.most {
            #expect(!machine.isFull(for: "new"))
            register("\(number)", of: "org.example.App\(number)")
        }
        #expect(machine.isFull(for: "new"))
        #expect(!machine.isFull(for: "0"), "a known token needs no more room")
        try machine.checkRoom(for: "0", of: "org.example.App")
        let error = #expect(throws: NotificationError.self) {
            try machine.checkRoom(for: "new", of: "org.example.Other")
        }
        #expect(error?.code == .limitReached)
    }

    @Test mutating func `to make room, the machine ends registrations of unreachable services`()
        throws
    {
        register("kept")
        for number in 1..<Limits.pushRegistrations.most {
            register("\(number)", of: "org.invented.App\(number)")
        }
        for _ in 0...DistributorMachine.mostOpenings { _ = machine.openingExpired(Self.server) }
        let effects = machine.endRegistrations(except: ["org.example.App", "org.other.App"])
        #expect(effects.first == .save)
        #expect(
            effects.last
                == .connect(server: Self.server, topics: ["up-kept"], since: "all", after: .zero))
        #expect(Array(machine.state.registrations.keys) == ["kept"])
        #expect(!machine.isFull(for: "new"))
        #expect(machine.endRegistrations(except: ["org.example.App"]).isEmpty)
    }

    @Test mutating func `a message that the app refuses is sent again up to the last attempt`()
        throws
    {
        register()
        receive("a")
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
        #expect(place?.taken == ["a": 1_000])
    }

    @Test mutating func `a message of a topic without a registration is ignored`() {
        register()
        #expect(receive("a", "up-gone").isEmpty)
        #expect(place?.taken.isEmpty == true)
    }

    @Test
    mutating func `the stream closes when too many messages wait, and opens when all are taken`()
        throws
    {
        register()
        for number in 1..<DistributorMachine.window { receive("\(number)") }
        let last = "\(DistributorMachine.window)"
        #expect(receive(last).last == .disconnect(server: Self.server))
        #expect(machine.streamEnded(Self.server).isEmpty)
        #expect(receive("more").isEmpty)
        register("u")
        #expect(
            machine.unregister("u").count == 2,
            "only the two effects of the removal, and no new stream")
        for number in 1..<DistributorMachine.window { try finish("\(number)") }
        #expect(
            try finish(last).last
                == .connect(server: Self.server, topics: ["up-t"], since: "all", after: .zero))
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

    @Test func `at start, each server's stream opens from its saved time`() throws {
        var state = DistributorState()
        for (token, server) in [("a", "https://one.example"), ("b", "https://two.example")] {
            state.registrations[token] = .init(
                service: "org.example.App", token: token, version: 2, server: server,
                topic: "up-\(token)")
        }
        state.places = try JSONDecoder().decode(
            [String: DistributorState.Place].self,
            from: Data(
                #"""
                {"https://one.example": {"time": 1000, "taken": {"x": 1000}},
                 "https://two.example": {"time": 2000, "taken": {}}}
                """#.utf8))
        var machine = DistributorMachine(state)
        #expect(
            machine.start() == [
                .connect(
                    server: "https://one.example", topics: ["up-a"], since: "1000", after: .zero),
                .connect(
                    server: "https://two.example", topics: ["up-b"], since: "2000", after: .zero),
            ])
    }
}

@Suite struct NtfyEventTests {
    @Test(
        arguments: [
            (#"data: {"event":"open","id":"x","topic":"a"}"#, .opened),
            (#"data: {"event":"keepalive","id":"x","topic":"a","time":9}"#, .keepalive(9)),
            (#"data: {"event":"keepalive","time":-9223372036854775808}"#, .keepalive(0)),
            (
                #"data: {"event":"keepalive","time":9223372036854775807}"#,
                .keepalive(253_402_300_799)
            ),
            (
                #"data: {"event":"message","id":"m1","topic":"a","message":"tea","time":1}"#,
                .message(NtfyMessage(id: "m1", topic: "a", time: 1, body: Array("tea".utf8)))
            ),
            (
                #"data:{"event":"message","id":"m1","topic":"a","message":"AP8=","encoding":"base64"}"#,
                .message(NtfyMessage(id: "m1", topic: "a", time: 0, body: [0, 255]))
            ),
            ("event: open", nil), ("", nil), ("data: {", nil),
            (#"data: {"event":"poll_request","id":"x","topic":"a"}"#, nil),
            (#"data: {"event":"message","topic":"a","message":"no id"}"#, nil),
            (
                #"data: {"event":"message","id":"m","topic":"a","message":"?","encoding":"base64"}"#,
                nil
            ),
        ] as [(String, NtfyEvent?)])
    func `a line of the stream is read as an event or ignored`(line: String, event: NtfyEvent?) {
        #expect(NtfyEvent(line: line) == event)
    }
}
