internal import Foundation
internal import NotificationEngine
internal import NotificationModel
internal import Reactor

/// What would ring in a span of time: the shipped engine over a copy of the user's own store.
///
/// The store, and the daemon that may have it, go on untouched.
public struct Simulation: Sendable {
    private let configuration: Configuration
    private let plan: SimulationPlan

    /// Makes a simulation.
    public init(configuration: Configuration, plan: SimulationPlan) {
        self.configuration = configuration
        self.plan = plan
    }

    /// Runs it, and writes a line for each ring when it happens; false where it failed, which the
    /// last line tells.
    ///
    /// It ends early where nobody reads, or when it is told to stop.
    public func run(
        until stop: StopSignal, write: @escaping @Sendable (String) -> Bool
    ) async -> Bool {
        do throws(NotificationError) {
            let copy = try StoreCopy(of: layout, into: temporaryDirectory)
            defer { copy.remove() }
            try await run(over: copy, until: stop) { write($0.text) }
            return true
        } catch {
            _ = write(SimulationLine(error).text)
            return false
        }
    }

    private func run(
        over copy: StoreCopy, until stop: StopSignal,
        write: @escaping @Sendable (SimulationLine) -> Bool
    ) async throws(NotificationError) {
        let now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let zone =
            plan.timeZone
            ?? CalendarDates.personsZone(environment: configuration.environment)
        // Of no real boot, so that what counts on one goes on by the wall clock.
        let start = ClockReading(
            wall: plan.start ?? now, boot: 60_000_000, bootID: "simulation", timeZone: zone)
        let simulation = EngineSimulation(layout: copy.layout, start: start, end: plan.end)
        if plan.start != nil { try await simulation.carry(from: now) }
        guard write(startLine(start)) else { return }
        let count = Locked(0)
        let isLimited = Locked(false)
        try await simulation.run(suspending: suspends) { ring in
            guard !stop.isRaised else { return false }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if let limit = plan.limit, number > limit {
                isLimited.withLock { $0 = true }
                return false
            }
            return write(SimulationLine(ring))
        }
        var line = SimulationLine(kind: "end")
        line.isLimited = isLimited.withLock(\.self)
        _ = write(line)
    }

    private func startLine(_ start: ClockReading) -> SimulationLine {
        var line = SimulationLine(kind: "start")
        line.start = start.wall.microseconds
        line.end = plan.end.microseconds
        line.timeZone = start.timeZone
        return line
    }

    private var suspends: SuspendPlan? {
        plan.suspendRule.map { SuspendPlan(rule: $0, length: plan.suspendLength) }
    }

    /// The store that is asked for; else the daemon's, or where there is none a development one.
    private var layout: StoreLayout {
        if let store = plan.store {
            return StoreLayout(directory: (store as NSString).deletingLastPathComponent)
        }
        let (daemon, development) = (configuration.daemonLayout, configuration.developmentLayout)
        let exists = { (layout: StoreLayout) in
            FileManager.default.fileExists(atPath: layout.database)
        }
        return exists(daemon) || !exists(development) ? daemon : development
    }

    /// In memory where the session has such a place: a copy needs no disk.
    private var temporaryDirectory: String {
        let runtime = configuration.environment["XDG_RUNTIME_DIR"] ?? ""
        var isDirectory: ObjCBool = false
        let isThere =
            runtime.hasPrefix("/")
            && FileManager.default.fileExists(atPath: runtime, isDirectory: &isDirectory)
        let parent = isThere && isDirectory.boolValue ? runtime : NSTemporaryDirectory()
        return URL(fileURLWithPath: parent).resolvingSymlinksInPath().path
            + "/tocsin-simulation-\(UUID().uuidString)"
    }
}
