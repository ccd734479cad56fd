import HostingSupport
import NotificationModel
import TestSupport
import Testing

/// Lists that are longer than a page, in both hosting modes.
@Suite(.timeLimit(.minutes(5))) struct ListTests {
    /// The beginning of the year 2100.
    private static let farAway = Instant(microseconds: 4_102_444_800_000_000)

    @Test(arguments: Hosting.allCases)
    func `a list of several pages is complete and in firing order`(_ hosting: Hosting) async throws
    {
        try await ServiceHarness.run(hosting) { harness in
            let count = ListQuery.defaultLimit + 50
            for number in 0..<count {
                let date = Self.farAway.adding(microseconds: -1_000_000 * Int64(number))
                try await harness.center.add("r\(number)", trigger: .at(date))
            }
            let all = try await harness.service.pending(of: harness.app)
            #expect(all.map(\.request.identifier) == (0..<count).reversed().map { "r\($0)" })
            let some = try await harness.service.pending(
                of: harness.app, identifiers: ["r7", "nowhere", "r299"])
            #expect(some.map(\.request.identifier) == ["r299", "r7"])
        }
    }

    @Test(arguments: Hosting.allCases)
    func `a page begins after the last entry of the previous page`(_ hosting: Hosting) async throws
    {
        try await ServiceHarness.run(hosting) { harness in
            for name in ["a", "b", "c"] { try await harness.center.add(name) }
            try await harness.center.settled { _, delivered in delivered.count == 3 }
            let first = try await harness.service.deliveredPage(ListQuery(limit: 2), of: nil)
            #expect(first.notifications.map(\.request.identifier) == ["c", "b"])
            let second = try await harness.service.deliveredPage(
                ListQuery(after: first.next, limit: 2), of: nil)
            #expect(second.notifications.map(\.request.identifier) == ["a"])
            #expect(second.next == nil)
            let error = await #expect(throws: NotificationError.self) {
                try await harness.service.pendingPage(ListQuery(after: first.next), of: nil)
            }
            #expect(error?.code == .invalidArgument)
        }
    }
}
