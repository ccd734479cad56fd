import DesktopBus
import Foundation
import NotificationEngine
import NotificationModel
import NotificationRuntime
import NotificationStore
import Reactor
import TestSupport
import Testing

/// The store of an engine that runs inside an app.
@Suite(.timeLimit(.minutes(2))) struct EmbeddedStoreTests {
    private let bus: PrivateBus
    private let configuration: Configuration
    private let app: ApplicationID

    init() throws {
        bus = try PrivateBus()
        configuration = Configuration(
            environment: bus.environment.merging(["TOCSIN_MODE": "embedded"]) { $1 },
            executable: "/usr/bin/test", directory: "/", userID: geteuid(), machineID: "test")
        app = try ApplicationID("org.tocsin.Test")
    }

    private func add(_ name: String, to service: any NotificationService) async throws {
        // The text is so large that lists are read from the disk and not from a cache.
        let body = String(repeating: "x", count: 20_000)
        try await service.add(
            NotificationRequest(
                identifier: name, content: NotificationContent(title: name, body: body),
                trigger: .interval(seconds: 3_600, repeats: false)), attachments: [], for: app)
    }

    /// Records the connections that leave the bus, until the subscription ends.
    private func ends(
        on connection: BusConnection
    ) async throws -> (
        BusSubscription, Recording<String>
    ) {
        let ends = Recording<String>()
        let rule = MatchRule(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged")
        let subscription = try await connection.subscribe(rule) { signal in
            let names = signal.arguments.compactMap(\.stringValue)
            if names.count == 3, names[0].hasPrefix(":"), names[2].isEmpty { ends.append(names[0]) }
        }
        return (subscription, ends)
    }

    /// Overwrites a file in place, except for its first page.
    private func damage(_ path: String) throws {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        guard size > 4_096 else { return }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0x55, count: size - 4_096))
    }

    /// Damages the host's store beyond repair; returns when the host has dropped the engine.
    private func loseStore(of host: ServiceHost) async throws -> any NotificationService {
        let service = try await host.service()
        let observer = try await BusConnection.open(on: bus, name: "observer")
        let (subscription, ends) = try await ends(on: observer)
        for number in 0..<300 { try await add("r\(number)", to: service) }
        let database = configuration.embeddedLayout(of: host.application.id).database
        // A folder occupies the path at which the repair writes its copy of the store.
        let obstacle = database + ".image/file"
        try FileManager.default.createDirectory(
            atPath: obstacle, withIntermediateDirectories: true)
        try damage(database)
        try damage(database + "-wal")
        await #expect(throws: NotificationError.self) { try await service.pending(of: nil) }
        let refusal = await #expect(throws: NotificationError.self) {
            try await add("refused", to: service)
        }
        #expect(refusal?.code == .storeUnavailable, "\(refusal?.message ?? "")")
        try FileManager.default.removeItem(atPath: database + ".image")
        // The host drops the engine, and closes its connection last.
        try await ends.first(1)
        subscription.cancel()
        await observer.close()
        return service
    }

    /// If the store stayed closed, every call would fail until the app ends.
    @Test func `a store that cannot be repaired is opened anew at a later call`() async throws {
        let host = ServiceHost(configuration: configuration)
        let service = try await loseStore(of: host)
        let next = try await host.service()
        #expect(next as AnyObject !== service as AnyObject)
        try await add("after", to: next)
        let pending = try await next.pending(of: app).map(\.request.identifier)
        #expect(pending.contains("after"))
        #expect(!pending.contains("refused"))
        await host.finish { _ in }
    }

    /// An app that only listens makes no further call that would open the store anew.
    @Test func `the host reports an engine whose store has failed`() async throws {
        let host = ServiceHost(configuration: configuration)
        let reports = Recording<String>()
        host.onEngineEnd { reports.append("ended") }
        _ = try await loseStore(of: host)
        try await reports.first(1)
        #expect(reports.all == ["ended"])
        await host.finish { _ in }
    }

    @Test func `the pause between attempts to start the engine is short again after a success`()
        async throws
    {
        let start = ContinuousClock.now
        let passed = Locked(Duration.zero)
        let host = ServiceHost(configuration: configuration) { start + passed.withLock { $0 } }
        bus.stop()
        for _ in 0..<5 {
            await #expect(throws: NotificationError.self) { _ = try await host.service() }
            passed.withLock { $0 += .seconds(2) }
        }
        try bus.start()
        _ = try await loseStore(of: host)
        bus.stop()
        await #expect(throws: NotificationError.self) { _ = try await host.service() }
        try bus.start()
        // The pause after the first failure takes at most 200 ms.
        passed.withLock { $0 += .milliseconds(200) }
        _ = try await host.service()
        await host.finish { _ in }
    }
}
