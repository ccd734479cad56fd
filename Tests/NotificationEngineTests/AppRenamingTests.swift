import Foundation
import GRDB
import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("An app gets another id", .timeLimit(.minutes(2)))
struct AppRenamingTests {
    let fixture: EngineFixture
    let former: ApplicationID
    let app: ApplicationID

    init() throws {
        fixture = try EngineFixture()
        former = try ApplicationID("dev.tea")
        app = try ApplicationID("org.example.Tea")
    }

    private func identity(
        _ id: ApplicationID, _ program: String = "/usr/bin/tea"
    )
        -> ApplicationIdentity
    {
        var identity = ApplicationIdentity(id: id, name: "Tea", executable: program)
        identity.formerID = former
        return identity
    }

    private func listen(
        _ engine: CenterEngine, _ identity: ApplicationIdentity
    ) async throws -> (ServiceSession, Recording<ServiceEvent>) {
        let events = Recording<ServiceEvent>()
        let session = try await engine.connect(identity, asksBeforePresenting: false) {
            events.append($0)
        }
        return (session, events)
    }

    /// Gives the former id requests in each state, a category, a permission and a badge.
    private func fill(_ engine: CenterEngine) async throws {
        let (session, _) = try await listen(engine, identity(former))
        try await engine.setCategories(
            [NotificationCategory(identifier: "c", actions: [])], of: former)
        try await engine.decide(.allow, for: former)
        try await engine.setBadge(3, of: former)
        for name in ["answered", "shown"] {
            try await engine.add(.sample(name), attachments: [], for: former)
        }
        try await engine.rest()
        let shown = try await fixture.presenter.presentations.first(2)
        await engine.disconnect(session)
        fixture.presenter.emit(
            .response(shown[0].notification.key, .standard, activationToken: nil))
        try await engine.rest()
        try await engine.add(.after(100, "waits"), attachments: [], for: former)
        try await engine.add(.after(100, "both"), attachments: [], for: former)
    }

    @Test
    func `requests, responses, categories, permission and badge move to the app's new id`()
        async throws
    {
        let engine = try await fixture.start()
        try await fill(engine)
        try await engine.add(
            .sample("both", .interval(seconds: 50, repeats: false), title: "newer"),
            attachments: [], for: app)
        let (_, events) = try await listen(engine, identity(app))
        let event = try await events.first(1)[0]
        guard case .response(let response) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(response.notification.key == NotificationKey(app: app, identifier: "answered"))
        #expect(
            try await engine.pending(of: nil).map { "\($0.app) \($0.request.content.title)" }
                == ["\(app) newer", "\(app) waits"])
        #expect(try await engine.delivered(of: nil).map(\.key.app) == [app])
        #expect(try await engine.categories(of: app).map(\.identifier) == ["c"])
        #expect(try await engine.settings(of: app).permission?.status == .authorized)
        #expect(try await engine.settings(of: former).permission == nil)
        #expect(fixture.presenter.badges.all.suffix(2) == ["\(former) 0", "\(app) 3"])
        let adopted = fixture.presenter.adopted.all.last.map { Array($0.keys) }
        #expect(adopted == [NotificationKey(app: app, identifier: "shown")])
        await engine.stop()
        let again = try await fixture.start()
        #expect(try await again.pending(of: app).count == 2)
        #expect(try await again.delivered(of: app).count == 1)
        #expect(try await again.status().responseCount == 1)
        await again.stop()
    }

    @Test
    func `requests keep the former id if the program differs or the former id is connected`()
        async throws
    {
        let engine = try await fixture.start()
        try await fill(engine)
        _ = try await listen(engine, identity(app, "/opt/tea"))
        _ = try await listen(engine, identity(app, ""))
        #expect(try await engine.pending(of: app).isEmpty)
        let (session, _) = try await listen(engine, identity(former))
        _ = try await listen(engine, identity(app))
        #expect(try await engine.pending(of: app).isEmpty)
        await engine.disconnect(session)
        _ = try await listen(engine, identity(app))
        #expect(try await engine.pending(of: app).count == 2)
        await engine.stop()
    }

    /// If the data moved, the call would get no answer, and the user's choice would have no effect.
    @Test func `the data of an app that waits for the user's permission does not move`()
        async throws
    {
        let engine = try await fixture.start()
        let (session, _) = try await listen(engine, identity(former))
        await engine.disconnect(session)
        let request = Task { [former] in
            try await engine.requestAuthorization(.alert, for: former)
        }
        try await fixture.presenter.presentations.first(1)
        _ = try await listen(engine, identity(app))
        fixture.presenter.respond(
            PermissionPopup.key(of: former), .custom(PermissionPopup.allow))
        #expect(try await request.value)
        _ = try await listen(engine, identity(app))
        #expect(try await engine.settings(of: app).permission?.status == .authorized)
        await engine.stop()
    }

    /// If the request kept the former id, the app could not remove the request.
    @Test
    func `a repeating request that is shown during the renaming moves at the next connection`()
        async throws
    {
        let engine = try await fixture.start()
        let (session, _) = try await listen(engine, identity(former))
        fixture.presenter.answers { _ in .hold }
        try await engine.add(.after(100, "repeats", repeats: true), attachments: [], for: former)
        try await engine.rest()
        await engine.disconnect(session)
        fixture.clock.advance(by: .seconds(100))
        let post = try await fixture.presenter.presentations.first(1)[0]
        _ = try await listen(engine, identity(app))
        #expect(try await engine.pending(of: app).isEmpty)
        fixture.presenter.answer(post)
        try await engine.rest()
        _ = try await listen(engine, identity(app))
        #expect(try await engine.pending(of: nil).map(\.app) == [app])
        #expect(try await engine.delivered(of: nil).map(\.key.app) == [app])
        await engine.stop()
    }

    /// Each further take-over would read all tables again, and write another line to the log.
    @Test func `while a request is posted, repeated connections take over the former id only once`()
        async throws
    {
        let (engine, presenter) = (try await fixture.start(), fixture.presenter)
        let (session, _) = try await listen(engine, identity(former))
        presenter.answers { _ in .hold }
        try await engine.add(.sample("shown"), attachments: [], for: former)
        try await engine.add(.after(100, "waits"), attachments: [], for: former)
        let post = try await presenter.presentations.first(1)[0]
        await engine.disconnect(session)
        for _ in 0..<2 { _ = try await listen(engine, identity(app)) }
        #expect(try await engine.pending(of: app).map(\.request.identifier) == ["waits"])
        #expect(presenter.badges.all == ["\(former) 0"])
        presenter.answer(post)
        try await engine.rest()
        _ = try await listen(engine, identity(app))
        #expect(try await engine.delivered(of: nil).map(\.key.app) == [app])
        #expect(presenter.badges.all == ["\(former) 0", "\(former) 0"])
        await engine.stop()
    }

    @Test func `a renaming deletes the identity of the former id even if a request is damaged`()
        async throws
    {
        let engine = try await fixture.start()
        let (session, _) = try await listen(engine, identity(former))
        try await engine.add(.after(100, "damaged"), attachments: [], for: former)
        try await engine.rest()
        await engine.disconnect(session)
        try await engine.store.change("changed") {
            try $0.execute(sql: "UPDATE request SET checksum = ~checksum")
        }
        _ = try await listen(engine, identity(app))
        let identities = try await engine.store.values(of: AppColumns.identity)
        #expect(Set(identities.keys) == [app])
        await engine.stop()
    }

    @Test
    func `a renaming moves the counted requests and bytes to the new id`()
        async throws
    {
        let engine = try await fixture.start()
        try await fill(engine)
        _ = try await listen(engine, identity(app))
        let id = app.rawValue
        let counts = try await engine.store.change("read") { database in
            try Array(
                Int64.fetchAll(
                    database,
                    sql: """
                        SELECT pending FROM request_count WHERE bytes > 0 OR pending > 0
                        UNION ALL SELECT bytes - (SELECT SUM(length(payload)) FROM request)
                        FROM request_count WHERE bytes > 0
                        UNION ALL SELECT COUNT(*) FROM request_count
                        WHERE app = ? AND pending > 0
                        """, arguments: [id]))
        }
        #expect(
            counts == [2, 0, 1],
            "one row counts: it has the new id, both requests and all their bytes")
        await engine.stop()
    }
}
