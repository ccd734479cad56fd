import NotificationModel
internal import NotificationStore

/// The apps that are being started for a response, and the starts that wait for their moment.
///
/// An app is started when a user answers, once: an app that ends without being done with its
/// response gets it at its next start and is not started for it again. Every start that was written
/// down ends with `endLaunches`; the machine never forgets the response itself.
struct LaunchMachine: Hashable {
    /// How long an app that was started may take until it connects, in microseconds.
    ///
    /// A further click in that time does not start it again; its response waits for it, too.
    static let startLimit: Int64 = 15_000_000
    /// How long after an engine's own start the apps may take to come back to it.
    static let returnLimit: Int64 = 2_000_000
    /// How many times an app is started for one response, where the engine dies meanwhile.
    static let attemptLimit: Int64 = 3
    /// How old a response may be that still starts an app after the engine's end.
    static let age: Int64 = 600_000_000

    /// A start that an earlier run of the engine left.
    struct Waiting: Hashable {
        var order: LaunchOrder
        /// When it is to happen, on the boot-time clock.
        var due: Int64
    }

    /// Whether apps can be started at all: the daemon can, an engine in the app itself cannot.
    let isPossible: Bool
    /// Until when an app that was started may still be on its way to us, on the boot-time clock.
    private(set) var starting: [ApplicationID: Int64] = [:]
    /// The starts that wait, in the order of their responses.
    private(set) var waiting: [Waiting] = []

    init(isPossible: Bool) {
        self.isPossible = isPossible
    }

    /// When the next one is due.
    var deadline: Int64? { waiting.map(\.due).min() }

    /// A response whose app is not there was stored, and that it is to be started.
    mutating func launch(_ order: LaunchOrder, now: ClockReading) -> [EngineEffect] {
        if let limit = starting[order.app], limit > now.boot {
            return [.endLaunches([order.response.id])]
        }
        starting[order.app] = now.boot + Self.startLimit
        return [.launch(order)]
    }

    /// The start of an app succeeded, or did not.
    mutating func ended(_ order: LaunchOrder, isStarted: Bool) -> [EngineEffect] {
        if !isStarted { starting[order.app] = nil }
        return [.endLaunches([order.response.id])]
    }

    /// An app is there: it gets what is stored for it, and is not started.
    mutating func arrived(_ app: ApplicationID) -> [EngineEffect] {
        starting[app] = nil
        let done = waiting.filter { $0.order.app == app }.map(\.order.response.id)
        waiting.removeAll { $0.order.app == app }
        return done.isEmpty ? [] : [.endLaunches(done)]
    }

    /// Takes up the starts that an earlier run left, when the apps have had the time to come back.
    ///
    /// A start that was begun may have succeeded: then the app is on its way.
    mutating func resume(
        _ wanted: [WantedLaunch], now: ClockReading, command: (ApplicationID) -> LaunchCommand?
    ) -> [EngineEffect] {
        let youngest = now.wall.adding(microseconds: -Self.age)
        var forgotten: [Int64] = []
        for launch in wanted {
            guard isPossible, launch.attempts < Self.attemptLimit,
                launch.wantedAt >= youngest, launch.wantedAt <= now.wall
            else {
                forgotten.append(launch.response.id)
                continue
            }
            let begun = launch.startedAt.map { now.wall.microseconds - $0.microseconds }
            let rest = begun.map { min(max(Self.startLimit - $0, 0), Self.startLimit) } ?? 0
            waiting.append(
                Waiting(
                    order: LaunchOrder(
                        response: launch.response, mode: launch.mode,
                        command: command(launch.response.notification.app)),
                    due: now.boot + max(rest, Self.returnLimit)))
        }
        return forgotten.isEmpty ? [] : [.endLaunches(forgotten)]
    }

    /// The starts whose time has come; they wait no longer.
    mutating func takeDue(now: ClockReading) -> [LaunchOrder] {
        let due = waiting.filter { $0.due <= now.boot }
        waiting.removeAll { $0.due <= now.boot }
        return due.map(\.order)
    }
}

extension EngineState {
    /// Whether a response to this notification starts its app, if it is one that may.
    func startsApp(of key: NotificationKey) -> Bool {
        launches.isPossible && !responses.hasListener(to: key)
    }

    /// A response was stored; `isWanted` says that a start was written down with it.
    mutating func responseRecorded(
        _ response: NotificationResponse, startingApp isWanted: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let delivered = responses.stored(response)
        let category = category(of: response.notification)
        guard isWanted, let mode = LaunchMode(response.action, category: category) else {
            return delivered
        }
        // The app came while the response was stored.
        guard startsApp(of: response.notification.key) else {
            return delivered + [.endLaunches([response.id])]
        }
        let order = LaunchOrder(
            response: response, mode: mode,
            command: self[response.notification.app].launchCommand)
        return delivered + launch(order, now: now)
    }

    /// A start that is not begun is written down, and waits for the next daemon.
    private mutating func launch(_ order: LaunchOrder, now: ClockReading) -> [EngineEffect] {
        isStopping ? [] : launches.launch(order, now: now)
    }

    /// An app is there; one that waits for a single answer is not the app.
    mutating func appArrived(in session: ServiceSession) -> [EngineEffect] {
        guard let state = sessions[session], state.identifiers == nil else { return [] }
        return launches.arrived(state.app)
    }

    /// Takes up the starts that an earlier run left.
    mutating func resume(_ wanted: [WantedLaunch], now: ClockReading) -> [EngineEffect] {
        launches.resume(wanted, now: now) { [apps] in apps[$0]?.launchCommand }
            + [.arm(alarms(now: now))]
    }

    /// Starts the apps whose time has come and that have not.
    mutating func launchesDue(now: ClockReading) -> [EngineEffect] {
        launches.takeDue(now: now).flatMap { launch($0, now: now) }
    }
}
