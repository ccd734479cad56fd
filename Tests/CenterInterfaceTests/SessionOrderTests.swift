import DesktopBus
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// One connection changes its sessions and watches by concurrent calls in random order.
///
/// If a call overtook another, a `Connect` could succeed and leave its app without events.
@Suite(.timeLimit(.minutes(2))) struct SessionOrderTests {
    private enum Change: CaseIterable {
        case connect, disconnect, watch, unwatch
    }

    private static func call(_ change: Change, _ app: String) -> MethodCall {
        let (member, arguments): (MemberName, [BusValue]) =
            switch change {
            case .connect:
                ("Connect", [.vardict([("id", .string(app)), ("name", .string("A"))])])
            case .disconnect: ("Disconnect", [.string(app)])
            case .watch: ("Watch", [.string("")])
            case .unwatch: ("Unwatch", [])
            }
        return MethodCall(
            destination: CenterName.bus, path: CenterName.path, interface: CenterName.interface,
            member: member, arguments: arguments)
    }

    /// Suspends calls about sessions at random, as a store or a bus does.
    private static func slowDown(_ service: ScriptedService, seed: UInt64) async {
        let random = Locked(SeededGenerator(seed: seed))
        @Sendable func dawdle() async {
            let count = random.withLock { Int.random(in: 0..<16, using: &$0) }
            for _ in 0..<count { await Task.yield() }
        }
        await service.script(Members.connect) { _ in
            await dawdle()
            return .unknown
        }
        await service.script(Members.disconnect) { _ in await dawdle() }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `each call sees the change of the call before it`(seed: UInt64) async throws {
        let center = try await RemoteServiceTests.Center(
            on: PrivateBus(), rights: CallerRights(scope: .user))
        await Self.slowDown(center.service, seed: seed)
        let client = try await BusConnection.open(on: center.bus, name: "client")
        let name = try #require(await client.uniqueName)
        var random = SeededGenerator(seed: seed)
        var connected: Set<String> = []
        var isWatching = false
        let answers = Recording<Bool>()
        let count = 40
        for _ in 0..<count {
            let change = Change.allCases.randomElement(using: &random) ?? .connect
            let app = "org.example.A\(Int.random(in: 0..<3, using: &random))"
            switch change {
            case .connect: connected.insert(app)
            case .disconnect: connected.remove(app)
            case .watch: isWatching = true
            case .unwatch: isWatching = false
            }
            client.call(Self.call(change, app)) { result in
                if case .success = result { answers.append(true) } else { answers.append(false) }
            }
        }
        #expect(try await answers.first(count).allSatisfy(\.self))
        let sender = await center.exporter.senders[name]
        #expect(Set((sender?.sessions ?? [:]).keys.map(\.rawValue)) == connected)
        #expect((sender?.watch != nil) == isWatching)
        #expect((sender != nil) == (isWatching || !connected.isEmpty))
        let live = await center.service.sessions
        #expect(Set(live.keys) == Set((sender?.sessions ?? [:]).values.map(\.session)))
        // The client leaves the bus while its calls are still running.
        let late = try ApplicationID("org.example.Late")
        for _ in 0..<5 { client.call(Self.call(.connect, "org.example.Late")) { _ in } }
        await client.flush()
        await client.close()
        try await center.service.inputs(of: Members.connect) {
            $0.count { $0.identity.id == late } == 5
        }
        let connects = center.service.inputs(of: Members.connect).count
        try await center.service.inputs(of: Members.disconnect) { $0.count == connects }
        #expect(await center.service.sessions.isEmpty)
        #expect(await center.exporter.senders[name] == nil)
    }

    /// The question and the app's change of its options may cross on the bus.
    ///
    /// Without an answer, the daemon would wait for its deadline and then show no banner.
    @Test func `a question to an app that no longer asks is answered with all options`()
        async throws
    {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        _ = try await client.connect(
            ApplicationIdentity(id: .tocsin, name: "T"), asksBeforePresenting: false
        ) { _ in }
        let notification = DeliveredNotification(
            app: .tocsin,
            request: NotificationRequest(
                identifier: "tea", content: NotificationContent(title: "Tea")),
            date: Instant(microseconds: 7))
        let token = PresentationToken(rawValue: 5)
        await center.service.send(.willPresent(token, notification))
        let answers = try await center.service.inputs(of: Members.decidePresentation) {
            !$0.isEmpty
        }
        #expect(answers.map(\.0) == [token])
        #expect(answers.map(\.1) == [.all])
    }

    /// With the former options, the daemon would keep the responses for a process with a delegate.
    @Test func `a daemon that refused an app's new options gets them later`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let session = try await client.connect(
            ApplicationIdentity(id: .tocsin, name: "T"), asksBeforePresenting: false,
            handlesResponses: false, identifiers: nil
        ) { _ in }
        await center.exporter.refuse(NotificationError(.limitReached, "Call again."))
        await client.setAsksBeforePresenting(true, handlesResponses: true, in: session)
        await center.exporter.serve(center.service)
        let options = ApplicationIntroduction.SessionOptions(
            asksBeforePresenting: true, handlesResponses: true)
        try await center.service.inputs(of: Members.connect) {
            $0.last?.sessionOptions == options
        }
    }

    @Test func `a connection's limit of apps holds for concurrent calls`() async throws {
        let center = try await RemoteServiceTests.Center(
            on: PrivateBus(), rights: CallerRights(scope: .user))
        await Self.slowDown(center.service, seed: 1)
        let client = try await BusConnection.open(on: center.bus, name: "client")
        let answers = Recording<Bool>()
        for number in 0..<80 {
            client.call(Self.call(.connect, "org.example.A\(number)")) { result in
                if case .success = result { answers.append(true) } else { answers.append(false) }
            }
        }
        #expect(try await answers.first(80).count(where: \.self) == 64)
        #expect(await center.exporter.sessionCount == 64)
        // A connected app may change its options, and a watch counts as no app.
        _ = try await client.call(Self.call(.connect, "org.example.A0"))
        _ = try await client.call(Self.call(.watch, ""))
    }

    /// With a limit for each connection, an app could fill the daemon's memory.
    @Test func `the connections of one app share the limit of its sessions`() async throws {
        var rights = CallerRights(scope: .user)
        rights.quotaOwner = "7"
        let center = try await RemoteServiceTests.Center(on: PrivateBus(), rights: rights)
        var clients: [BusConnection] = []
        for number in 0..<64 {
            let client = try await BusConnection.open(on: center.bus, name: "client")
            // A connection that only watches counts, too.
            let change: Change = number.isMultiple(of: 2) ? .connect : .watch
            _ = try await client.call(Self.call(change, "org.example.A"))
            clients.append(client)
        }
        let other = try await BusConnection.open(on: center.bus, name: "other")
        for change in [Change.connect, .watch] {
            let error = await #expect(throws: BusError.self) {
                _ = try await other.call(Self.call(change, "org.example.A"))
            }
            #expect(error?.remoteName?.rawValue == "org.tocsin.Error.LimitReached")
        }
        #expect(await center.exporter.senders.count == 64)
        await clients[0].close()
        try await center.service.inputs(of: Members.disconnect) { $0.count == 1 }
        _ = try await other.call(Self.call(.connect, "org.example.A"))
    }

    @Test func `connections that connect at the same time share the limit of their app's sessions`()
        async throws
    {
        var rights = CallerRights(scope: .user)
        rights.quotaOwner = "7"
        let center = try await RemoteServiceTests.Center(on: PrivateBus(), rights: rights)
        var clients: [BusConnection] = []
        for _ in 0..<33 {
            let client = try await BusConnection.open(on: center.bus, name: "client")
            _ = try await client.call(Self.call(.connect, "org.example.A"))
            clients.append(client)
        }
        let mayEnd = Promise<Void>()
        await center.service.script(Members.connect) { _ in
            await mayEnd.value()
            return .unknown
        }
        let answers = Recording<Bool>()
        for client in clients {
            client.call(Self.call(.connect, "org.example.B")) { result in
                if case .success = result { answers.append(true) } else { answers.append(false) }
            }
        }
        // The refusals arrive while the service still makes the other sessions.
        #expect(try await answers.first(2) == [false, false])
        mayEnd.fulfill(())
        #expect(try await answers.first(33).count(where: \.self) == 31)
        #expect(await center.exporter.sessionCount == 64)
    }
}

/// A sandboxed caller's texts that could name files of the host or other apps.
@Suite(.timeLimit(.minutes(2))) struct SandboxedContentTests {
    private static let paths = [
        "/etc/passwd", "file:///etc/passwd", "FILE:///etc/passwd", "~/x.png", "../../x.png",
        "a/../b",
    ]
    private static let names = ["dialog-information", "mail-unread", "chime.wav", "sub/chime.wav"]

    private static func content(_ text: String) -> NotificationContent {
        var content = NotificationContent(title: text, body: text)
        content.sound = NotificationSound(.named(text))
        var desktop = DesktopOptions()
        desktop.icon = text
        desktop.hints = [
            "image-path": .string(text), "image_path": .string(text), "sound-file": .string(text),
            "desktop-entry": .string("org.other"), "x-other": .string(text), "value": .integer(7),
            "x-kde-appname": .string("other"), "x-kde-display-appname": .string("Other"),
        ]
        content.desktop = desktop
        return content
    }

    @Test(arguments: paths) func `no path of a sandboxed caller is kept`(path: String) {
        let content = Self.content(path).withoutForeignPaths
        #expect(content.title == path && content.body == path)
        #expect(content.desktop?.icon == nil)
        #expect(content.desktop?.hints == ["value": .integer(7)])
        #expect(content.sound?.source == .standard)
    }

    @Test(arguments: names)
    func `a sandboxed caller's icon names and sound names are kept`(name: String) {
        let content = Self.content(name).withoutForeignPaths
        #expect(content.desktop?.icon == name)
        #expect(content.desktop?.hints == ["value": .integer(7), "x-other": .string(name)])
        #expect(content.sound?.source == .named(name))
    }

    @Test(arguments: [true, false])
    func `a sandboxed caller's paths are left out, and its app needs a permission`(
        isSandboxed: Bool
    ) async throws {
        let app = ApplicationID.tocsin
        let required = Recording<ApplicationID>()
        let bus = try PrivateBus()
        let service = ScriptedService()
        let connection = try await BusConnection.open(on: bus, name: "center")
        let rights = CallerRights(scope: isSandboxed ? .app(app) : .user)
        let exporter = ServiceExporter(
            service: service, connection: connection,
            requirePermission: { required.append($0) }, inspect: { _ in rights })
        try await exporter.start()
        try await connection.requestName(CenterName.bus)
        let client = RemoteService(
            connection: try await .open(on: bus, name: "client"), launcher: nil)
        let request = NotificationRequest(identifier: "a", content: Self.content("/etc/passwd"))
        try await client.add(request, attachments: [], for: app)
        try await client.add([RequestWithFiles(request, files: [])], for: app)
        _ = try await client.connect(
            ApplicationIdentity(
                id: app, name: "A", icon: "file:///etc/x.png", hasDesktopEntry: true),
            asksBeforePresenting: false, identifiers: nil
        ) { _ in }
        let kept =
            service.inputs(of: Members.add).map(\.1)
            + service.inputs(of: Members.addMany).flatMap(\.1).map(\.request)
        #expect(kept.count == 2)
        for request in kept {
            #expect((request.content.desktop?.icon == nil) == isSandboxed)
            #expect((request.content.sound?.source == .standard) == isSandboxed)
        }
        let identity = try #require(service.inputs(of: Members.connect).last?.identity)
        #expect(identity.needsPermission == isSandboxed)
        #expect(identity.icon.isEmpty == isSandboxed)
        // The service looks for the desktop file of a sandboxed app, whatever the app claims.
        #expect(identity.hasDesktopEntry != isSandboxed)
        #expect(required.all.isEmpty != isSandboxed)
    }
}

@Suite(.timeLimit(.minutes(2))) struct RepeatedKeyTests {
    @Test func `if a call of Connect has two ids, the daemon checks and connects the last id`()
        async throws
    {
        let (own, other) = (ApplicationID.tocsin, try ApplicationID("org.example.Other"))
        let center = try await RemoteServiceTests.Center(
            on: PrivateBus(), rights: CallerRights(scope: .app(own)))
        let client = try await BusConnection.open(on: center.bus, name: "client")
        @Sendable func call(_ ids: ApplicationID...) -> MethodCall {
            MethodCall(
                destination: CenterName.bus, path: CenterName.path,
                interface: CenterName.interface, member: "Connect",
                arguments: [.vardict(ids.map { ("id", .string($0.rawValue)) })])
        }
        _ = try await client.call(call(other, own))
        await #expect(throws: BusError.self) { _ = try await client.call(call(own, other)) }
        #expect(center.service.inputs(of: Members.connect).map(\.identity.id) == [own])
    }
}

/// Without `ProcessFD` a bus gives only process numbers, which the kernel uses again.
@Suite struct ConnectionAgeTests {
    @Test func `a process that is younger than a connection did not open the connection`() {
        var ages = ConnectionAges()
        #expect(ages.latestStart(of: ":1.5") == nil)
        ages.recordSighting(":1.40", at: 100)
        ages.recordSighting(":1.80", at: 900)
        // `:1.7` has a smaller number than `:1.40`, so its connection is at least as old.
        #expect(ages.latestStart(of: ":1.7") == 100)
        #expect(ages.latestStart(of: ":1.40") == 100)
        #expect(ages.latestStart(of: ":1.41") == 900)
        #expect(ages.latestStart(of: ":1.81") == nil)
        ages.recordSighting(":1.9", at: 5_000)
        #expect(
            ages.latestStart(of: ":1.7") == 100,
            "a later call of an older connection changes nothing")
        #expect(ages.latestStart(of: "org.example.Name") == nil)
    }

    @Test func `after thousands of sightings no connection's latest start is too early`() throws {
        var ages = ConnectionAges()
        for number in 1...10_000 as ClosedRange<UInt64> {
            ages.recordSighting(try BusName(":1.\(number)"), at: number * 10)
        }
        for number in [1, 500, 9_000, 10_000] as [UInt64] {
            let start = try #require(ages.latestStart(of: try BusName(":1.\(number)")))
            #expect(start >= number * 10, "the latest start is not before the connection")
            #expect(start <= 100_000)
        }
    }
}
