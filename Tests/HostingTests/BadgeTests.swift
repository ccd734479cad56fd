import DesktopBus
import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// The number on an app's icon, as docks receive it.
@Suite(.timeLimit(.minutes(5))) struct BadgeTests {
    /// A dock on the test's bus; it records each update as `application://… count visible`.
    private final class Dock: Sendable {
        let updates = Recording<String>()
        private let connection: BusConnection
        private let subscription: BusSubscription

        init(on bus: PrivateBus, named: Bool = true) async throws {
            connection = try await BusConnection.open(on: bus, name: "dock")
            let rule = MatchRule(
                interface: "com.canonical.Unity.LauncherEntry", member: "Update")
            subscription = try await connection.subscribe(rule) { [updates] signal in
                updates.append(Self.text(signal))
            }
            if named { try await connection.requestName("com.canonical.Unity") }
        }

        private static func text(_ signal: BusSignal) -> String {
            let uri = signal.arguments.first?.stringValue ?? ""
            let values = signal.arguments.dropFirst().first?.vardictValue ?? [:]
            // The type must be `x`, because some docks refuse other types.
            guard case .int64(let count)? = values["count"]?.unwrapped else { return "no count" }
            let isVisible = values["count-visible"]?.boolValue ?? false
            return "\(uri) \(count) \(isVisible)"
        }

        func stop() async {
            subscription.cancel()
            await connection.close()
        }
    }

    private static let uri = "application://org.tocsin.Test.desktop"

    @Test(arguments: Hosting.allCases)
    func `docks get a badge and its removal, and a dock that starts later gets the badge`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let first = try await Dock(on: harness.bus, named: false)
            try await harness.service.setBadge(3, of: harness.app)
            try await first.updates.first("the count") { $0 == "\(Self.uri) 3 true" }
            let late = try await Dock(on: harness.bus)
            try await late.updates.first("the count again") { $0 == "\(Self.uri) 3 true" }
            try await harness.service.setBadge(0, of: harness.app)
            try await late.updates.first("the removal") { $0 == "\(Self.uri) 0 false" }
            for wrong in [-1, Int(Int32.max) + 1] {
                let error = await #expect(throws: NotificationError.self) {
                    try await harness.service.setBadge(wrong, of: harness.app)
                }
                #expect(error?.code == .badgeInvalid)
            }
            await first.stop()
            await late.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `only a delivered notification with a badge number changes its app's badge`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let dock = try await Dock(on: harness.bus)
            try await harness.center.add("two") { $0.badge = 2 }
            try await dock.updates.first("the count") { $0 == "\(Self.uri) 2 true" }
            #expect(try await harness.service.badge(of: harness.app) == 2)
            try await harness.center.add("nothing")
            _ = try await harness.post(2)
            try await harness.center.add("zero") { $0.badge = 0 }
            try await dock.updates.first("the removal") { $0 == "\(Self.uri) 0 false" }
            #expect(try await harness.service.badge(of: harness.app) == 0)
            #expect(dock.updates.all == ["\(Self.uri) 2 true", "\(Self.uri) 0 false"])
            await dock.stop()
        }
    }

    @Test(arguments: Hosting.allCases, ["", " \n"])
    func `a request without a text sets its badge and has no popup`(
        _ hosting: Hosting, text: String
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            let dock = try await Dock(on: harness.bus)
            var content = NotificationContent(title: text, body: text)
            content.badge = 7
            content.sound = NotificationSound(.standard)
            try await harness.service.add(
                NotificationRequest(identifier: "badge", content: content), attachments: [],
                for: harness.app)
            try await dock.updates.first("the count") { $0 == "\(Self.uri) 7 true" }
            try await harness.center.add("text")
            #expect(try await harness.post(1).summary == "text")
            try await harness.center.settled { pending, delivered in
                pending.isEmpty && delivered.map(\.request.identifier) == ["text"]
            }
            await dock.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `only an app with permission for badges can set its badge`(_ hosting: Hosting) async throws
    {
        try await ServiceHarness.run(hosting) { harness in
            let dock = try await Dock(on: harness.bus)
            try await harness.center.connect(needsPermission: true)
            let early = await #expect(throws: NotificationError.self) {
                try await harness.service.setBadge(1, of: harness.app)
            }
            #expect(early?.code == .notAllowed)
            let options: Permission.Options = [.alert, .provisional]
            _ = try await harness.service.requestAuthorization(options, for: harness.app)
            let unasked = await #expect(throws: NotificationError.self) {
                try await harness.service.setBadge(1, of: harness.app)
            }
            #expect(unasked?.message.contains(".badge") == true)
            // The request is delivered, but its number is not set.
            try await harness.center.add("one") { $0.badge = 1 }
            _ = try await harness.post(1)
            try await harness.center.settled { _, delivered in delivered.count == 1 }
            try await harness.service.decide(.allow, for: harness.app)
            try await harness.service.setBadge(7, of: harness.app)
            try await dock.updates.first("the count") { $0 == "\(Self.uri) 7 true" }
            #expect(dock.updates.all == ["\(Self.uri) 7 true"])
            await dock.stop()
        }
    }

    @Test(arguments: Hosting.allCases)
    func `the status says that badges are shown when a dock is on the bus`(
        _ hosting: Hosting
    ) async throws {
        try await ServiceHarness.run(hosting) { harness in
            #expect(try await !harness.service.status().presenter.showsBadges)
            let dock = try await Dock(on: harness.bus)
            try await harness.bus.untilReceived()
            #expect(try await harness.service.status().presenter.showsBadges)
            await dock.stop()
        }
    }

    /// A dock forgets the number when the daemon leaves the bus, and the app does not set it again.
    @Test func `the next daemon announces a stored badge`() async throws {
        let bus = try PrivateBus()
        let server = try await ScriptedServer.start(on: bus)
        let client = try await HostedService.client(on: bus)
        let app = try ApplicationID("org.tocsin.Test")
        let gone = try ApplicationID("org.tocsin.Gone")
        let first = try await HostedService.startDaemon(on: bus)
        try await client.setBadge(4, of: app)
        try await client.setBadge(2, of: gone)
        try await client.setBadge(0, of: gone)
        await first.stop()
        let dock = try await Dock(on: bus)
        let second = try await HostedService.startDaemon(on: bus)
        try await dock.updates.first("the count again") { $0 == "\(Self.uri) 4 true" }
        try await client.setBadge(5, of: app)
        try await dock.updates.first("the next count") { $0 == "\(Self.uri) 5 true" }
        #expect(Set(dock.updates.all) == ["\(Self.uri) 4 true", "\(Self.uri) 5 true"])
        await second.stop()
        await dock.stop()
        await server.stop()
    }
}
