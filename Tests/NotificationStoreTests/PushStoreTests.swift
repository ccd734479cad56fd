import Foundation
import GRDB
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

/// Registrations for remote notifications, and the keys of received messages.
@Suite(.timeLimit(.minutes(2))) struct PushStoreTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private static func registration(_ app: ApplicationID = .tocsin) -> PushRegistration {
        var registration = PushRegistration(
            app: app, token: "token of \(app)", privateKey: Array(1...32),
            authenticationSecret: Array(1...16))
        registration.endpoint = "https://push.example/token"
        registration.distributor = "org.unifiedpush.Distributor.kde"
        registration.serverKey = "key"
        registration.name = "Tocsin"
        return registration
    }

    private func message(_ key: String, after seconds: Int64 = 0) -> ReceivedMessage {
        ReceivedMessage(
            key: key, date: fixture.now.wall.adding(microseconds: seconds * 1_000_000))
    }

    private func request(_ identifier: String) throws -> StoreAddition {
        let request = NotificationRequest.sample(identifier)
        return .request(
            NewRequest(
                app: .tocsin, identifier: identifier, payload: try PayloadCoding.encode(request),
                due: DueTime(wall: fixture.now.wall, boot: nil), files: []))
    }

    @Test func `a push registration is kept until it is removed`() async throws {
        var store = try fixture.open()
        try await store.save(Self.registration())
        var changed = Self.registration()
        changed.endpoint = nil
        try await store.save(changed)
        store.close()
        store = try fixture.open()
        defer { store.close() }
        #expect(try await store.pushRegistrations() == [changed])
        try await store.removePushRegistration(of: .tocsin)
        #expect(try await store.pushRegistrations().isEmpty)
    }

    @Test func `a damaged push registration is not listed`() async throws {
        let store = try fixture.open()
        try await store.save(Self.registration())
        store.close()
        try fixture.sqlite {
            try $0.execute(sql: "UPDATE push_registration SET token = 'another'")
        }
        let again = try fixture.open()
        defer { again.close() }
        #expect(try await again.pushRegistrations().isEmpty)
    }

    @Test func `a push registration moves with its renamed app, and the app is not forgotten`()
        async throws
    {
        let store = try fixture.open()
        defer { store.close() }
        let former = try ApplicationID("dev.tea")
        try await store.save(Self.registration(former))
        #expect(try await store.forgetUnusedApps(but: []).isEmpty)
        #expect(try await store.rename(former, to: .tocsin))
        let moved = try #require(try await store.pushRegistrations().first)
        #expect(moved.app == .tocsin && moved.token == "token of dev.tea")
        #expect(try await store.knownApps() == [.tocsin])
    }

    @Test func `a push message that is received twice stores one request`() async throws {
        let store = try fixture.open()
        defer { store.close() }
        #expect(
            try await store.add([try request("first")], for: .tocsin, message: message("m")) != nil)
        #expect(
            try await store.add([try request("second")], for: .tocsin, message: message("m")) == nil
        )
        let pending = try await store.pending(of: .tocsin, now: fixture.now)
        #expect(pending.map(\.request.identifier) == ["first"])
    }

    @Test func `the key of a message is not stored if its request is refused`() async throws {
        var limits = StoreLimits()
        limits.pending = 1
        let store = try fixture.open(limits: limits)
        defer { store.close() }
        _ = try await store.add([try request("first")], for: .tocsin)
        await #expect(throws: NotificationError.self) {
            _ = try await store.add([try request("second")], for: .tocsin, message: message("m"))
        }
        #expect(
            try await store.recordMessage(message("m"), of: .tocsin),
            "the message counts as new, so it can come again")
    }

    @Test func `a message key is dropped when the key is too old`() async throws {
        let store = try fixture.open()
        defer { store.close() }
        #expect(try await store.recordMessage(message("old"), of: .tocsin))
        let age = Limits.pushKeyAge.range.upperBound
        #expect(try await store.recordMessage(message("new", after: age), of: .tocsin))
        #expect(try await !store.recordMessage(message("old", after: age), of: .tocsin))
        #expect(try await store.recordMessage(message("newer", after: age + 1), of: .tocsin))
        #expect(try await store.recordMessage(message("old", after: age + 1), of: .tocsin))
    }

    @Test func `the oldest message key is dropped when there are too many keys`() async throws {
        let store = try fixture.open()
        defer { store.close() }
        #expect(try await store.recordMessage(message("first"), of: .tocsin))
        try await store.change("changed") { database in
            try database.execute(
                sql: "UPDATE sqlite_sequence SET seq = \(Limits.pushKeys.most) "
                    + "WHERE name = 'push_message'")
        }
        #expect(try await store.recordMessage(message("last"), of: .tocsin))
        #expect(try await store.recordMessage(message("first"), of: .tocsin))
    }
}
