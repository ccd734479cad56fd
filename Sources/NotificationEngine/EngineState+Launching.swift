import NotificationModel
internal import NotificationStore

/// Which response starts an app that has quit.
///
/// An app is started when a person answers, once: an app that ends without being done with its
/// response gets it at its next start and is not started for it again.
extension EngineState {
    /// How long an app that was started may take until it connects, in microseconds.
    ///
    /// A further click in that time does not start it again; its response waits for it, too.
    static let startLimit: Int64 = 15_000_000
    /// How long after an engine's own start the apps may take to come back to it.
    static let returnLimit: Int64 = 2_000_000
    /// How many times an app is started for one response, where the engine dies meanwhile.
    static let launchLimit: Int64 = 3
    /// How old a response may be that still starts an app after the engine's end.
    static let launchAge: Int64 = 600_000_000

    /// Whether a response to this notification starts its app, if it is one that may.
    func startsApp(of key: NotificationKey) -> Bool {
        launches.isPossible
            && !sessions.values.contains {
                $0.app == key.app && $0.identifiers?.contains(key.identifier) ?? true
            }
    }

    /// A response was stored; `isWanted` says that a start was written down with it.
    mutating func responseRecorded(
        _ response: NotificationResponse, startingApp isWanted: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let delivered = responseRecorded(response)
        guard isWanted, let mode = launchMode(of: response) else { return delivered }
        let app = response.notification.app
        // The app came while the response was stored.
        guard startsApp(of: response.notification.key) else {
            return delivered + [.endLaunches([response.id])]
        }
        return delivered
            + launch(
                LaunchOrder(response: response, mode: mode, command: launches.commands[app]),
                now: now)
    }

    private func launchMode(of response: NotificationResponse) -> LaunchMode? {
        LaunchMode(response.action, category: category(of: response.notification))
    }

    private mutating func launch(_ order: LaunchOrder, now: ClockReading) -> [EngineEffect] {
        // What is not begun is written down, and waits for the next daemon.
        guard !isStopping else { return [] }
        if let limit = launches.starting[order.app], limit > now.boot {
            return [.endLaunches([order.response.id])]
        }
        launches.starting[order.app] = now.boot + Self.startLimit
        return [.launch(order)]
    }

    /// The start of an app succeeded, or did not.
    mutating func launchEnded(_ order: LaunchOrder, isStarted: Bool) -> [EngineEffect] {
        if !isStarted { launches.starting[order.app] = nil }
        return [.endLaunches([order.response.id])]
    }

    /// An app is there: it gets what is stored for it, and is not started.
    mutating func appArrived(in session: ServiceSession) -> [EngineEffect] {
        // One that waits for a single answer is not the app.
        guard let state = sessions[session], state.identifiers == nil else { return [] }
        launches.starting[state.app] = nil
        let done = launches.waiting.filter { $0.order.app == state.app }.map(\.order.response.id)
        launches.waiting.removeAll { $0.order.app == state.app }
        return done.isEmpty ? [] : [.endLaunches(done)]
    }

    /// Takes up what an earlier run left, when its apps have had the time to come back.
    ///
    /// A start that was begun may have succeeded: then the app is on its way.
    mutating func resume(_ wanted: [WantedLaunch], now: ClockReading) -> [EngineEffect] {
        let youngest = now.wall.adding(microseconds: -Self.launchAge)
        var forgotten: [Int64] = []
        for launch in wanted {
            guard launches.isPossible, launch.attempts < Self.launchLimit,
                launch.wantedAt >= youngest, launch.wantedAt <= now.wall
            else {
                forgotten.append(launch.response.id)
                continue
            }
            let begun = launch.startedAt.map { now.wall.microseconds - $0.microseconds }
            let rest = begun.map { min(max(Self.startLimit - $0, 0), Self.startLimit) } ?? 0
            let app = launch.response.notification.app
            launches.waiting.append(
                .init(
                    order: LaunchOrder(
                        response: launch.response, mode: launch.mode,
                        command: launches.commands[app]),
                    due: now.boot + max(rest, Self.returnLimit)))
        }
        return (forgotten.isEmpty ? [] : [.endLaunches(forgotten)]) + [.arm(alarms(now: now))]
    }

    /// Starts the apps whose time has come and that have not.
    mutating func launchesDue(now: ClockReading) -> [EngineEffect] {
        let due = launches.waiting.filter { $0.due <= now.boot }
        launches.waiting.removeAll { $0.due <= now.boot }
        return due.flatMap { launch($0.order, now: now) }
    }
}
