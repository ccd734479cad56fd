import CenterInterface
import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

/// `Watch` and its signals on the wire.
@Suite(.timeLimit(.minutes(2))) struct WatchCallTests {
    private static let key = NotificationKey(app: .tocsin, identifier: "tea")

    @Test(arguments: [
        ServiceChange.lists(nil, .pending), .lists(.tocsin, [.pending, .delivered]),
        .lists(.tocsin, []), .answer(key, .standard), .answer(key, .dismiss),
        .answer(key, .custom("pour")), .answer(key, .reply("say", text: "yes")),
    ])
    func `a watcher gets every kind of change with all its values`(
        _ change: ServiceChange
    ) async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let heard = Recording<ServiceChange>()
        let client = try await center.client()
        let session = try await client.watch(nil) { heard.append($0) }
        await center.service.reportChange(change)
        #expect(try await heard.first(1) == [change])
        await client.unwatch(session)
    }

    @Test func `a change reaches its watchers and nobody else`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let watcher = try await center.client()
        // The stranger is an app with a session; its connection would record any signal.
        let connection = try await BusConnection.open(on: center.bus, name: "stranger")
        let overheard = Recording<BusSignal>()
        let subscription = try await connection.subscribe(
            MatchRule(interface: CenterName.interface)
        ) { overheard.append($0) }
        let stranger = RemoteService(connection: connection, launcher: nil)
        _ = try await stranger.connect(
            ApplicationIdentity(id: .tocsin, name: "Tea"), asksBeforePresenting: false
        ) { _ in }
        let heard = Recording<ServiceChange>()
        let session = try await watcher.watch(nil) { heard.append($0) }
        #expect(center.service.inputs(of: Members.watch) == [nil])
        await center.service.reportChange(.lists(.tocsin, .pending))
        await center.service.reportChange(.answer(Self.key, .custom("pour")))
        #expect(
            try await heard.first(2)
                == [.lists(.tocsin, .pending), .answer(Self.key, .custom("pour"))])
        await watcher.unwatch(session)
        #expect(center.service.inputs(of: Members.unwatch).count == 1)
        // The bus sends this answer after any signal that the stranger could have received.
        _ = try await connection.owner(of: CenterName.bus)
        #expect(overheard.all.isEmpty)
        subscription.cancel()
    }

    @Test func `two watchers of one connection each get their own signals`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let other = try ApplicationID("org.other")
        let (mine, theirs) = (Recording<ServiceChange>(), Recording<ServiceChange>())
        _ = try await client.watch(.tocsin) { mine.append($0) }
        #expect(center.service.inputs(of: Members.watch) == [.tocsin])
        let session = try await client.watch(other) { theirs.append($0) }
        #expect(center.service.inputs(of: Members.watch) == [.tocsin, nil])
        await center.service.reportChange(.lists(other, .delivered))
        await center.service.reportChange(.lists(.tocsin, .pending))
        try await mine.first(1)
        #expect(mine.all == [.lists(.tocsin, .pending)])
        #expect(theirs.all == [.lists(other, .delivered)])
        await client.unwatch(session)
    }

    @Test func `the watch ends when its connection closes`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let connection = try await BusConnection.open(on: center.bus, name: "watcher")
        let client = RemoteService(connection: connection, launcher: nil)
        _ = try await client.watch(nil) { _ in }
        await connection.close()
        let count = try await center.service.inputs(of: Members.unwatch) { !$0.isEmpty }.count
        #expect(count == 1)
    }
}
