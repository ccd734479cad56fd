import NotificationModel
import NotificationStore
import Reactor
import StoreSupport
import TestSupport

@testable import NotificationEngine

/// A store that waits to be simulated, filled as apps fill one.
struct SimulatedStore {
    let directory: TemporaryDirectory
    var layout: StoreLayout { StoreLayout(directory: directory.path + "/store") }

    /// Adds requests at this time, and does more with the engine where that is asked for.
    init(
        _ requests: [(ApplicationID, NotificationRequest)], at now: ClockReading,
        _ more: (CenterEngine) async throws -> Void = { _ in }
    ) async throws {
        directory = try TemporaryDirectory()
        let reactor = Reactor.started("filling")
        defer { reactor.stop() }
        var configuration = EngineConfiguration(
            layout: StoreLayout(directory: directory.path + "/store"), hosting: "embedded",
            version: "1", zones: .sample)
        configuration.isDurable = false
        let engine = try await CenterEngine.start(
            configuration, presenter: RecordingPresenter(isAvailable: false),
            clock: VirtualClock(now), reactor: reactor)
        for (app, request) in requests {
            try await engine.add(request, attachments: [], for: app)
        }
        try await more(engine)
        await engine.untilAtRest()
        await engine.stop()
    }

    /// What a simulation of it tells.
    func rings(
        from start: ClockReading, until end: Instant, _ events: [MachineEvent] = []
    ) async throws -> [SimulatedRing] {
        let simulation = EngineSimulation(layout: layout, start: start, end: end)
        let rings = Recording<SimulatedRing>()
        try await simulation.run(events) { ring in
            rings.append(ring)
            return true
        }
        return rings.all
    }
}

extension NotificationTrigger {
    /// A rule by its text.
    static func rule(
        _ text: String, zone: String? = nil, until: Instant? = nil, count: Int? = nil
    ) -> NotificationTrigger {
        .rule(NotificationRule(text, timeZone: zone, until: until, count: count))
    }
}

extension Instant {
    /// This many hours later.
    func adding(hours: Int64) -> Instant { adding(microseconds: hours * 3_600_000_000) }
}
