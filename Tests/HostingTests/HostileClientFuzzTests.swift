import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Fault 46 of `Tests/Faults.md`: a client calls all members of the interface with any values.
@Suite(.serialized) struct HostileClientFuzzTests {
    @Test(.timeLimit(.minutes(10)))
    func `a hostile client gets typed errors, and other clients are served`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let process = DaemonProcess(identifier: daemon.processIdentifier)
        let center = try await HostedService.client(on: bus)
        let later = NotificationRequest(
            identifier: "mine", content: NotificationContent(title: "mine"),
            trigger: .interval(seconds: 30_000, repeats: false))
        // No hostile text contains the name of this app.
        let app = try ApplicationID("org.tocsin.Unharmed")
        try await center.add(later, attachments: [], for: app)
        let run = FuzzRun("hostile-client")
        let client = try await HostileClient(on: bus, seed: run.seed)
        let memory = try process.memory
        let seconds = FuzzRun.seconds
        let end = ContinuousClock.now + .seconds(seconds ?? 0)
        var rounds = 0
        var slowest = Duration.zero
        while seconds == nil ? rounds < 25 : ContinuousClock.now < end {
            rounds += 1
            let answers = try await client.round(of: 60)
            #expect(answers.isEmpty, "seed \(run.seed), round \(rounds)")
            // The daemon serves other clients, and keeps their requests.
            let (found, took) = try await Self.timed {
                try await center.pending(of: app).map(\.request)
            }
            #expect(found == [later], "seed \(run.seed), round \(rounds)")
            slowest = max(slowest, took)
            guard process.isAlive else { break }
        }
        #expect(process.isAlive, "\(daemon.said)")
        #expect(client.called == client.members, "each member must be called")
        let grown = try process.memory - memory
        print(
            """
            hostile client: \(rounds * 60) calls, \(client.refusals) refused, seed \(run.seed), \
            grew \(grown >> 20) MiB, slowest answer \(slowest)
            """)
        #expect(slowest < .seconds(5))
        #expect(grown < 150 << 20)
        // The daemon refuses between a tenth and nine tenths of the calls.
        #expect(client.refusals > rounds * 6 && client.refusals < rounds * 54)
        await client.disconnect()
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0, "\(daemon.said)")
        await server.stop()
    }

    private static func timed<Value>(
        _ body: () async throws -> Value
    ) async throws -> (Value, Duration) {
        let start = ContinuousClock.now
        return (try await body(), ContinuousClock.now - start)
    }
}

/// Calls all members of the daemon's interface, with values of any kind.
///
/// It owns its connections, and closes some of them while calls are open.
///
/// It promises to return every wrong answer.
///
/// It never checks the effect of a call.
final class HostileClient {
    private struct Member {
        let interface: InterfaceName
        let name: MemberName
        let arguments: [Signature]
    }

    /// The timeout of a call that must be answered.
    private static let timeout = Duration.seconds(20)
    /// The members that are called more often, because they calculate dates.
    private static let scheduling: Set<String> = [
        "Add", "AddMany", "Snooze", "Skip", "Pending", "PendingLines",
    ]
    /// The members that may wait for the user, or for an event.
    private static let waiting: Set<String> = [
        "WaitUntilIdle", "RequestAuthorization", "RequestLocation", "OpenNotificationSettings",
    ]

    /// There are few ids, so that calls often name a request of an earlier call.
    private static let ids = ["a", "b", "c"]

    private let bus: PrivateBus
    private var connections: [BusConnection] = []
    private let table: [Member]
    private let keys: [String]
    private let words: [String]
    private let files: [String]
    private var make: ValueGenerator
    private let calledNames = Recording<String>()
    private let refused = Recording<String>()

    /// Reads the members from the daemon's introspection, and the keys from the XML in `dbus/`.
    init(on bus: PrivateBus, seed: UInt64) async throws {
        self.bus = bus
        make = ValueGenerator(random: SeededGenerator(seed: seed))
        let connection = try await BusConnection.open(on: bus, name: "hostile")
        connections = [connection]
        let reply = try await connection.call(
            Self.call("org.freedesktop.DBus.Introspectable", "Introspect", []))
        table = try Self.members(in: reply.arguments.first?.stringValue ?? "")
        let contract = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../dbus/org.tocsin.NotificationCenter1.xml")
        let prose = try String(contentsOf: contract, encoding: .utf8)
        let typed = /\b([a-zA-Z]+) (?:[sxdbyiut]|a[\w{}]+)\b/
        keys = Set(prose.matches(of: typed).map { String($0.1) }).sorted()
        words = Set(prose.matches(of: /[a-zA-Z-]+/).map { String($0.0) }).sorted()
        let fifo = bus.directory + "/fifo"
        mkfifo(fifo, 0o600)
        files = ["/dev/null", "/dev/zero", fifo, bus.directory, "/dev/ptmx", "/proc/self/mem"]
    }

    var members: Set<String> { Set(table.map(\.name.rawValue)) }
    var called: Set<String> { Set(calledNames.all).intersection(members) }

    /// How many calls were answered by an error.
    var refusals: Int { refused.all.count }

    /// Makes `count` calls at once; returns the wrong answers.
    func round(of count: Int) async throws -> [String] {
        if make.number(0...9) == 0 {
            // The connection may close while calls are open.
            await connections.removeFirst().close()
        }
        while connections.count < 3 {
            connections.append(try await BusConnection.open(on: bus, name: "hostile"))
        }
        var calls: [(BusConnection, MethodCall)] = []
        for _ in 0..<count {
            guard let connection = connections.randomElement(using: &make.random) else { continue }
            calls.append((connection, try next()))
        }
        return await withTaskGroup(of: String?.self) { group in
            for (connection, call) in calls {
                group.addTask { [refused] in
                    await Self.wrongAnswer(to: call, on: connection, refused)
                }
            }
            var wrong: [String] = []
            for await answer in group { if let answer { wrong.append(answer) } }
            return wrong
        }
    }

    func disconnect() async {
        for connection in connections { await connection.close() }
    }

    private func next() throws -> MethodCall {
        let scheduling = table.filter { Self.scheduling.contains($0.name.rawValue) }
        let choice = make.number(0...2) == 0 ? scheduling : table
        guard let member = choice.randomElement(using: &make.random) else {
            throw HarnessError("The daemon has no members.")
        }
        calledNames.append(member.name.rawValue)
        if make.number(0...4) == 0 {
            return Self.call(member.interface, member.name, make.body())
        }
        return Self.call(
            member.interface, member.name, try member.arguments.map { try argument($0, depth: 4) })
    }

    /// A value of the right type, with the keys of the interface in its dictionaries.
    private func argument(_ type: Signature, depth: Int) throws -> BusValue {
        switch type.rawValue {
        case "a{sv}": return try dictionary(depth)
        case "aa{sv}":
            return .array(
                element: "a{sv}",
                try (0..<make.number(0...3)).map { _ in try dictionary(depth - 1) })
        case "ah":
            return .array(
                element: "h", try (0..<make.number(0...3)).compactMap { _ in try descriptor() })
        case "s": return .string(text())
        case "as": return .strings((0..<make.number(0...3)).map { _ in text() })
        default: return make.value(of: type, depth: depth)
        }
    }

    /// A dictionary with any values, or a request with the extreme numbers of each type.
    private func dictionary(_ depth: Int) throws -> BusValue {
        if depth >= 3, make.number(0...2) > 0 { return request() }
        return .vardict(
            try (0..<make.number(0...10)).map { _ in
                let key = make.number(0...3) == 0 ? "id" : keys.randomElement(using: &make.random)
                return (key ?? "", try entry(depth))
            })
    }

    private func request() -> BusValue {
        let components = ["year", "month", "day", "hour", "minute", "weekday", "weekOfYear"]
        let kinds = ["interval", "at", "calendar", "rule", "region", "push"]
        let spans = ["9223372036854775807h", "2562047788h", "1500000000h", "1s", "99999999999999d"]
        let trigger: [(String, BusValue)] = [
            ("kind", .string(kinds.randomElement(using: &make.random) ?? "")),
            ("seconds", .double(make.real())), ("date", .int64(make.integer())),
            ("repeats", .bool(make.flag())), ("until", .int64(make.integer())),
            ("count", .int64(make.integer())), ("latitude", .double(make.real())),
            ("rule", .string("every " + (spans.randomElement(using: &make.random) ?? ""))),
            (
                "components",
                .vardict(
                    (0..<2).map { _ in
                        let name = components.randomElement(using: &make.random) ?? ""
                        return (name, .int64(make.flag() ? make.integer() : make.number(1...12)))
                    })
            ),
        ]
        let isShort = make.flag()
        return .vardict([
            ("id", .string(Self.ids.randomElement(using: &make.random) ?? "")),
            ("title", .string(text())), ("badge", .int64(make.integer())),
            ("progress", .double(make.real())), ("grace", .double(make.real())),
            ("userInfo", make.value(of: "a{sv}")),
            ("trigger", .vardict(trigger.filter { isShort || $0.0 == "kind" || make.flag() })),
        ])
    }

    private func entry(_ depth: Int) throws -> BusValue {
        switch make.number(0...(depth > 0 ? 7 : 4)) {
        case 0, 1: .string(text())
        case 2: .int64(make.integer())
        case 3: .double(make.real())
        case 4: .bool(make.flag())
        case 5: make.value(depth: 2)
        case 6: try argument("aa{sv}", depth: depth - 1)
        default: try dictionary(depth - 1)
        }
    }

    private func text() -> String {
        switch make.number(0...4) {
        case 0: make.string()
        case 1: "org.example.App"
        case 2: Self.ids.randomElement(using: &make.random) ?? ""
        default: words.randomElement(using: &make.random) ?? ""
        }
    }

    private func descriptor() throws -> BusValue? {
        let file = open(
            files.randomElement(using: &make.random) ?? "", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        return file < 0 ? nil : .descriptor(BusDescriptor(adopting: file))
    }

    /// Makes a call; returns a description of the answer if it is wrong, else nil.
    ///
    /// Any reply is right. An error is right if its name says why the daemon refused the call.
    private static func wrongAnswer(
        to call: MethodCall, on connection: BusConnection, _ refused: Recording<String>
    ) async -> String? {
        do throws(BusError) {
            let mayWait = waiting.contains(call.member.rawValue)
            _ = try await connection.call(call, timeout: mayWait ? .milliseconds(200) : timeout)
            return nil
        } catch {
            guard let name = error.remoteName?.rawValue else {
                let isOwn = [.invalidValue, .limitsExceeded].contains(error.code)
                let mayWait = waiting.contains(call.member.rawValue) && error.code == .timedOut
                return isOwn || mayWait ? nil : "\(call.member): \(error)"
            }
            let isTyped =
                name.hasPrefix("org.tocsin.Error.")
                || name.hasPrefix("org.freedesktop.DBus.Error.")
                    && !["NoReply", "Disconnected", "ServiceUnknown", "Failed"].contains {
                        name.hasSuffix("." + $0)
                    }
            refused.append(name)
            return isTyped ? nil : "\(call.member): \(name) \(error.message)"
        }
    }

    private static func call(
        _ interface: InterfaceName, _ member: MemberName, _ arguments: [BusValue]
    ) -> MethodCall {
        MethodCall(
            destination: "org.tocsin.NotificationCenter1", path: "/org/tocsin/NotificationCenter1",
            interface: interface, member: member, arguments: arguments)
    }

    private static func members(in introspection: String) throws -> [Member] {
        var members: [Member] = []
        let interfaces = introspection.matches(
            of: /(?s)<interface name="([^"]+)">(.*?)<\/interface>/)
        for interface in interfaces {
            // A method without arguments has no body.
            let methods = interface.2.matches(
                of: /(?s)<method name="(\w+)"(?:\/>|>(.*?)<\/method>)/)
            for method in methods {
                let arguments = (method.2 ?? "").matches(of: /<arg [^>]*>/).map { String($0.0) }
                    .filter { !$0.contains("direction=\"out\"") }
                    .compactMap { $0.firstMatch(of: /type="([^"]+)"/).map { String($0.1) } }
                members.append(
                    Member(
                        interface: try InterfaceName(String(interface.1)),
                        name: try MemberName(String(method.1)),
                        arguments: try arguments.map { try Signature($0) }))
            }
        }
        guard members.count > 30 else {
            throw HarnessError("\(members.count) members: \(introspection)")
        }
        return members
    }
}
