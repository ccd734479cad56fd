import DesktopBus
import Reactor
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct SignalTests {
    @Test func `signals arrive in order at their subscribers`() async throws {
        let bus = try PrivateBus()
        let (sender, receiver) = (try await connect(bus), try await connect(bus))
        let inbox = Inbox<UInt32>()
        let other = Inbox<UInt32>()
        let rule = MatchRule(sender: await sender.uniqueName, interface: "test.Interface")
        let first = try await receiver.subscribe(rule) {
            inbox.append($0.arguments[0].uint32Value ?? 0)
        }
        let second = try await receiver.subscribe(MatchRule(path: "/other")) { _ in
            other.append(0)
        }
        for number in UInt32(0)..<500 {
            try await sender.emit(
                path: "/test/Object", interface: "test.Interface", member: "Happened",
                arguments: [.uint32(number)])
        }
        #expect(await inbox.wait(for: 500) == Array(0..<500))
        #expect(other.values.isEmpty)
        first.cancel()
        second.cancel()
    }

    @Test func `a handler runs on the reactor before the next message is handled`() async throws {
        let bus = try PrivateBus()
        let (server, client) = (try await connect(bus), try await connect(bus))
        let (signals, wasOnReactor) = (Inbox<String>(), Inbox<Bool>())
        let emit = MethodEntry("EmitThenAnswer") { _ in
            try await server.emit(
                path: "/test/Object", interface: "test.Interface", member: "Happened",
                arguments: [.string("before")])
            return []
        }
        let table = InterfaceTable(name: "test.Interface", methods: [emit])
        try await server.export(ExportedObject(interfaces: [table]), at: "/test/Object")
        let subscription = try await client.subscribe(MatchRule(member: "Happened")) {
            signals.append($0.arguments[0].stringValue ?? "")
            wasOnReactor.append(client.reactor.isCurrent)
        }
        let name = try #require(await server.uniqueName)
        _ = try await client.call(.toPeer(name, "EmitThenAnswer"))
        #expect(signals.values == ["before"])
        #expect(wasOnReactor.values == [true])
        subscription.cancel()
    }

    @Test func `a rule with a well-known name matches only signals of the owner of the name`()
        async throws
    {
        let bus = try PrivateBus()
        let (owner, stranger) = (try await connect(bus), try await connect(bus))
        let receiver = try await connect(bus)
        try await owner.requestName("test.Name")
        let (named, any) = (Inbox<String>(), Inbox<String>())
        let one = try await receiver.subscribe(MatchRule(sender: "test.Name", member: "Said")) {
            named.append($0.arguments[0].stringValue ?? "")
        }
        let all = try await receiver.subscribe(MatchRule(member: "Said")) {
            any.append($0.arguments[0].stringValue ?? "")
        }
        func say(_ text: String, _ connection: BusConnection) async throws {
            try await connection.emit(
                path: "/a", interface: "test.Interface", member: "Said",
                arguments: [.string(text)])
            // The bus has processed the signal when it answers this call.
            _ = try await connection.call(.toBus("GetId"))
        }
        try await say("stranger", stranger)
        try await say("owner", owner)
        try await owner.releaseName("test.Name")
        try await say("former", owner)
        try await stranger.requestName("test.Name")
        try await say("successor", stranger)
        #expect(await any.wait(for: 4) == ["stranger", "owner", "former", "successor"])
        #expect(named.values == ["owner", "successor"])
        one.cancel()
        all.cancel()
    }

    @Test func `a rule with a first argument matches only signals with this argument`() async throws
    {
        let bus = try PrivateBus()
        let (sender, receiver) = (try await connect(bus), try await connect(bus))
        let inbox = Inbox<String>()
        let text = "it's a 'quoted', one\\"
        let rule = MatchRule(member: "Said", argument0: text)
        let subscription = try await receiver.subscribe(rule) {
            inbox.append($0.arguments[0].stringValue ?? "")
        }
        for one in ["other", text, "", text] {
            try await sender.emit(
                path: "/a", interface: "test.Interface", member: "Said", arguments: [.string(one)])
        }
        #expect(await inbox.wait(for: 2) == [text, text])
        subscription.cancel()
    }

    @Test func `a rule with a folder matches its parent folders, and the paths inside the folder`()
        async throws
    {
        let bus = try PrivateBus()
        let (sender, receiver) = (try await connect(bus), try await connect(bus))
        let inbox = Inbox<String>()
        let rule = MatchRule(member: "Said", argument0Path: "/a/b/")
        let subscription = try await receiver.subscribe(rule) {
            inbox.append($0.arguments[0].stringValue ?? "")
        }
        // With this rule the bus sends every signal, so the connection itself has to filter.
        let all = try await receiver.subscribe(MatchRule(member: "Said")) { _ in }
        for one in ["/a/b/c", "/a/bc", "/a/b", "/a/", "", "/x/", "/a/b/c/d/"] {
            try await sender.emit(
                path: "/a", interface: "test.Interface", member: "Said", arguments: [.string(one)])
        }
        #expect(await inbox.wait(for: 3) == ["/a/b/c", "/a/", "/a/b/c/d/"])
        subscription.cancel()
        all.cancel()
    }

    @Test func `subscriptions share a match rule, which is removed with the last subscription`()
        async throws
    {
        // With this limit, a second rule of the receiver would be refused.
        let bus = try PrivateBus(limits: ["max_match_rules_per_connection": 1])
        let (sender, receiver) = (try await connect(bus), try await connect(bus))
        let (one, two) = (Inbox<Int>(), Inbox<Int>())
        let rule = MatchRule(member: "Said")
        let first = try await receiver.subscribe(rule) { _ in one.append(1) }
        var second: BusSubscription? = try await receiver.subscribe(rule) { _ in two.append(1) }
        func say() async throws {
            try await sender.emit(path: "/a", interface: "test.Interface", member: "Said")
            _ = try await sender.call(.toBus("GetId"))
            _ = try await receiver.call(.toBus("GetId"))
        }
        try await say()
        first.cancel()
        first.cancel()
        try await say()
        #expect((one.values.count, two.values.count) == (1, 2))
        _ = second
        second = nil
        try await say()
        #expect((one.values.count, two.values.count) == (1, 2))
        let other = try await receiver.subscribe(MatchRule(member: "Other")) { _ in }
        other.cancel()
    }

    @Test func `a subscription that ends also ends the subscriptions that its handler holds`()
        async throws
    {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        let rule = MatchRule(interface: "test.Interface")
        let inner = Inbox<UInt32>()
        // Only the handler keeps the other subscriptions alive.
        func nested() async throws -> BusSubscription {
            let held = [
                try await connection.watchOwner(of: "test.Name") { _ in inner.append(1) },
                try await connection.watchOwner(of: "test.Other") { _ in inner.append(1) },
                try await connection.subscribe(rule) { _ in inner.append(2) },
            ]
            let watch = try await connection.watchOwner(of: "test.Name") { _ in
                withExtendedLifetime(held) {}
            }
            return try await connection.subscribe(rule) { _ in withExtendedLifetime(watch) {} }
        }
        try await nested().cancel()
        // The subscriptions end on the reactor before the reactor makes the calls below.
        let heard = inner.values.count
        try await connection.requestName("test.Name")
        try await connection.emit(path: "/a", interface: "test.Interface", member: "Happened")
        _ = try await connection.owner(of: "test.Name")
        #expect(inner.values.count == heard)
    }

    /// Without the error, the caller would have a subscription that never reports anything.
    @Test(arguments: [true, false])
    func `a subscription fails if the connection closes before the subscription is made`(
        toOwner: Bool
    ) async throws {
        let bus = try PrivateBus()
        let connection = try await connect(bus)
        // With this rule and this watch, the later subscription does not need to ask the bus.
        let rule = MatchRule(member: "Said")
        let first = try await connection.subscribe(rule) { _ in }
        let watch = try await connection.watchOwner(of: "test.Name") { _ in }
        let results = Inbox<BusError?>()
        // The reactor begins both tasks before it continues either task.
        connection.onReactor { _ in
            Task.immediate {
                do throws(BusError) {
                    if toOwner {
                        _ = try await connection.watchOwner(of: "test.Name") { _ in }
                    } else {
                        _ = try await connection.subscribe(rule) { _ in }
                    }
                    results.append(nil)
                } catch {
                    results.append(error)
                }
            }
            Task.immediate { await connection.close() }
        }
        #expect(await results.wait(for: 1).map { $0?.code } == [.disconnected])
        first.cancel()
        watch.cancel()
    }

    @Test func `a refused match rule is an error, and the next rule works`() async throws {
        let bus = try PrivateBus(limits: ["max_match_rules_per_connection": 1])
        let connection = try await connect(bus)
        let first = try await connection.subscribe(MatchRule(member: "One")) { _ in }
        let error = await busError {
            _ = try await connection.subscribe(MatchRule(member: "Two")) { _ in }
        }
        #expect(error?.code == .limitsExceeded)
        first.cancel()
        let third = try await connection.subscribe(MatchRule(member: "Two")) { _ in }
        third.cancel()
    }
}
