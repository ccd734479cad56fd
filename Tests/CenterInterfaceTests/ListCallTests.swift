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
    func whatAsksForAPageIsReadBackAsItWas(_ query: ListQuery) throws {
        #expect(try ListQuery.record.value(of: ListQuery.record.busValue(of: query), "it") == query)
    }

    @Test func theFirstPageIsAskedForByAnEmptyPlaceOrByNone() throws {
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

    @Test func aListIsPutTogetherOfItsPagesInFiringOrder() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        for number in 0..<600 {
            try await center.service.add(
                NotificationRequest(
                    identifier: "\(number)", content: NotificationContent(title: "Tea")),
                attachments: [], for: .tocsin)
        }
        let all = try await client.pending(of: .tocsin)
        #expect(all.map(\.request.identifier) == (0..<600).map(String.init))
        let pages = await center.service.calls.compactMap { call -> String? in
            guard case .pending(let query) = call else { return nil }
            return query.after?.rawValue ?? "first"
        }
        #expect(pages == ["first", "256", "512"])
        let page = try await client.pendingPage(
            ListQuery(after: PageCursor(rawValue: "599"), limit: 1_024), of: nil)
        #expect(page.notifications.map(\.request.identifier) == ["599"])
        #expect(page.next == nil)
    }

    @Test func aPagesErrorComesBackAndItsIdentifiersGoThere() async throws {
        let center = try await RemoteServiceTests.Center(on: PrivateBus())
        let client = try await center.client()
        let query = ListQuery(identifiers: ["a"])
        _ = try await client.deliveredPage(query, of: .tocsin)
        #expect(await center.service.calls.last == .delivered(query))
        let error = NotificationError(.invalidArgument, "There is no such place. Begin again.")
        await center.service.fail(error)
        await #expect(throws: error) { try await client.pending(of: .tocsin, identifiers: ["a"]) }
    }
}
