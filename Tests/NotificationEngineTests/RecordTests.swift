import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Records of notifications that were not shown in time", .timeLimit(.minutes(2)))
struct RecordTests {
    let fixture: EngineFixture
    let store: StoreFixture
    let app = ApplicationID.tocsin
    let other: ApplicationID

    init() throws {
        fixture = try EngineFixture()
        store = try StoreFixture()
        other = try ApplicationID("org.other")
    }

    private func record(
        _ identifier: String, of app: ApplicationID? = .tocsin, days: Int64 = 0
    ) -> NotificationRecord {
        NotificationRecord(
            app: app, identifier: identifier, title: "T",
            date: store.now.wall.adding(microseconds: -days * 86_400_000_000), reason: .refused,
            message: "no")
    }

    private func keepRecords(
        _ records: [NotificationRecord], in store: CenterStore
    ) async throws {
        for record in records { try await store.keepRecord(record) }
    }

    private func pages(
        _ store: CenterStore, of app: ApplicationID?, _ query: ListQuery
    ) async throws -> [String] {
        var query = query
        var list: [String] = []
        repeat {
            let page = try await store.recordPage(query, of: app)
            #expect(page.notifications.count <= query.limit)
            list += page.notifications.map(\.identifier)
            query.after = page.next
        } while query.after != nil
        return list
    }

    // MARK: - The list

    @Test(arguments: [1, 3, 6, 7, 5_000])
    func `all pages together have every record once, newest first`(limit: Int) async throws {
        let store = try store.open()
        let named = ["a", "b", "c", "a", "b", "c"].map { record($0) }
        try await keepRecords(named + [record("d", of: other), record("", of: nil)], in: store)
        let query = ListQuery(limit: limit)
        #expect(try await pages(store, of: nil, query).joined(separator: " ") == " d c b a c b a")
        #expect(try await pages(store, of: app, query) == ["c", "b", "a", "c", "b", "a"])
        #expect(try await pages(store, of: other, query) == ["d"])
        let some = ListQuery(identifiers: ["a", "nowhere", "c", "a"], limit: limit)
        #expect(try await pages(store, of: app, some) == ["c", "a", "c", "a"])
        #expect(try await pages(store, of: other, some) == [])
    }

    @Test(arguments: [
        ListQuery(after: PageCursor(rawValue: "d/1")), ListQuery(limit: 0),
        ListQuery(after: PageCursor(rawValue: "r/")), ListQuery(identifiers: ["a"]),
    ])
    func `a page token of another list, a limit of 0, and ids without an app are refused`(
        query: ListQuery
    ) async throws {
        let store = try store.open()
        let error = await #expect(throws: NotificationError.self) {
            _ = try await store.recordPage(query, of: nil)
        }
        #expect(error?.code == .invalidArgument)
    }

    // MARK: - Kept values

    @Test
    func `the oldest records beyond an app's limit and the limit of all apps are deleted`()
        async throws
    {
        var limits = StoreLimits()
        (limits.records, limits.recordsOfApp) = (5, 3)
        let store = try store.open(limits: limits)
        try await keepRecords([record("mine")], in: store)
        try await keepRecords((0..<50).map { record("\($0)", of: other) }, in: store)
        #expect(try await pages(store, of: nil, ListQuery()) == ["49", "48", "47", "mine"])
        try await keepRecords([record("a", of: nil), record("b", of: nil)], in: store)
        #expect(try await pages(store, of: nil, ListQuery()) == ["b", "a", "49", "48", "47"])
    }

    @Test
    func `a record is deleted after a week, unless it was made before the clock was set`()
        async throws
    {
        let store = try store.open()
        var unset = record("unset")
        unset.date = Instant(microseconds: 5_000_000)
        try await keepRecords([record("old", days: 8), record("new", days: 6), unset], in: store)
        try await store.add(.sample("now"))
        try await store.deliver()
        #expect(try await pages(store, of: app, ListQuery()) == ["unset", "new"])
    }

    @Test
    func `an adopted store brings its records, and a renamed app keeps its records`()
        async throws
    {
        let layout = StoreLayout(directory: store.directory.path + "/other")
        let embedded = try store.open(layout: layout)
        try await keepRecords([record("a"), record("b")], in: embedded)
        embedded.close()
        let store = try store.open()
        try await keepRecords([record("c")], in: store)
        #expect(try await store.adopt(layout, now: self.store.now) != nil)
        #expect(try await pages(store, of: app, ListQuery()) == ["b", "a", "c"])
        #expect(try await store.rename(app, to: other))
        #expect(try await pages(store, of: other, ListQuery()) == ["b", "a", "c"])
        #expect(try await pages(store, of: app, ListQuery()).isEmpty)
    }

    // MARK: - Recorded values

    @Test
    func `refused, late, denied and skipped dates are recorded with reason, date and title`()
        async throws
    {
        fixture.presenter.answers {
            $0.notification.request.identifier == "bad"
                ? .outcome(.refused("InvalidArgs")) : .present
        }
        let engine = try await fixture.start()
        try await engine.add(.after(60, "bad"), attachments: [], for: app)
        var late = NotificationRequest.after(60, "late")
        late.catchUp = .skip
        try await engine.add(.after(600, "daily", repeats: true), attachments: [], for: app)
        _ = try await engine.skip("daily", of: app)
        try await engine.add(.after(90, "denied"), attachments: [], for: other)
        fixture.clock.advance(by: .seconds(60))
        try await engine.rest()
        try await engine.decide(.deny, for: other)
        try await engine.add(late, attachments: [], for: app)
        fixture.clock.advance(by: .seconds(180))
        try await engine.rest()
        let list = try await engine.records(of: nil)
        let told = Dictionary(uniqueKeysWithValues: list.map { ($0.identifier, $0) })
        let reasons: [String: NotificationRecord.Reason] = [
            "bad": .refused, "late": .late, "daily": .skipped, "denied": .denied,
        ]
        #expect(told.mapValues(\.reason) == reasons)
        #expect(list.allSatisfy { $0.title == $0.identifier })
        func due(_ identifier: String) -> Int64? {
            told[identifier]?.due.map {
                ($0.microseconds - ManualClock.start.microseconds) / 1_000_000
            }
        }
        #expect(["bad", "late", "daily", "denied"].map(due) == [60, 120, 600, 90])
        #expect(told["bad"]?.message == "InvalidArgs")
        #expect(told["denied"]?.message.contains("was not allowed to notify") == true)
        #expect(told["denied"]?.app == other)
    }

    // MARK: - A store whose tables were changed

    /// Makes a store with a record, and changes its database.
    private func makeStore(_ change: (Database) throws -> Void) throws {
        try store.open().close()
        try store.sqlite { database in
            try database.execute(
                sql: "INSERT INTO record (at, app, identifier, message) VALUES (1, ?, 'a', 'no')",
                arguments: [app.rawValue])
            try change(database)
        }
    }

    @Test
    func `a store whose tables were changed is rebuilt, and a record reports the damage`()
        async throws
    {
        try makeStore { database in
            try database.execute(sql: "DROP INDEX notification_app; DROP TABLE category")
        }
        let store = try store.open()
        // The old database lacks a table, so the store keeps the old file.
        #expect(self.store.exists(store.layout.damaged))
        let records = try await store.recordPage(ListQuery(), of: nil).notifications
        #expect(records.map(\.reason) == [.damaged, .failed])
        #expect(records[0].app == nil && records[0].identifier.isEmpty)
        #expect(records[0].date > Instant(microseconds: 1_700_000_000_000_000))
    }
}
