import CenterInterface
import DesktopBus
import NotificationModel
import Reactor
import ScriptedService
import TestSupport
import Testing

/// Lists on the wire, page by page.
@Suite(.timeLimit(.minutes(2))) struct ListCallTests {
    @Test(arguments: [
        ListQuery(), ListQuery(limit: 1), ListQuery(identifiers: []),
        ListQuery(identifiers: ["a", "\u{e9}"], after: PageCursor(rawValue: "x/y"), limit: 1_024),
    ])
    func `a list query is read back unchanged`(_ query: ListQuery) throws {
        #expect(try ListQuery.record.value(of: ListQuery.record.busValue(of: query), "it") == query)
    }

    @Test func `a query with an empty token or without a token requests the first page`() throws {
        #expect(
            try ListQuery.record.value(of: .vardict([("after", .string(""))]), "it") == ListQuery())
        #expect(
            try ListQuery.record.value(of: .vardict([("limit", .byte(3))]), "it")
                == ListQuery(limit: 3))
        let error = #expect(throws: NotificationError.self) {
            try ListQuery.record.value(of: .vardict([("limit", .string("3"))]), "it")
        }
        #expect(error?.message.contains("'limit'") == true)
    }

    private static func list(_ count: Int) -> [PendingNotification] {
        (0..<count).map { number in
            PendingNotification(
                app: .tocsin,
                request: NotificationRequest(
                    identifier: "\(number)", content: NotificationContent(title: "Tea")),
                state: .pending, nextFire: nil)
        }
    }

    @Test func `the client joins the pages of a list in firing order`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let list = Self.list(2_100)
        await center.service.script(Members.pending) { ListPage(of: list, $0.1) }
        let all = try await client.pending(of: .tocsin)
        #expect(all.map(\.request.identifier) == (0..<2_100).map(String.init))
        let pages = center.service.inputs(of: Members.pending).map(\.1.after?.rawValue)
        #expect(pages == [nil, "1024", "2048"])
        let page = try await client.pendingPage(
            ListQuery(after: PageCursor(rawValue: "2099"), limit: 1_024), of: nil)
        #expect(page.notifications.map(\.request.identifier) == ["2099"])
        #expect(page.next == nil)
    }

    @Test func `the client asks for a page only after the page before it has come`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let (all, calls) = (Self.list(20), Recording<Int>())
        await center.service.script(Members.pending) { call in
            var query = call.1
            query.limit = 3
            calls.append(1)
            let page = ListPage(of: all, query)
            await Task.yield()
            calls.append(-1)
            return page
        }
        #expect(try await client.pending(of: .tocsin) == all)
        let sums = calls.all.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1) }
        #expect(sums.count == 15 && sums.allSatisfy { (0...1).contains($0) })
    }

    /// Pages for 1,024 calls at the same time would take a gigabyte of memory.
    @Test func `at most 8 pages of one caller are made at a time, and all are made in the end`()
        async throws
    {
        let center = try await RemoteServiceTests.Center(
            on: PrivateBus(), rights: CallerRights(scope: .user))
        let client = try await BusConnection.open(on: center.bus, name: "client")
        let mayAnswer = Promise<Void>()
        await center.service.script(Members.pending) { call in
            await mayAnswer.value()
            return ListPage(of: [], call.1)
        }
        func message(_ member: MemberName, _ argument: BusValue) -> MethodCall {
            MethodCall(
                destination: CenterName.bus, path: CenterName.path,
                interface: CenterName.interface, member: member,
                arguments: [.string("org.x"), argument])
        }
        for _ in 0..<20 { try await client.send(message("Pending", .vardict([]))) }
        try await center.service.inputs(of: Members.pending) { $0.count == 8 }
        // The daemon answers this call after it has read the calls for pages.
        _ = try await client.call(message("Remove", .strings(["a"])))
        #expect(center.service.inputs(of: Members.pending).count == 8)
        mayAnswer.fulfill(())
        try await center.service.inputs(of: Members.pending) { $0.count == 20 }
    }

    @Test func `a page whose lines cannot be read is read again as records`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let list = Self.list(3)
        await center.service.script(Members.pending) { ListPage(of: list, $0.1) }
        await center.service.damageLines()
        #expect(try await client.pending(of: .tocsin) == list)
    }

    @Test func `after a page is read again as records, the next page begins at its end`()
        async throws
    {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let (list, calls) = (Self.list(6), Recording<String?>())
        await center.service.script(Members.pending) { call in
            var query = call.1
            calls.append(query.after?.rawValue)
            // The third call reads the first page again; the page is shorter now.
            query.limit = calls.all.count == 3 ? 2 : 4
            return ListPage(of: list, query)
        }
        await center.service.damageLines()
        #expect(try await client.pending(of: .tocsin) == list)
        #expect(calls.all == [nil, "4", nil, "2", "2"])
    }

    @Test
    func `a query's identifiers reach the service, and the service's error reaches the caller`()
        async throws
    {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let query = ListQuery(identifiers: ["a"])
        await center.service.script(Members.delivered) { ListPage(of: [], $0.1) }
        _ = try await client.deliveredPage(query, of: .tocsin)
        #expect(try #require(center.service.inputs(of: Members.delivered).last) == (.tocsin, query))
        let error = NotificationError(.invalidArgument, "There is no such place. Begin again.")
        await center.service.fail(Members.pending, with: error)
        await #expect(throws: error) { try await client.pending(of: .tocsin, identifiers: ["a"]) }
    }
}

extension ListPage {
    /// Makes a page of a list; the cursor is the index of the next element.
    init(of list: [Element], _ query: ListQuery) {
        let start = min(query.after.flatMap { Int($0.rawValue) } ?? 0, list.count)
        let end = min(start + query.limit, list.count)
        self.init(
            notifications: Array(list[start..<end]),
            next: end < list.count ? PageCursor(rawValue: String(end)) : nil)
    }
}
