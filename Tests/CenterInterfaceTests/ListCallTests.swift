import DesktopBus
import NotificationModel
import ScriptedService
import TestSupport
import Testing

@testable import CenterInterface

/// Lists on the wire, page by page.
@Suite struct ListCallTests {
    @Test(arguments: [
        ListQuery(), ListQuery(limit: 1), ListQuery(identifiers: []),
        ListQuery(identifiers: ["a", "\u{e9}"], after: PageCursor(rawValue: "x/y"), limit: 1_024),
    ])
    func `a list query is read back unchanged`(_ query: ListQuery) throws {
        #expect(try ListQuery.record.value(of: ListQuery.record.busValue(of: query), "it") == query)
    }

    @Test func `the first page is requested by an empty token or by none`() throws {
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

    @Test func `a list is put together of its pages in firing order`() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let list = (0..<600).map { number in
            PendingNotification(
                app: .tocsin,
                request: NotificationRequest(
                    identifier: "\(number)", content: NotificationContent(title: "Tea")),
                state: .pending, nextFire: nil)
        }
        await center.service.script(Members.pending) { ListPage(of: list, $0.1) }
        let all = try await client.pending(of: .tocsin)
        #expect(all.map(\.request.identifier) == (0..<600).map(String.init))
        let pages = center.service.inputs(of: Members.pending).map(\.1.after?.rawValue)
        #expect(pages == [nil, "256", "512"])
        let page = try await client.pendingPage(
            ListQuery(after: PageCursor(rawValue: "599"), limit: 1_024), of: nil)
        #expect(page.notifications.map(\.request.identifier) == ["599"])
        #expect(page.next == nil)
    }

    @Test func `a page's error comes back and its identifiers go there`() async throws {
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
    /// A page of a list, with numbers of elements as cursors.
    init(of list: [Element], _ query: ListQuery) {
        let start = min(query.after.flatMap { Int($0.rawValue) } ?? 0, list.count)
        let end = min(start + query.limit, list.count)
        self.init(
            notifications: Array(list[start..<end]),
            next: end < list.count ? PageCursor(rawValue: String(end)) : nil)
    }
}
