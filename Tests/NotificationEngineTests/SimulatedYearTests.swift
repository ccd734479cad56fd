import NotificationEngine
import NotificationModel
import NotificationSchedule
import StoreSupport
import TestSupport
import Testing

/// 200 mixed requests through 2027, with a sleep every night and four moves of the user.
///
/// The test enumerates the expected outcomes from the grammars and from `NextDate`. It needs no
/// store, engine or clock for that.
@Suite("A simulated year", .timeLimit(.minutes(5)))
struct SimulatedYearTests {
    private static let start = ClockReading(
        wall: ManualClock.start.adding(hours: 24 * 41 - 12), boot: 3_600_000_000,
        bootID: "first-boot", timeZone: "Europe/Berlin")
    private static let end = start.wall.adding(hours: 24 * 365)

    @Test
    func `each occurrence fires exactly once, when due or at the end of the machine's sleep`()
        async throws
    {
        var make = YearGenerator(seed: 2_027)
        let requests = (0..<200).map { make.request($0) }
        let store = try await SimulatedStore(requests, at: Self.start)
        let rings = try await store.rings(
            from: Self.start, until: Self.end, YearPlan.events(from: Self.start.wall))
        let expected = requests.flatMap { YearPlan.rings(of: $0.1, from: Self.start, to: Self.end) }
        let found = rings.map(YearRing.init)
        #expect(found.count > 1_500)
        #expect(Set(found).count == found.count, "no occurrence rings twice")
        let missing = Set(expected).subtracting(found)
        let surplus = Set(found).subtracting(expected)
        #expect(missing.isEmpty, "\(missing.sorted().prefix(3))")
        #expect(surplus.isEmpty, "\(surplus.sorted().prefix(3))")
        #expect(rings.allSatisfy { $0.outcome == .rings })
        #expect(rings.map(\.fired) == rings.map(\.fired).sorted())
        let late = rings.filter { $0.fired != $0.due }
        #expect(late.count > 300 && late.allSatisfy { $0.suspendedAt != nil })
        #expect(late.contains { $0.missed > 0 })
    }
}

/// An outcome of the engine or of `YearPlan`, for comparison.
struct YearRing: Hashable, Comparable, CustomStringConvertible {
    var identifier: String
    var due: Instant
    var fired: Instant
    var missed: Int

    init(_ identifier: String, due: Instant, fired: Instant, missed: Int = 0) {
        (self.identifier, self.due, self.fired, self.missed) = (identifier, due, fired, missed)
    }

    init(_ ring: SimulatedRing) {
        self.init(ring.identifier, due: ring.due, fired: ring.fired, missed: ring.missed)
    }

    var description: String {
        let texts = [due, fired].map { ZoneRules.fixed(0).rfc3339($0) }
        return "\(identifier) due \(texts[0]) fired \(texts[1]) missed \(missed)"
    }

    static func < (left: YearRing, right: YearRing) -> Bool {
        (left.due, left.identifier) < (right.due, right.identifier)
    }
}
