import NotificationEngine
import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@Suite("Which of the lost notifications come back")
struct RestorePlanTests {
    private static let now = ManualClock.start
    private static let hour: Int64 = 3_600 * 1_000_000

    private func lost(
        _ row: Int64, _ identifier: String? = nil, app: ApplicationID = .tocsin, age: Int64 = 0
    ) -> RestorePlan.Lost {
        RestorePlan.Lost(
            row: row,
            key: NotificationKey(app: app, identifier: identifier ?? "n\(row)"),
            date: Self.now.adding(microseconds: -age))
    }

    @Test
    func `each app's five newest notifications come back as popups, the others in a summary`()
        throws
    {
        let other = try ApplicationID("org.other")
        let all = (1...8).map { lost($0) } + (9...12).map { lost($0, app: other) }
        let plan = RestorePlan(all.shuffled(), now: Self.now)
        #expect(plan.single.map(\.row) == [4, 5, 6, 7, 8, 9, 10, 11, 12])
        #expect(plan.summarized.mapValues { $0.map(\.row) } == [.tocsin: [1, 2, 3]])
        #expect(plan.forgotten.isEmpty)
    }

    @Test
    func `a notification older than a day does not come back, and takes none of the five places`() {
        let all = [
            lost(1, age: 24 * Self.hour + 1), lost(2, age: 24 * Self.hour), lost(3),
            lost(4, age: -Self.hour), lost(5, age: 100 * Self.hour),
        ]
        let plan = RestorePlan(all, now: Self.now)
        #expect(plan.single.map(\.row) == [2, 3, 4])
        #expect(Set(plan.forgotten.map(\.row)) == [1, 5])
        #expect(plan.summarized.isEmpty)
    }

    @Test
    func `a lost summary comes back unchanged if no notification is added to it`() {
        let few = (1...5).map { lost($0) } + [lost(6, MissedSummary.identifier)]
        #expect(RestorePlan(few, now: Self.now).single.map(\.row) == [1, 2, 3, 4, 5, 6])
        let many = RestorePlan([lost(7)] + few, now: Self.now)
        #expect(many.single.map(\.row) == [2, 3, 4, 5, 7])
        #expect(many.summarized[.tocsin]?.map(\.row) == [1])
    }

    @Test
    func `without lost notifications nothing is restored`() {
        let plan = RestorePlan([], now: Self.now)
        #expect(plan.single.isEmpty && plan.summarized.isEmpty && plan.forgotten.isEmpty)
    }
}
