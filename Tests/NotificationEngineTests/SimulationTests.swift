import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import NotificationEngine

@Suite("The shipped engine over a copy, with a clock that is turned")
struct SimulationTests {
    private static let app = ApplicationID.tocsin
    /// Saturday 2026-11-21, 13:00 in Berlin.
    private static let now = ClockReading.sample(zone: "Europe/Berlin")

    private static func store(
        _ requests: [NotificationRequest], _ more: (CenterEngine) async throws -> Void = { _ in }
    ) async throws -> SimulatedStore {
        try await SimulatedStore(requests.map { (app, $0) }, at: now, more)
    }

    @Test("Each date rings when it is due, in order, up to the end and not at it")
    func punctual() async throws {
        let store = try await Self.store([
            .sample("daily", .rule("day at 9")), .after(3_600, "once"),
            .sample("tokyo", .rule("cron 0 9 * * *", zone: "Asia/Tokyo")),
        ])
        let end = try instant("2026-11-23 08:00:00")
        let rings = try await store.rings(from: Self.now, until: end)
        #expect(rings.map(\.identifier) == ["once", "tokyo", "daily", "tokyo"])
        #expect(rings.allSatisfy { $0.outcome == .rings && $0.fired == $0.due && $0.missed == 0 })
        #expect(rings[1].due == (try instant("2026-11-22 00:00:00")))
        #expect(
            rings.map(\.timeZone) == ["Europe/Berlin", "Asia/Tokyo", "Europe/Berlin", "Asia/Tokyo"])
    }

    @Test("While it sleeps nothing rings; late ones tell since when, and what is merged")
    func asleep() async throws {
        let store = try await Self.store([
            .sample("hour", .rule("cron 0 * * * *")), .sample("night", .rule("day at 3")),
        ])
        let plan = SuspendPlan(rule: "every day at 23:00", length: 8 * 3_600_000_000)
        let simulation = EngineSimulation(
            layout: store.layout, start: Self.now, end: Self.now.wall.adding(hours: 24))
        let heard = Recording<SimulatedRing>()
        try await simulation.run(suspending: plan) { ring in
            heard.append(ring)
            return true
        }
        let sleep = try instant("2026-11-21 22:00:00")
        let late = heard.all.filter { $0.fired != $0.due }
        #expect(late.map(\.identifier) == ["hour", "night"])
        #expect(late.map(\.missed) == [7, 0])
        #expect(late.map(\.suspendedAt) == [sleep, sleep])
        #expect(late.map(\.fired) == [sleep.adding(hours: 8), sleep.adding(hours: 8)])
        #expect(late[0].due == sleep.adding(hours: 1))
        let hours = heard.all.filter { $0.identifier == "hour" }
        #expect(
            hours.map { $0.missed + 1 }.reduce(0, +) == 23, "1 pm is not one, and the end is not")
    }

    @Test("A shift is told as 'next' tells it; of components as well")
    func shifts() async throws {
        var components = CalendarComponents()
        (components.hour, components.minute) = (2, 30)
        let store = try await Self.store([
            .sample("rule", .rule("day at 2:30")),
            .sample("components", .calendar(components, repeats: true)),
        ])
        var start = Self.now
        start.wall = try instant("2027-03-27 12:00:00")
        let rings = try await store.rings(
            from: start, until: start.wall.adding(hours: 48), carriedFrom: Self.now.wall)
        #expect(rings.count == 4)
        let gap = try instant("2027-03-28 01:00:00")
        #expect(rings[0].due == gap && rings[1].due == gap)
        #expect(
            rings.compactMap(\.shift).sorted() == [
                "02:30 is left out that day: the clocks are put forward",
                "02:30:00 does not exist on 2027-03-28: the clocks go from 02:00:00 to 03:00:00",
            ])
        #expect(rings[2].shift == nil && rings[3].shift == nil)
    }

    @Test("Skipped dates are told in their turn, each of them")
    func skipped() async throws {
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
        #expect(daily.map(\.outcome) == [.skipped, .skipped, .rings])
        #expect(
            daily.map(\.due)
                == (try ["22", "23", "24"].map {
                    try instant("2026-11-\($0) 08:00:00")
                }))
        let beat = rings.filter { $0.identifier == "beat" }
        #expect(beat.first?.outcome == .skipped)
        #expect(beat.dropFirst().allSatisfy { $0.outcome == .rings })
        #expect(rings.map(\.fired) == rings.map(\.fired).sorted())
    }

    @Test("What the person denied is told as not shown, with the reason")
    func denied() async throws {
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

    @Test("Of many late ones most are in the list only, and one popup stands for them")
    func storm() async throws {
        let store = try await Self.store((0..<30).map { .after(Double(3_600 + $0), "n\($0)") })
        let sleep = MachineEvent(at: Self.now.wall.adding(hours: 1), .suspend(7_200_000_000))
        let rings = try await store.rings(
            from: Self.now, until: Self.now.wall.adding(hours: 5), [sleep])
        // The first one is due at the very moment at which it falls asleep.
        #expect(rings.count { $0.outcome == .listed } == 19)
        #expect(rings.count { $0.outcome == .rings } == 12)
        #expect(rings.last?.title == "19 more notifications")
        #expect(rings.last?.suspendedAt == nil)
    }

    @Test("Whoever has heard enough ends it")
    func ended() async throws {
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

    // MARK: - Another start than now

    @Test("At a later start it is as if everything had rung until then")
    func later() async throws {
        var start = Self.now
        start.wall = try instant("2026-12-01 00:00:00")
        start.bootID = "other"
        let store = try await Self.store([
            .sample("daily", .rule("day at 9")), .after(3_600, "over"),
            .sample("five", .rule("day at 9", count: 5)),
            .sample("twelve", .rule("day at 10", count: 12)), .after(86_400 * 12, "soon"),
            .sample("four", .rule("96h", count: 4)),
            .sample("ended", .rule("day at 9", until: try instant("2026-11-30 00:00:00"))),
        ])
        let rings = try await store.rings(
            from: start, until: start.wall.adding(hours: 24 * 7), carriedFrom: Self.now.wall)
        let counts = Dictionary(grouping: rings, by: \.identifier).mapValues(\.count)
        // Nine of the twelve have rung before, two of the four.
        #expect(counts == ["daily": 7, "twelve": 3, "soon": 1, "four": 2])
        #expect(rings.allSatisfy { $0.fired == $0.due })
        #expect(
            rings.filter { $0.identifier == "four" }.map(\.due)
                == [12, 16].map { Self.now.wall.adding(hours: 24 * $0) })
    }

    @Test("At an earlier start what repeats begins there, what fires once keeps its date")
    func earlier() async throws {
        var start = Self.now
        start.wall = try instant("2026-11-01 00:00:00")
        let store = try await Self.store([
            .sample("daily", .rule("day at 9")), .after(86_400, "beat", repeats: true),
            .after(3_600, "once"),
        ])
        let rings = try await store.rings(
            from: start, until: Self.now.wall.adding(hours: 2), carriedFrom: Self.now.wall)
        let counts = Dictionary(grouping: rings, by: \.identifier).mapValues(\.count)
        #expect(counts == ["daily": 21, "beat": 21, "once": 1])
        #expect(rings.last?.identifier == "once")
    }

    @Test("A start in another zone carries what floats into it")
    func zone() async throws {
        var start = Self.now
        start.wall = try instant("2026-12-01 00:00:00")
        start.timeZone = "Asia/Tokyo"
        let store = try await Self.store([.sample("daily", .rule("day at 9"))])
        let rings = try await store.rings(
            from: start, until: start.wall.adding(hours: 24), carriedFrom: Self.now.wall)
        #expect(rings.map(\.due) == [start.wall])
        #expect(rings.map(\.timeZone) == ["Asia/Tokyo"])
    }

    // MARK: - The copy

    @Test("A copy has what the store has at that moment, and the store goes on untouched")
    func copy() async throws {
        let fixture = try EngineFixture(clock: ManualClock())
        let engine = try await fixture.start()
        try await engine.add(.after(3_600, "a", repeats: true), attachments: [], for: Self.app)
        let before = try await engine.pending(of: nil)
        let copy = try StoreCopy(of: fixture.layout, into: fixture.directory.path + "/copy")
        let simulation = EngineSimulation(
            layout: copy.layout, start: fixture.clock.now(),
            end: fixture.clock.now().wall.adding(hours: 3))
        let heard = Recording<SimulatedRing>()
        try await simulation.run([]) { ring in
            heard.append(ring)
            return true
        }
        #expect(heard.all.map(\.identifier) == ["a", "a"])
        #expect(try await engine.pending(of: nil) == before)
        #expect(fixture.presenter.titles.isEmpty)
        copy.remove()
        #expect(!FileManager.default.fileExists(atPath: copy.layout.directory))
    }

    @Test("Without a store there is nothing to copy, and none is made")
    func noStore() throws {
        let directory = try TemporaryDirectory()
        let layout = StoreLayout(directory: directory.path + "/store")
        let error = #expect(throws: NotificationError.self) {
            try StoreCopy(of: layout, into: directory.path + "/copy")
        }
        #expect(error?.code == .storeUnavailable)
        #expect(error?.message.contains("There is no store") == true)
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/copy"))
    }

    @Test("A plan puts the machine to sleep on each date at which it is awake")
    func plan() throws {
        let start = try instant("2026-11-21 00:00:00")
        let plan = SuspendPlan(rule: "cron 0 */2 * * *", length: 3 * 3_600_000_000)
        let events = Array(plan.events(from: start, timeZone: "UTC").prefix(3))
        #expect(events.map(\.instant) == [0, 4, 8].map { start.adding(hours: $0) })
        #expect(events.allSatisfy { $0.kind == .suspend(3 * 3_600_000_000) })
        let wrong = SuspendPlan(rule: "no rule", length: 1)
        #expect(Array(wrong.events(from: start, timeZone: "UTC")).isEmpty)
    }
}
