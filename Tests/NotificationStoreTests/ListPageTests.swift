import Foundation
import GRDB
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Pages of the lists", .timeLimit(.minutes(2)))
struct ListPageTests {
    let fixture: StoreFixture
    let other: ApplicationID

    init() throws {
        fixture = try StoreFixture()
        other = try ApplicationID("org.other")
    }

    /// Adds requests that fire in the reverse order of their identifiers.
    private func filled(_ count: Int) async throws -> CenterStore {
        let store = try fixture.open()
        for number in 0..<count {
            let name = String(format: "%03d", number)
            try await store.add(.after(Double(1_000 - number), name))
            try await store.add(.after(Double(2_000 - number), name), app: other)
        }
        return store
    }

    /// Returns the identifiers of each page; `between` runs after each page.
    private func pages(
        _ store: CenterStore, of app: ApplicationID?, _ query: ListQuery,
        between: (Int) async throws -> Void = { _ in }
    ) async throws -> [[String]] {
        var query = query
        var pages: [[String]] = []
        repeat {
            let page = try await store.pendingPage(query, of: app, now: fixture.now)
            pages.append(page.notifications.map { "\($0.app)/\($0.request.identifier)" })
            try await between(pages.count)
            query.after = page.next
        } while query.after != nil
        return pages
    }

    @Test
    func `all pages together list each request of an app, or of all apps, exactly once`()
        async throws
    {
        let store = try await filled(10)
        for limit in [1, 3, 7, 10, 11, 5_000] {
            let mine = try await pages(store, of: .tocsin, ListQuery(limit: limit)).flatMap(\.self)
            #expect(mine.count == 10 && Set(mine).count == 10)
            #expect(mine.allSatisfy { $0.hasPrefix(ApplicationID.tocsin.rawValue) })
            let all = try await pages(store, of: nil, ListQuery(limit: limit)).flatMap(\.self)
            #expect(all.count == 20 && Set(all).count == 20)
        }
    }

    @Test
    func `pendingLines gives the values of pendingPage, without the keys that only the store uses`()
        async throws
    {
        let store = try await filled(3)
        var request = NotificationRequest.after(60, "all")
        request.content.title = #"a "text",{"mutable": \n"#
        request.content.userInfo = ["skipped": .dictionary(["regular": .integer(1)])]
        request.content.attachments = [
            NotificationAttachment(identifier: "a", path: "elsewhere/a.png", type: "public.png")
        ]
        try await store.add(request)
        let instant = fixture.now.wall
        let due = DueTime(wall: instant, boot: nil, zone: nil, fired: nil)
        let payload = try PayloadCoding.encode(
            .after(60, "put off"), isMutable: true, skipped: instant, regular: due)
        let new = NewRequest(
            app: .tocsin, identifier: "put off", payload: payload, due: due, files: [])
        _ = try await store.add([.request(new)], for: .tocsin)
        for app in [ApplicationID.tocsin, nil] {
            var query = ListQuery(limit: 2)
            repeat {
                let page = try await store.pendingPage(query, of: app, now: fixture.now)
                let lines = try await store.pendingLines(query, of: app, now: fixture.now)
                var read: [PendingNotification] = []
                try lines.forEach { read.append($0) }
                #expect(
                    read.sorted(by: PendingNotification.firesEarlier) == page.notifications)
                #expect(lines.next == page.next)
                let text = String(decoding: lines.lines, as: UTF8.self)
                #expect(!text.contains(#","mutable":"#))
                query.after = page.next
            } while query.after != nil
        }
    }

    @Test func `pendingLines leaves out a damaged row, and the store notes the damage`()
        async throws
    {
        let store = try await filled(3)
        store.close()
        try fixture.sqlite {
            try $0.execute(sql: "UPDATE request SET payload = '{}' WHERE identifier = '001'")
        }
        let opened = try fixture.open()
        let lines = try await opened.pendingLines(ListQuery(), of: .tocsin, now: fixture.now)
        var read: [String] = []
        try lines.forEach { read.append($0.request.identifier) }
        #expect(read == ["000", "002"])
        #expect(opened.hasMetDamage)
    }

    @Test
    func `the requests of a page are in firing order`() async throws {
        let store = try await filled(4)
        let page = try await store.pendingPage(ListQuery(), of: .tocsin, now: fixture.now)
        #expect(page.notifications.map(\.request.identifier) == ["003", "002", "001", "000"])
        #expect(page.next == nil)
        let first = try await store.pendingPage(ListQuery(limit: 2), of: .tocsin, now: fixture.now)
        #expect(first.notifications.map(\.request.identifier) == ["001", "000"])
        #expect(first.next != nil)
    }

    @Test func `an abbreviation finds the same requests by index as by a search of the whole list`()
        async throws
    {
        let store = try fixture.open()
        var random = SeededGenerator(seed: 18)
        let letters = Array("ab1\u{E9}")
        for _ in 0..<300 {
            let length = Int.random(in: 1...4, using: &random)
            let name = String(
                (0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
            let app = Bool.random(using: &random) ? ApplicationID.tocsin : other
            // Some requests fire by the boot clock, some by the wall clock, and some at once.
            let seconds = Double(Int.random(in: 1...60, using: &random))
            let now = fixture.now.wall
            let trigger: NotificationTrigger? =
                switch Int.random(in: 0..<3, using: &random) {
                case 0: .interval(seconds: seconds, repeats: false)
                case 1: .at(now.adding(microseconds: Int64(seconds) * 1_000_000))
                default: nil
                }
            try await store.add(.sample(name, trigger), app: app)
        }
        _ = try await store.claim(limit: 5, excluding: [], now: fixture.now)
        for app in [ApplicationID.tocsin, other] {
            let list = try await store.pendingPage(
                ListQuery(limit: 1_000), of: app, now: fixture.now
            ).notifications
            let newest = list.max { $0.serial < $1.serial }
            let texts =
                Set(list.map(\.request.identifier)).union(letters.map { String($0) })
                .union(["", "a1", "b\u{E9}", "last", "x", "0", "\(list.count + 1)"])
                .union((1...list.count).map { "\($0)" })
            for text in texts {
                let expected = Abbreviation(text).candidates(in: list, last: newest) {
                    $0.request.identifier
                }
                let found = try await store.pendingPage(
                    ListQuery(abbreviation: text, limit: 1_000), of: app, now: fixture.now)
                #expect(
                    found.notifications == expected.sorted(by: PendingNotification.firesEarlier),
                    "\(text) of \(app)")
                #expect(found.next == nil)
            }
        }
    }

    /// Requests that wait for a slow server may have been stored in any order.
    @Test func `a number finds the request at that place in the list while all are being shown`()
        async throws
    {
        let store = try fixture.open()
        for seconds in [3, 2, 1] { try await store.add(.after(Double(seconds), "due \(seconds)")) }
        let late = fixture.now.adding(microseconds: 10_000_000)
        let claimed = try await store.claim(limit: 10, excluding: [], now: late)
        #expect(claimed.map(\.request.identifier) == ["due 1", "due 2", "due 3"])
        for number in 1...3 {
            let found = try await store.pendingPage(
                ListQuery(abbreviation: "\(number)"), of: .tocsin, now: late)
            #expect(found.notifications.map(\.request.identifier) == ["due \(number)"])
        }
    }

    /// The summary of missed notifications is a newer row, but no list shows it.
    @Test func `'last' finds the newest request although a summary is pending`() async throws {
        let store = try fixture.open()
        for request in [NotificationRequest.after(60, "tea"), .sample("late")] {
            try await store.add(request)
        }
        let summary = DueTime(after: MissedSummary.delay, fixture.now)
        #expect(try await store.deliver(.deliveredSilently(summary: summary)) == ["late"])
        #expect(try await store.counts().0 == 2, "the request and the summary")
        let found = try await store.pendingPage(
            ListQuery(abbreviation: "last"), of: .tocsin, now: fixture.now)
        #expect(found.notifications.map(\.request.identifier) == ["tea"])
    }

    @Test func `an abbreviation finds delivered notifications, newest first`() async throws {
        let store = try fixture.open()
        for name in ["tea", "team", "mail"] {
            try await store.add(.sample(name))
            try await store.deliver()
        }
        func found(_ text: String, limit: Int = 10) async throws -> [String] {
            try await store.deliveredPage(
                ListQuery(abbreviation: text, limit: limit), of: .tocsin
            ).notifications.map(\.request.identifier)
        }
        #expect(try await found("tea") == ["tea"])
        #expect(try await found("t") == ["team", "tea"])
        #expect(try await found("t", limit: 1) == ["team"])
        #expect(try await found("1") == ["mail"])
        #expect(try await found("last") == ["mail"])
        await #expect(throws: NotificationError.self) {
            try await store.deliveredPage(ListQuery(abbreviation: "t"), of: nil)
        }
    }

    @Test
    func `a change between two pages neither repeats nor drops a row`() async throws {
        let store = try await filled(9)
        let seen = try await pages(store, of: .tocsin, ListQuery(limit: 3)) { count in
            guard count == 1 else { return }
            // An already listed request gets a new date and a new row after all other requests.
            try await store.add(.after(5_000, "001"))
            // A request that is not yet listed gets a date before all other requests.
            try await store.add(.after(1, "007"))
            _ = try await store.removePending(.identifiers(["000", "004"]), of: .tocsin)
            try await store.add(.after(100, "000"))
            try await store.add(.after(100, "0055"))
        }.flatMap(\.self).map { String($0.split(separator: "/")[1]) }
        #expect(seen.count == Set(seen).count)
        #expect(Set(seen) == ["000", "001", "002", "003", "005", "0055", "006", "007", "008"])
    }

    @Test
    func `a list can be limited to identifiers in any order, repeated or unknown`() async throws {
        let store = try await filled(6)
        let wanted = ["005", "nowhere", "000", "005", "003", "\u{e9}", "e\u{301}"]
        for limit in [1, 2, 9] {
            let query = ListQuery(identifiers: wanted, limit: limit)
            let mine = try await pages(store, of: .tocsin, query).flatMap(\.self)
            #expect(mine.count == 3 && Set(mine).count == 3)
        }
        let none = try await store.pendingPage(
            ListQuery(identifiers: []), of: .tocsin, now: fixture.now)
        #expect(none == ListPage(notifications: [], next: nil))
        // Two Unicode forms of one letter make two identifiers.
        try await store.add(.after(1, "\u{e9}"))
        let spelled = try await store.pendingPage(
            ListQuery(identifiers: ["e\u{301}"]), of: .tocsin, now: fixture.now)
        #expect(spelled.notifications.isEmpty)
        let error = await #expect(throws: NotificationError.self) {
            try await store.pendingPage(
                ListQuery(identifiers: ["000"]), of: nil, now: fixture.now)
        }
        #expect(error?.code == .invalidArgument)
    }

    @Test
    func `a page of large requests has fewer requests`() async throws {
        let store = try fixture.open()
        for number in 0..<12 {
            var request = NotificationRequest.after(60, "\(number)")
            request.content.body = String(repeating: "x", count: 200_000)
            try await store.add(request)
        }
        let pages = try await pages(store, of: .tocsin, ListQuery())
        #expect(pages.map(\.count) == [6, 6, 0])
    }

    @Test
    func `a page skips a damaged row, and the later pages are read`() async throws {
        let store = try await filled(4)
        store.close()
        try fixture.sqlite {
            try $0.execute(
                sql: "UPDATE request SET payload = 'x' WHERE identifier IN ('001', '002')")
        }
        let pages = try await pages(try fixture.open(), of: .tocsin, ListQuery(limit: 1))
        #expect(pages.map(\.count) == [1, 0, 0, 1, 0])
    }

    @Test
    func `delivered notifications are listed newest first, and later pages omit new deliveries`()
        async throws
    {
        let store = try await filled(5)
        let late = ClockReading.sample(
            wall: fixture.now.wall.adding(microseconds: 10_000_000_000),
            boot: fixture.now.boot + 10_000_000_000)
        try await store.deliver(now: late)
        var query = ListQuery(limit: 2)
        var seen: [String] = []
        repeat {
            let page = try await store.deliveredPage(query, of: .tocsin)
            seen += page.notifications.map(\.request.identifier)
            if query.after == nil {
                try await store.add(.after(1, "new"))
                try await store.deliver(now: late)
                _ = try await store.removeDelivered(.identifiers(["003"]), of: .tocsin)
            }
            query.after = page.next
        } while query.after != nil
        #expect(seen == ["000", "001", "002", "004"])
        let some = try await store.deliveredPage(
            ListQuery(identifiers: ["002", "000", "gone"], limit: 1), of: .tocsin)
        #expect(some.notifications.map(\.request.identifier) == ["000"])
        let rest = try await store.deliveredPage(
            ListQuery(identifiers: ["002", "000", "gone"], after: some.next), of: .tocsin)
        #expect(rest.notifications.map(\.request.identifier) == ["002"])
        #expect(try await store.deliveredPage(ListQuery(), of: nil).notifications.count == 10)
    }

    @Test(arguments: ["", "x", "p/", "p/nowhere", "d/", "d/x", "d/5"])
    func `a page token that is invalid or of another list is refused`(text: String) async throws {
        let store = try fixture.open()
        let query = ListQuery(after: PageCursor(rawValue: text))
        let error = await #expect(throws: NotificationError.self) {
            try await store.pendingPage(query, of: .tocsin, now: fixture.now)
        }
        #expect(error?.code == .invalidArgument)
        guard text != "d/5" else { return }
        await #expect(throws: NotificationError.self) {
            try await store.deliveredPage(query, of: .tocsin)
        }
    }

    @Test(arguments: [0, -1, .min])
    func `a page limit below 1 is refused`(limit: Int) async throws {
        let store = try fixture.open()
        await #expect(throws: NotificationError.self) {
            try await store.pendingPage(ListQuery(limit: limit), of: nil, now: fixture.now)
        }
    }

    @Test
    func `each query for a page searches an index and does not sort`() async throws {
        let store = try await filled(1)
        let statements = Recording<String>()
        try await store.change("read") { database in
            database.trace { statements.append($0.expandedDescription) }
        }
        // An empty change runs only the statements that every change runs.
        try await store.untilCommitted()
        let shared = Set(statements.all)
        for app in [ApplicationID.tocsin, nil] {
            _ = try await store.pendingPage(ListQuery(), of: app, now: fixture.now)
            _ = try await store.deliveredPage(ListQuery(), of: app)
            _ = try await store.recordPage(ListQuery(), of: app)
        }
        let named = ListQuery(identifiers: ["000"])
        _ = try await store.pendingPage(named, of: .tocsin, now: fixture.now)
        let queries = statements.all.filter { $0.hasPrefix("SELECT") && !shared.contains($0) }
        #expect(queries.count == 7, "\(queries)")
        let plans = try await store.change("read") { database -> [String] in
            database.trace(options: [])
            return try queries.map { sql in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map {
                    String.fromDatabaseValue($0["detail"]) ?? ""
                }.joined(separator: "; ")
            }
        }
        for plan in plans {
            #expect(plan.hasPrefix("SEARCH") && !plan.contains("TEMP B-TREE"), "\(plan)")
        }
    }
}
