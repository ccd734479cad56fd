import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// The service looks up a caller's rights once, and forgets them when the connection closes.
@Suite(.timeLimit(.minutes(2))) struct CallerRightsCacheTests {
    private let person = CallerRights(scope: .user)

    /// Makes a sender's next call; returns the cache's `run` if the call looks up the rights.
    private func run(ofLookUpIn cache: inout CallerRightsCache, _ sender: BusName) -> Int? {
        guard case .lookUp(let run) = cache.requestRights(of: sender) else { return nil }
        return run
    }

    @Test func `one call looks up the sender's rights, and a second call waits for them`() throws {
        var cache = CallerRightsCache()
        #expect(run(ofLookUpIn: &cache, ":1.1") == 0)
        guard case .wait(let promise) = cache.requestRights(of: ":1.1") else {
            Issue.record("the second call does not wait")
            return
        }
        let waiting = cache.rightsFound(":1.1", person, run: 0)
        #expect(waiting.count == 1)
        #expect(waiting.first === promise)
        guard case .known(person) = cache.requestRights(of: ":1.1") else {
            Issue.record("the third call does not know")
            return
        }
        cache.forget(":1.1")
        #expect(run(ofLookUpIn: &cache, ":1.1") == 0)
    }

    @Test func `the rights of callers are forgotten when the bus is lost`() {
        var cache = CallerRightsCache()
        _ = cache.rightsFound(":1.1", person, run: 0)
        #expect(run(ofLookUpIn: &cache, ":1.2") == 0)
        #expect(cache.forgetAll().isEmpty)
        #expect(cache.rightsFound(":1.2", person, run: 0).isEmpty)
        #expect(cache.known(":1.2") == nil, "an answer about the earlier bus is not kept")
        #expect(run(ofLookUpIn: &cache, ":1.1") == 1)
    }

    @Test func `beyond its limit the cache forgets the oldest connection`() throws {
        var cache = CallerRightsCache()
        for number in 0...1_024 {
            _ = cache.rightsFound(try BusName(":1.\(number)"), person, run: 0)
        }
        #expect(cache.known(":1.0") == nil)
        #expect(cache.known(":1.1") == person)
    }

    /// A process must not get another quota of apps with each connection.
    @Test func `a closed connection does not reset the number of apps that its process has named`()
        throws
    {
        var cache = CallerRightsCache()
        var rights = person
        rights.quotaOwner = "7"
        for sender in [":1.1", ":1.2"] as [BusName] {
            _ = cache.rightsFound(sender, rights, run: 0)
            for number in 0..<Limits.appsOfProgram.most {
                try cache.name("org.example.App\(number)", by: sender)
            }
            #expect(throws: NotificationError.self) {
                try cache.name("org.example.New", by: sender)
            }
            cache.forget(sender)
        }
        rights.quotaOwner = "8"
        _ = cache.rightsFound(":1.3", rights, run: 0)
        try cache.name("org.example.New", by: ":1.3")
    }

    @Test func `a caller's rights are looked up once, and forgotten when its connection closes`()
        async throws
    {
        let looks = Recording<BusName>()
        let center = try await RemoteServiceTests.Center(on: PrivateBus()) { sender in
            looks.append(sender)
            return CallerRights(scope: .user)
        }
        let connection = try await BusConnection.open(on: center.bus, name: "client")
        let client = RemoteService(connection: connection, launcher: nil)
        _ = try await client.connect(.init(id: .tocsin, name: "T"), asksBeforePresenting: false) {
            _ in
        }
        _ = try await client.pending(of: .tocsin)
        _ = try await client.status()
        #expect(looks.all.count == 1)
        let name = try #require(looks.all.first)
        #expect(await center.exporter.rightsCache.known(name) != nil)
        await connection.close()
        try await center.service.inputs(of: Members.disconnect) { !$0.isEmpty }
        #expect(await center.exporter.rightsCache.known(name) == nil)
    }
}
