import CenterInterface
import DesktopBus
import Foundation
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// A real daemon answers every call, whatever numbers the call contains, and keeps running.
///
/// An overflow ends a Swift process. Once the rule `every 2562047788h` caused an overflow, and an
/// inbox file of the year -290308 caused one at each start of the daemon.
@Suite(.serialized) struct HostileNumberTests {
    private static let whole: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    private static let real: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, 0.5]
    private static let app = "org.example.Hostile"
    private static let noFiles = BusValue.array(element: "h", [])

    // MARK: Samples with every number

    private static var content: NotificationContent {
        var content = NotificationContent(title: "T", body: "B")
        content.badge = 1
        content.sound = NotificationSound(.standard, isCritical: true, volume: 0.5)
        content.userInfo = [
            "n": .integer(1), "r": .real(0.5), "d": .date(Instant(microseconds: 1)),
        ]
        content.relevanceScore = 0.5
        content.progress = 0.5
        content.summaryArgumentCount = 1
        content.actions = [
            NotificationAction(identifier: "a", title: "A", options: [.foreground], snooze: 9)
        ]
        var desktop = DesktopOptions()
        desktop.expireTimeout = 1
        desktop.urgency = 1
        desktop.hints = ["number": .integer(1), "real": .double(0.5)]
        content.desktop = desktop
        return content
    }

    private static func requests() throws -> [BusValue] {
        var components = CalendarComponents()
        for field in CalendarComponents.fields { components[keyPath: field.path] = 1 }
        let later = Instant(microseconds: 4_000_000_000_000_000)
        let triggers: [NotificationTrigger] = [
            .interval(seconds: 600, repeats: true), .interval(seconds: 600, repeats: false),
            .at(later), .calendar(components, repeats: true),
            .rule(NotificationRule("day at 9:00", until: later, count: 3)),
            .rule(NotificationRule("90m", until: later, count: 3)),
            .region(
                NotificationRegion(identifier: "R", latitude: 1, longitude: 1, radius: 1),
                repeats: true), .push,
        ]
        return triggers.enumerated().map { index, trigger in
            // One request is enough to try each number of the content.
            var request = NotificationRequest(
                identifier: "r", content: index == 0 ? content : NotificationContent(title: "T"),
                trigger: trigger)
            request.grace = 60
            return NotificationRequest.record.busValue(of: request)
        }
    }

    private static func json(_ value: BusValue) -> String {
        RecordJSON.text(RecordValue(value), isFree: true)
    }

    private static var category: BusValue {
        NotificationCategory.record.busValue(
            of:
                NotificationCategory(
                    identifier: "c",
                    actions: [
                        NotificationAction(
                            identifier: "a", title: "A", options: [.foreground], snooze: 9)
                    ], options: .customDismissAction))
    }

    /// Sample arguments for each member of the interface; they contain every number that it takes.
    private static func samples() throws -> [String: [[BusValue]]] {
        let app = BusValue.string(app)
        let query: [[BusValue]] = [
            [app, .vardict([("limit", .int64(1))])], [app, .vardict([("after", .string("d/1"))])],
        ]
        let all = try requests()
        var added = try AddedRequest.record.value(of: all[4], "the request")
        added.nextFire = Instant(microseconds: 3_000_000_000_000_000)
        let later = AddedRequest.record.busValue(of: added)
        return [
            "Connect": [[.vardict([("id", app), ("name", .string("N")), ("future", .int64(1))])]],
            "Disconnect": [[app]], "Add": all.map { [app, $0, noFiles] },
            "AddMany": [[app, .array(element: "a{sv}", [all[0], later]), noFiles]],
            "Push": [
                [
                    app, .bytes(Array(#"{"aps":{"alert":"x","badge":1}}"#.utf8)),
                    .vardict([("priority", .int64(5)), ("expiration", .int64(1))]),
                ]
            ],
            "RegisterForPushes": [[app, .string("")]], "UnregisterFromPushes": [[app]],
            "ChoosePushDistributor": [[.string("")]],
            "Remove": [[app, .strings(["r"])]], "RemoveAll": [[app]], "Pending": query,
            "PendingLines": query, "Skip": [[app, .string("r")]],
            "Snooze": [[app, .string("r"), .double(60)]],
            "Delivered": query, "Records": query, "RemoveDelivered": [[app, .strings(["r"])]],
            "RemoveAllDelivered": [[app]],
            "SetCategories": [[app, .array(element: "a{sv}", [category])]],
            "Categories": [[app]], "RequestAuthorization": [[app, .uint64(7)]],
            "RequestLocation": [[app, .bool(false)]], "Settings": [[app]], "Permissions": [[]],
            "Decide": [[app, .string("allow")]],
            "SetPreviews": [[app, .string("always")]], "OpenNotificationSettings": [[app]],
            "SetBadge": [[app, .int64(1)]], "Badge": [[app]], "Acknowledge": [[app, .int64(1)]],
            "DecidePresentation": [[.uint64(1), .uint32(1)]],
            "WaitUntilIdle": [[app, .bool(false)]],
            "FinishExtension": [[app, .uint64(1), all[0], noFiles]], "Watch": [[app]],
            "Unwatch": [[]], "Status": [[]],
        ]
    }

    // MARK: Replacing numbers

    /// Copies of the value; in each copy one number is replaced.
    ///
    /// A number in a D-Bus variant is also replaced by numbers of other types.
    private static func variants(of value: BusValue, isFree: Bool) -> [BusValue] {
        switch value {
        case .variant(let inner): return variants(of: inner, isFree: true).map { .variant($0) }
        case .dictionary(let key, let type, let entries):
            return entries.indices.flatMap { index in
                variants(of: entries[index].value, isFree: false).map { changed in
                    var other = entries
                    other[index] = .init(entries[index].key, changed)
                    return .dictionary(key: key, value: type, other)
                }
            }
        case .array(let element, let elements):
            return elements.indices.flatMap { index in
                variants(of: elements[index], isFree: false).map { changed in
                    var other = elements
                    other[index] = changed
                    return .array(element: element, other)
                }
            }
        case .structure(let members) where members.count == 1:
            return variants(of: members[0], isFree: false).map { .structure([$0]) }
        case .int64, .uint64, .uint32, .int32, .byte, .double:
            if isFree {
                return whole.map { .int64($0) } + real.map { .double($0) } + [.uint64(.max)]
            }
            switch value {
            case .int64: return whole.map { .int64($0) }
            case .uint64: return [0, 1, .max - 1, .max].map { .uint64($0) }
            case .uint32: return [0, 1, .max - 1, .max].map { .uint32($0) }
            case .double: return real.map { .double($0) } + whole.map { .double(Double($0)) }
            default: return []
            }
        default: return []
        }
    }

    private static func variants(of arguments: [BusValue]) -> [[BusValue]] {
        [arguments]
            + arguments.indices.flatMap { index in
                variants(of: arguments[index], isFree: false).map { changed in
                    var other = arguments
                    other[index] = changed
                    return other
                }
            }
    }

    // MARK: Calling

    /// Calls a member; throws for an error that is not one of the centre's own errors.
    private static func call(
        _ member: String, _ arguments: [BusValue], on connection: BusConnection
    ) async throws {
        do throws(BusError) {
            _ = try await connection.call(
                MethodCall(
                    destination: CenterName.bus, path: CenterName.path,
                    interface: CenterName.interface, member: MemberName(member),
                    arguments: arguments), timeout: .seconds(20))
        } catch {
            let name = error.remoteName?.rawValue ?? "\(error.code)"
            guard name.hasPrefix("org.tocsin.Error.") else {
                throw HarnessError("\(member)(\(arguments)): \(error)")
            }
        }
    }

    private static func members(on connection: BusConnection) async throws -> [String] {
        let reply = try await connection.call(
            MethodCall(
                destination: CenterName.bus, path: CenterName.path,
                interface: "org.freedesktop.DBus.Introspectable", member: "Introspect"))
        let text = reply.arguments.first?.stringValue ?? ""
        let own =
            text.split(separator: "<interface name=\"\(CenterName.interface.rawValue)\"")
            .dropFirst().first?.split(separator: "</interface>").first ?? ""
        return own.matches(of: /<method name="(\w+)"/).map { String($0.1) }
    }

    @Test(.timeLimit(.minutes(5)))
    func `each call with an extreme number gets an answer, and the daemon runs on`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "hostile")
        let owner = try await connection.owner(of: CenterName.bus)
        let samples = try Self.samples()
        let members = try await Self.members(on: connection)
        #expect(Set(members) == Set(samples.keys), "each member must have a sample")
        // Decide the permissions first, so that no call waits for the user.
        for decision in ["allow", "allowLocation"] {
            try await Self.call("Decide", [.string(Self.app), .string(decision)], on: connection)
        }
        var count = 0
        for member in members {
            for arguments in try #require(samples[member]).flatMap(Self.variants) {
                try await Self.call(member, arguments, on: connection)
                count += 1
                guard member == "Add" else { continue }
                // Snoozes and skips make the daemon compute with a number that it accepted.
                for (member, rest) in [
                    ("Snooze", [.double(3e10)]), ("Skip", []), ("Skip", []),
                    ("Snooze", [.double(60)]),
                ] as [(String, [BusValue])] {
                    try await Self.call(
                        member, [.string(Self.app), .string("r")] + rest, on: connection)
                }
            }
        }
        #expect(count > 500)
        #expect(try await connection.owner(of: CenterName.bus) == owner)
        // The daemon can still send its lists over the bus.
        let center = HostedService.client(over: connection)
        _ = try await center.pending(of: nil)
        _ = try await center.delivered(of: nil)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        await server.stop()
    }

    // MARK: Texts with numbers

    private static let digits = [
        "-9223372036854775808", "-1", "0", "1", "9223372036854775806", "9223372036854775807",
        "18446744073709551616", "1e300", "-1e300", "1e999", "0.5", #"{"$real":"nan"}"#,
        #"{"$real":"inf"}"#, #"{"$date":9223372036854775807}"#,
    ]

    /// Copies of the JSON text, each with one number replaced.
    private static func variants(of json: String) -> [String] {
        json.matches(of: /[:,\[]\s*(-?\d+(\.\d+)?)/).flatMap { match in
            digits.map {
                json.replacingCharacters(in: match.1.startIndex..<match.1.endIndex, with: $0)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `each push with an extreme number gets an answer, and the daemon runs on`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "hostile")
        let payload = #"""
            {"aps":{"alert":{"title":"T","summary-arg-count":3,"loc-key":"K","loc-args":[1]},
            "badge":9,"sound":{"name":"b","critical":1,"volume":0.5},"relevance-score":0.75,
            "content-available":1,"mutable-content":1},"mine":[1.5,{"deep":7}]}
            """#
        let owner = try await connection.owner(of: CenterName.bus)
        for decision in ["allow", "allowLocation"] {
            try await Self.call("Decide", [.string(Self.app), .string(decision)], on: connection)
        }
        let payloads = [payload] + Self.variants(of: payload)
        #expect(payloads.count > 100)
        for text in payloads {
            try await Self.call(
                "Push", [.string(Self.app), .bytes(Array(text.utf8)), .vardict([])], on: connection)
        }
        try await server.calls.wait(for: "the first push") { $0.contains { $0.summary == "T" } }
        let delivered = try await HostedService.client(over: connection).delivered(of: nil)
        #expect(!delivered.isEmpty && delivered.allSatisfy { $0.app.rawValue == Self.app })
        #expect(try await connection.owner(of: CenterName.bus) == owner)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
        await server.stop()
    }

    @Test(.timeLimit(.minutes(5)))
    func `the daemon imports or sets aside each inbox file with an extreme number, and starts`()
        async throws
    {
        let bus = try PrivateBus()
        // The first daemon makes the inbox.
        await (try await HostedService.startDaemon(on: bus)).stop()
        let state = try #require(bus.environment["XDG_STATE_HOME"]) + "/tocsin"
        let machine = try #require(try FileManager.default.contentsOfDirectory(atPath: state).first)
        let inbox = "\(state)/\(machine)/inbox"
        var written = 0
        for request in try Self.requests() {
            let item = BusValue.vardict([
                ("app", .string("org.tocsin.Tocsin")), ("created", .int64(1_795_258_800_000_000)),
                ("request", request),
            ])
            for text in Self.variants(of: Self.json(item)) {
                let number = String(written, radix: 16)
                let tail = String(repeating: "0", count: 12 - number.count) + number
                let path = "\(inbox)/00000000-0000-4000-8000-\(tail).json"
                try Data(text.utf8).write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: path)
                written += 1
            }
        }
        let daemon = try await HostedService.startDaemon(on: bus)
        let left = try FileManager.default.contentsOfDirectory(atPath: inbox)
        #expect(written > 300)
        #expect(left.allSatisfy { !$0.hasSuffix(".json") }, "\(left.prefix(3))")
        let pending = try await HostedService.client(on: bus).pending(of: nil)
        print("inbox: \(written) files, \(left.count) set aside")
        // All requests have the same identifier.
        #expect(pending.map(\.request.identifier) == ["r"])
        #expect(!left.isEmpty && left.count < written)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `the tool imports or refuses each line with an extreme number, and the daemon runs on`()
        async throws
    {
        let bus = try PrivateBus()
        let daemon = try await HostedService.startDaemon(on: bus)
        let connection = try await BusConnection.open(on: bus, name: "hostile")
        let owner = try await connection.owner(of: CenterName.bus)
        let lines = try Self.requests().flatMap { Self.variants(of: Self.json($0)) }
        let file = bus.directory + "/lines.json"
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
        let tool = try RunningProgram(
            try HostedService.program("tocsin"), ["import", file, "--past-ok"],
            environment: bus.environment)
        // The tool names the line number of each refused line, and imports the others.
        #expect(try await tool.exit(within: 60) == 65, "\(tool.said.suffix(300))")
        try await tool.lines.untilFinished()
        let refusals = tool.said.matches(of: #/line \d+: /#).count
        print("import: \(lines.count) lines, \(tool.lines.all.count) taken, \(refusals) refused")
        #expect(!tool.lines.all.isEmpty && tool.lines.all.allSatisfy { $0 == "r" })
        #expect(refusals > 0)
        let list = try RunningProgram(
            try HostedService.program("tocsin"), ["list", "--all-apps"],
            environment: bus.environment)
        #expect(try await list.exit() == 0, "\(list.said.suffix(300))")
        try await list.lines.untilFinished()
        // All requests have the same identifier, so the list has a heading and one line.
        #expect(list.lines.all.count == 2, "\(list.lines.all)")
        #expect(try await connection.owner(of: CenterName.bus) == owner)
        daemon.signal(SIGTERM)
        #expect(try await daemon.exit() == 0)
    }
}
