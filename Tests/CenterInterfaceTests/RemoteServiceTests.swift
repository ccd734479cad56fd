import CenterInterface
import DesktopBus
import Foundation
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

/// A service, its exporter and its client over a real bus.
@Suite(.timeLimit(.minutes(2))) struct RemoteServiceTests {
    /// A bus with a scripted notification centre on it.
    struct Center {
        let bus: PrivateBus
        let service: ScriptedService
        let connection: BusConnection
        let exporter: ServiceExporter

        /// Puts a centre on a bus; the centre inspects callers, unless a test gives them rights.
        init(
            on bus: PrivateBus, rights: CallerRights? = nil,
            inspect: ServiceExporter.Inspection? = nil
        ) async throws {
            self.bus = bus
            service = ScriptedService()
            let connection = try await BusConnection.open(on: bus, name: "center")
            self.connection = connection
            if rights == nil, inspect == nil {
                exporter = ServiceExporter(service: service, connection: connection)
            } else {
                exporter = ServiceExporter(service: service, connection: connection) { sender in
                    if let rights { rights } else { await inspect?(sender) }
                }
            }
            try await exporter.start()
            try await connection.requestName(CenterName.bus)
        }

        func client() async throws -> RemoteService {
            try await RemoteService.open(
                connection: .open(on: bus, name: "client"), launcher: nil)
        }
    }

    private static let full = NotificationError(.noSpace, "The disk is full. Make room.")

    private static func request(_ identifier: String) -> NotificationRequest {
        NotificationRequest(
            identifier: identifier, content: NotificationContent(title: "Tea", body: "Ready"))
    }

    private static func response(_ id: Int64, at date: Int64 = 7) -> NotificationResponse {
        NotificationResponse(
            id: id,
            notification: DeliveredNotification(
                app: .tocsin, request: request("tea"), date: Instant(microseconds: date)),
            action: .custom("yes"), activationToken: "token")
    }

    @Test func `a request arrives with its attachment and is listed`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        var make = ModelGenerator(seed: 11)
        var request = make.request()
        while request.content.attachments.count != 1 { request = make.request() }
        let path = center.bus.directory + "/a.png"
        try Data("twelve bytes".utf8).write(to: URL(filePath: path))
        try await client.add(request, attachments: [OpenFile(path: path)], for: .tocsin)
        let added = try #require(center.service.inputs(of: Members.add).first)
        #expect(added.1 == request)
        #expect(try added.2.map { try $0.size } == [12])
        #expect(try await client.pending(of: nil).map(\.request) == [request])
        try await client.removePending(.identifiers([request.identifier]), of: .tocsin)
        #expect(try await client.pending(of: .tocsin).isEmpty)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `every random request arrives unchanged over a real bus`(seed: UInt64) async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        var make = ModelGenerator(seed: 1_000 + seed)
        var request = make.request()
        request.content.attachments = []
        try await client.add(request, attachments: [], for: .tocsin)
        #expect(center.service.inputs(of: Members.add).map(\.1) == [request])
    }

    @Test func `a file for each attachment is required`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        var request = Self.request("a")
        request.content.attachments = [.init(identifier: "0", path: "/a.png", type: "public.png")]
        let error = await #expect(throws: NotificationError.self) {
            try await client.add(request, attachments: [], for: .tocsin)
        }
        #expect(error?.code == .invalidArgument)
        #expect(center.service.calls.all.isEmpty)
    }

    @Test func `the service's errors arrive with their code`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let error = NotificationError(.noSpace, "The disk is full. Make room.")
        await center.service.fail(Members.add, with: error)
        await #expect(throws: error) {
            try await client.add(Self.request("a"), attachments: [], for: .tocsin)
        }
    }

    @Test func `the calls for categories, lists and removals reach the service`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let category = NotificationCategory(
            identifier: "c", actions: [NotificationAction(identifier: "yes", title: "Yes")])
        try await client.setCategories([category], of: .tocsin)
        #expect(center.service.inputs(of: Members.setCategories).map(\.1) == [[category]])
        await center.service.script(Members.categoriesOfApp) { _ in [category] }
        #expect(try await client.categories(of: .tocsin) == [category])
        let delivered = Self.response(1).notification
        await center.service.script(Members.delivered) { _ in
            ListPage(notifications: [delivered], next: nil)
        }
        #expect(try await client.delivered(of: nil) == [delivered])
        try await client.removeDelivered(.all, of: .tocsin)
        try await client.removeDelivered(.identifiers(["x"]), of: .tocsin)
        try await client.removePending(.all, of: .tocsin)
        #expect(try await client.status().hosting == "test")
        #expect(center.service.inputs(of: Members.removeAllDelivered) == [.tocsin])
        #expect(center.service.inputs(of: Members.removeDelivered).map(\.1) == [["x"]])
        #expect(center.service.inputs(of: Members.removeAll) == [.tocsin])
    }

    @Test func `a response reaches only its app, and is acknowledged`() async throws {
        let center = try await Center(on: PrivateBus())
        let app = try await center.client()
        let stranger = try await BusConnection.open(on: center.bus, name: "stranger")
        let overheard = Recording<BusSignal>()
        let rule = MatchRule(interface: CenterName.interface)
        let subscription = try await stranger.subscribe(rule) { overheard.append($0) }
        let heard = Recording<NotificationResponse>()
        _ = try await app.connect(.init(id: .tocsin, name: "Tocsin"), asksBeforePresenting: false) {
            if case .response(let response) = $0 { heard.append(response) }
        }
        await center.service.send(.response(Self.response(5)))
        #expect(try await heard.first(1) == [Self.response(5)])
        try await app.acknowledge(5, of: .tocsin)
        #expect(center.service.inputs(of: Members.acknowledge).map(\.1) == [5])
        // The bus sends this answer after any signal that the stranger could have received.
        _ = try await stranger.owner(of: CenterName.bus)
        #expect(overheard.all.isEmpty)
        subscription.cancel()
    }

    @Test func `an app's decision about a popup reaches the service`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let asked = Recording<PresentationToken>()
        let session = try await client.connect(
            .init(id: .tocsin, name: "Tocsin"), asksBeforePresenting: false
        ) {
            if case .willPresent(let token, _) = $0 { asked.append(token) }
        }
        await client.setAsksBeforePresenting(true, handlesResponses: false, in: session)
        let options = try #require(center.service.inputs(of: Members.connect).last).sessionOptions
        #expect(options == .init(asksBeforePresenting: true, handlesResponses: false))
        let token = PresentationToken(rawValue: .max)
        await center.service.send(.willPresent(token, Self.response(1).notification))
        #expect(try await asked.first(1) == [token])
        await client.answer(token, with: [.banner, .sound])
        let decision = try #require(center.service.inputs(of: Members.decidePresentation).last)
        #expect(decision == (token, [.banner, .sound]))
    }

    @Test func `a push and its extension cross the bus`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let heard = Recording<ServiceEvent>()
        let session = try await client.connect(
            .init(id: .tocsin, name: "T"), asksBeforePresenting: false
        ) { heard.append($0) }
        await client.setExtendsPushes(true, in: session)
        let introduced = try #require(center.service.inputs(of: Members.connect).last)
        #expect(introduced.sessionOptions == .init(extendsPushes: true))
        await center.service.script(Members.push) { $0.2.collapseIdentifier }
        let payload = Array(#"{"aps":{}}"#.utf8)
        let headers = PushHeaders(
            collapseIdentifier: "c", priority: .low, expiration: Instant(microseconds: 7))
        #expect(try await client.push(payload, headers: headers, for: .tocsin) == "c")
        #expect(try await client.push(payload, collapseIdentifier: nil, for: nil) == nil)
        let pushes = center.service.inputs(of: Members.push)
        #expect(pushes.map(\.0) == [.tocsin, nil])
        #expect(pushes.map(\.1) == [payload, payload])
        #expect(pushes.map(\.2) == [headers, PushHeaders()])
        let token = ExtensionToken(rawValue: .max)
        await center.service.send(.extend(token, Self.request("p"), of: .tocsin))
        await center.service.send(.extensionWillExpire(token))
        let events = try await heard.first(2)
        guard case .extend(token, let request, of: .tocsin) = events[0],
            case .extensionWillExpire(token) = events[1]
        else {
            Issue.record("\(events)")
            return
        }
        #expect(request == Self.request("p"))
        let path = center.bus.directory + "/a.png"
        try Data("five!".utf8).write(to: URL(filePath: path))
        var content = NotificationContent(title: "changed")
        content.attachments = [.init(identifier: "0", path: path, type: "public.png")]
        try await client.finishExtension(
            token, of: .tocsin,
            with: ExtendedContent(content: content, attachments: [OpenFile(path: path)]))
        let finished = try #require(center.service.inputs(of: Members.finishExtension).last)
        #expect(finished.1 == token)
        #expect(finished.2 == content)
        #expect(try finished.3.map { try $0.size } == [5])
        let count = center.service.calls.all.count
        try await client.finishExtension(token, of: .tocsin, with: nil)
        #expect(center.service.calls.all.count == count, "the client answers a question only once")
    }

    @Test func `an app that leaves the bus is disconnected`() async throws {
        let center = try await Center(on: PrivateBus())
        let connection = try await BusConnection.open(on: center.bus, name: "client")
        let client = RemoteService(connection: connection, launcher: nil)
        _ = try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: false) {
            _ in
        }
        #expect(await center.exporter.sessionCount == 1)
        await connection.close()
        try await center.service.inputs(of: Members.disconnect) { !$0.isEmpty }
        #expect(await center.exporter.sessionCount == 0)
    }

    @Test func `a disconnect ends the session of the app`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let session = try await client.connect(
            .init(id: .tocsin, name: "T"), asksBeforePresenting: false
        ) { _ in }
        await client.disconnect(session)
        #expect(center.service.inputs(of: Members.disconnect) == [.tocsin])
        #expect(await center.exporter.sessionCount == 0)
    }

    /// A daemon that still asked the ended session would get no answer, and show no banner.
    @Test func `when one of two sessions ends, the daemon gets the options of the other`()
        async throws
    {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let identity = ApplicationIdentity(id: .tocsin, name: "T")
        let asking = try await client.connect(identity, asksBeforePresenting: true) { _ in }
        _ = try await client.connect(identity, asksBeforePresenting: false) { _ in }
        await client.disconnect(asking)
        #expect(await center.service.sessions.values.map(\.sessionOptions) == [.init()])
        #expect(await center.exporter.sessionCount == 1)
    }

    @Test func `a new daemon gets the sessions, and no app hears a response twice`() async throws {
        let bus = try PrivateBus()
        let first = try await Center(on: bus)
        let client = try await first.client()
        let heard = Recording<Int64>()
        _ = try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: true) {
            if case .response(let response) = $0 { heard.append(response.id) }
        }
        await first.service.send(.response(Self.response(1)))
        try await heard.first(1)
        let former = await first.connection.uniqueName
        await first.connection.close()
        await BusConnection.wait(until: CenterName.bus, leaves: former, on: bus)
        let second = try await Center(on: bus)
        try await second.service.inputs(of: Members.connect) {
            $0.last?.sessionOptions.asksBeforePresenting == true
        }
        await second.service.send(.response(Self.response(1)))
        await second.service.send(.response(Self.response(2)))
        #expect(try await heard.first(2) == [1, 2])
        try await client.acknowledge(1, of: .tocsin)
        #expect(second.service.inputs(of: Members.acknowledge).map(\.1) == [1])
    }

    /// The acknowledgement fails on a full disk, although the app has handled the response.
    @Test func `a replayed response whose acknowledgement failed is acknowledged, not passed on`()
        async throws
    {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let heard = Recording<Int64>()
        _ = try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: false) {
            if case .response(let response) = $0 { heard.append(response.id) }
        }
        await center.service.send(.response(Self.response(1)))
        try await heard.first(1)
        await center.service.fail(Members.acknowledge, with: Self.full)
        await #expect(throws: Self.full) { try await client.acknowledge(1, of: .tocsin) }
        await center.service.send(.response(Self.response(1)))
        await center.service.send(.response(Self.response(2)))
        #expect(try await heard.first(2) == [1, 2])
        let inputs = try await center.service.inputs(of: Members.acknowledge) { $0.count >= 2 }
        #expect(inputs.map(\.1) == [1, 1])
    }

    /// Makes a session that records the dates of its responses.
    private static func connect(
        _ client: RemoteService, _ heard: Recording<Instant>
    ) async throws -> ServiceSession {
        try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: false) {
            if case .response(let response) = $0 { heard.append(response.notification.date) }
        }
    }

    /// Two stores may give one number to two responses.
    ///
    /// If the client compared only the numbers, the app would not get the new response until its
    /// next start.
    @Test func `a response of another store is passed on, although its number is known`()
        async throws
    {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let heard = Recording<Instant>()
        _ = try await Self.connect(client, heard)
        await center.service.send(.response(Self.response(1, at: 1)))
        await center.service.send(.response(Self.response(1, at: 2)))
        #expect(try await heard.first(2) == [1, 2].map(Instant.init(microseconds:)))
        await center.service.fail(Members.acknowledge, with: Self.full)
        await #expect(throws: Self.full) { try await client.acknowledge(1, of: .tocsin) }
        await center.service.send(.response(Self.response(1, at: 3)))
        #expect(try await heard.first(3).last == Instant(microseconds: 3))
    }

    @Test func `a new session gets a response whose number another store has used`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let heard = Recording<Instant>()
        let former = try await Self.connect(client, heard)
        await center.service.send(.response(Self.response(1, at: 1)))
        try await heard.first(1)
        await center.service.fail(Members.acknowledge, with: Self.full)
        await #expect(throws: Self.full) { try await client.acknowledge(1, of: .tocsin) }
        await client.disconnect(former)
        _ = try await Self.connect(client, heard)
        await center.service.send(.response(Self.response(1, at: 2)))
        #expect(try await heard.first(2) == [1, 2].map(Instant.init(microseconds:)))
    }

    /// If the client forgot the newer response, the app would get it a second time.
    @Test func `a late acknowledgement removes no newer response with the same number`()
        async throws
    {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let heard = Recording<Instant>()
        _ = try await Self.connect(client, heard)
        let released = Promise<Void>()
        await center.service.script(Members.acknowledge) { _ in await released.value() }
        await center.service.send(.response(Self.response(1, at: 1)))
        try await heard.first(1)
        async let acknowledged: Void = client.acknowledge(1, of: .tocsin)
        try await center.service.inputs(of: Members.acknowledge) { $0.count == 1 }
        await center.service.send(.response(Self.response(1, at: 2)))
        try await heard.first(2)
        released.fulfill(())
        try await acknowledged
        await center.service.send(.response(Self.response(1, at: 2)))
        await center.service.send(.response(Self.response(2, at: 3)))
        #expect(try await heard.first(3) == [1, 2, 3].map(Instant.init(microseconds:)))
    }

    @Test func `a hundred adds are in flight together, and all arrive`() async throws {
        let center = try await Center(on: PrivateBus())
        let client = try await center.client()
        let lastCame = Promise<Void>()
        await center.service.script(Members.add) { _ in await lastCame.value() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await client.add(
                        Self.request("\(number)"), attachments: [], for: .tocsin)
                }
            }
            try await center.service.calls.first(100)
            lastCame.fulfill(())
            try await group.waitForAll()
        }
        #expect(center.service.inputs(of: Members.add).count == 100)
    }
}
