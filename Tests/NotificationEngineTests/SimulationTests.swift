import NotificationEngine
import NotificationModel
import StoreSupport
import TestSupport
import Testing

@Suite("The shipped engine with a virtual clock", .timeLimit(.minutes(5)))
struct SimulationTests {
    private static let app = ApplicationID.tocsin
    /// Saturday 2026-11-21, 13:00 in Berlin.
    private static let now = ClockReading.sample(zone: "Europe/Berlin")

    private static func store(
        _ requests: [NotificationRequest], at now: ClockReading = now,
        _ more: (CenterEngine) async throws -> Void = { _ in }
    ) async throws -> SimulatedStore {
        try await SimulatedStore(requests.map { (app, $0) }, at: now, more)
    }

    @Test
    func `each date before the end rings when it is due, in order, and a date at the end does not`()
        async throws
    {
        let store = try await Self.store([
            .sample("daily", .rule("day at 9")), .after(3_600, "once"),
            .sample("tokyo", .rule("cron 0 9 * * *", zone: "Asia/Tokyo")),
        ])
        let end = try instant("2026-11-23 08:00:00")
        let rings = try await store.rings(from: Self.now, until: end)
        #expect(rings.map(\.identifier) == ["once", "tokyo", "daily", "tokyo"])
        #expect(rings.allSatisfy { $0.outcome == .rings && $0.fired == $0.due && $0.missed == 0 })
        #expect(rings[1].due == (try instant("2026-11-22 00:00:00")))
    }

    @Test
    func `nothing rings during a sleep, and late outcomes name the start of the sleep`()
        async throws
    {
        let store = try await Self.store([
            .sample("hour", .rule("cron 0 * * * *")), .sample("night", .rule("day at 3")),
        ])
        let sleep = try instant("2026-11-21 22:00:00")
        let rings = try await store.rings(
            from: Self.now, until: Self.now.wall.adding(hours: 24),
            [MachineEvent(at: sleep, .suspend(8 * 3_600_000_000))])
        let late = rings.filter { $0.fired != $0.due }
        #expect(late.map(\.identifier) == ["hour", "night"])
        #expect(late.map(\.missed) == [7, 0])
        #expect(late.map(\.suspendedAt) == [sleep, sleep])
        #expect(late.map(\.fired) == [sleep.adding(hours: 8), sleep.adding(hours: 8)])
        #expect(late[0].due == sleep.adding(hours: 1))
        let hours = rings.filter { $0.identifier == "hour" }
        #expect(
            hours.map { $0.missed + 1 }.reduce(0, +) == 23,
            "one for each hour after 13:00, before 13:00 of the next day")
    }

    @Test
    func `a time in the spring gap rings once, at the end of the gap`() async throws {
        var components = CalendarComponents()
        (components.hour, components.minute) = (2, 30)
        var start = Self.now
        start.wall = try instant("2027-03-27 12:00:00")
        let store = try await Self.store(
            [
                .sample("rule", .rule("day at 2:30")),
                .sample("components", .calendar(components, repeats: true)),
            ], at: start)
        let rings = try await store.rings(from: start, until: start.wall.adding(hours: 48))
        let (gap, day) = (try instant("2027-03-28 01:00:00"), try instant("2027-03-29 00:30:00"))
        #expect(rings.map(\.due) == [gap, gap, day, day])
        #expect(rings.allSatisfy { $0.fired == $0.due })
    }

    @Test
    func `skipped dates do not ring, and later dates ring`() async throws {
        let store = try await Self.store([
            .sample("daily", .rule("day at 9")), .after(3_600, "beat", repeats: true),
        ]) { engine in
            for identifier in ["daily", "daily", "beat"] {
                _ = try await engine.skip(identifier, of: Self.app)
            }
        }
        let rings = try await store.rings(
            from: Self.now, until: try instant("2026-11-24 09:00:00"))
        let daily = rings.filter { $0.identifier == "daily" }
        #expect(daily.map(\.due) == [try instant("2026-11-24 08:00:00")])
        let beat = rings.filter { $0.identifier == "beat" }
        #expect(beat.first?.due == Self.now.wall.adding(hours: 2))
        #expect(rings.allSatisfy { $0.outcome == .rings })
        #expect(rings.map(\.fired) == rings.map(\.fired).sorted())
    }

    @Test
    func `a request of a denied app is refused with the reason`() async throws {
        let store = try await Self.store([.after(3_600, "a")]) {
            try await $0.decide(.deny, for: Self.app)
        }
        let rings = try await store.rings(from: Self.now, until: Self.now.wall.adding(hours: 2))
        guard case .refused(let reason)? = rings.first?.outcome else {
            Issue.record("\(rings)")
            return
        }
        #expect(reason.contains("tocsin settings"))
    }

    @Test
    func `most of many late requests are only listed, and one popup summarises them`() async throws
    {
        let store = try await Self.store((0..<30).map { .after(Double(3_600 + $0), "n\($0)") })
        let sleep = MachineEvent(at: Self.now.wall.adding(hours: 1), .suspend(7_200_000_000))
        let rings = try await store.rings(
            from: Self.now, until: Self.now.wall.adding(hours: 5), [sleep])
        // The first request is due at the very moment at which the machine falls asleep.
        #expect(rings.count { $0.outcome == .listed } == 19)
        #expect(rings.count { $0.outcome == .rings } == 12)
        #expect(rings.last?.title == "19 more notifications")
        #expect(rings.last?.suspendedAt == nil)
    }

    @Test
    func `a simulation ends when its subscriber returns false`() async throws {
        let store = try await Self.store([.after(60, "a", repeats: true)])
        let heard = Recording<SimulatedRing>()
        let simulation = EngineSimulation(
            layout: store.layout, start: Self.now, end: Instant(microseconds: .max))
        try await simulation.run([]) { ring in
            heard.append(ring)
            return heard.all.count < 5
        }
        #expect(heard.all.count == 5)
    }
}
