import GRDB
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Limits of the store", .timeLimit(.minutes(2)))
struct StoreLimitsTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    @Test
    func `the number of an app's pending requests is limited, and a replacement does not count`()
        async throws
    {
        var limits = StoreLimits()
        limits.pending = 3
        let store = try fixture.open(limits: limits)
        for name in ["a", "b", "c", "a"] { try await store.add(.after(10, name)) }
        let error = await #expect(throws: NotificationError.self) {
            try await store.add(.after(10, "d"))
        }
        #expect(error?.code == .limitReached)
        try await store.add(.after(10, "d"), app: try ApplicationID("org.example.Other"))
        _ = try await store.removePending(.identifiers(["a"]), of: .tocsin)
        try await store.add(.after(10, "d"))
        #expect(try await store.identifiers() == ["b", "c", "d"])
    }

    @Test
    func `the newest 100 delivered notifications of an app are kept for 7 days`() async throws {
        let store = try fixture.open()
        for index in 0..<105 {
            try await store.add(.sample("r\(index)"))
            try await store.deliver()
        }
        let kept = try await store.delivered(of: .tocsin).map(\.request.identifier)
        #expect(kept == (5..<105).reversed().map { "r\($0)" })
        var later = fixture.now
        later.wall = later.wall.adding(microseconds: StoreLimits().deliveredAge)
        try await store.adoptThisBoot(now: later)
        #expect(try await store.delivered(of: nil).count == 100)
        later.wall = later.wall.adding(microseconds: 1)
        try await store.adoptThisBoot(now: later)
        #expect(try await store.delivered(of: nil).isEmpty)
    }

    @Test
    func `a notification delivered in 1970 is kept when the clock gets the right year`()
        async throws
    {
        let store = try fixture.open()
        let then = ClockReading.sample(wall: Instant(microseconds: 5_000_000))
        try await store.add(.sample("a"), now: then)
        try await store.deliver(now: then)
        try await store.adoptThisBoot(now: fixture.now)
        #expect(try await store.delivered(of: nil).count == 1)
    }

    @Test func `an app with any row is known, and an app with only a category is forgotten`()
        async throws
    {
        let store = try fixture.open()
        let apps = try ["dev.pending", "dev.delivered", "dev.category"].map {
            try ApplicationID($0)
        }
        for index in 0..<3 { try await store.add(.sample("\(index)"), app: apps[1]) }
        try await store.deliver()
        for index in 0..<3 { try await store.add(.after(10, "\(index)"), app: apps[0]) }
        let category = NotificationCategory(identifier: "c")
        try await store.setCategories([category], of: apps[2])
        #expect(try await store.knownApps() == Set(apps))
        #expect(try await store.appsWithNotifications() == Set(apps.prefix(2)))
        #expect(try await store.forgetUnusedApps(but: []) == [apps[2]])
        #expect(try await store.storedApps().known == Set(apps.prefix(2)))
    }

    /// A daemon with a million requests of a few apps must start as fast as one with a few.
    @Test func `the query for the apps in a table seeks each app in an index`() async throws {
        let store = try fixture.open()
        let statements = Recording<String>()
        try await store.change("read") { database in
            database.trace { statements.append($0.expandedDescription) }
        }
        _ = try await store.knownApps()
        let queries = statements.all.filter { $0.contains("min(app)") }
        #expect(queries.count == 7, "\(queries)")
        let steps = try await store.change("read") { database -> [String] in
            database.trace(options: [])
            return try queries.flatMap { sql in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").compactMap {
                    String.fromDatabaseValue($0["detail"])
                }
            }
        }
        #expect(steps.count { $0.hasPrefix("SEARCH") } == 2 * queries.count, "\(steps)")
        #expect(steps.filter { $0.hasPrefix("SCAN") }.allSatisfy { $0 == "SCAN found" })
    }

    @Test func `a request that is being presented counts as pending, but not towards the limit`()
        async throws
    {
        var limits = StoreLimits()
        limits.pending = 1
        let store = try fixture.open(limits: limits)
        try await store.add(.sample("a"))
        await #expect(throws: NotificationError.self) { try await store.add(.sample("b")) }
        let claimed = try await store.claim(limit: 1, excluding: [], now: fixture.now)
        try await store.add(.sample("b"))
        #expect(try await store.counts() == (2, 0, 0))
        try await store.settle(
            claimed.map { Settlement(claimed: $0, outcome: .requeued, date: fixture.now.wall) },
            now: fixture.now)
        #expect(try await store.counts() == (2, 0, 0))
        _ = try await store.removePending(.identifiers(["b"]), of: .tocsin)
        await #expect(throws: NotificationError.self, "the requeued request counts again") {
            try await store.add(.sample("b"))
        }
        _ = try await store.removePending(.all, of: .tocsin)
        #expect(try await store.counts() == (0, 0, 0))
    }

    /// The limit counts Unicode scalars, because one character may have any number of accents.
    @Test func `a record keeps a short part of a title, however many accents a letter has`()
        async throws
    {
        let store = try fixture.open()
        try await store.keepRecord(
            NotificationRecord(
                app: .tocsin, identifier: "a",
                title: "e" + String(repeating: "\u{301}", count: 10_000), date: fixture.now.wall,
                reason: .late, message: "m"))
        let records = try await store.recordPage(ListQuery(), of: nil).notifications
        #expect(records.map(\.title.unicodeScalars.count) == [256])
    }
}
