import NotificationModel
internal import NotificationStore

/// Starts apps for the user's responses.
///
/// It owns the apps that are being started, and the starts that wait for their time.
///
/// It promises that one run of the engine starts an app once for a response. Each stored start ends
/// with `endLaunches`. It never forgets a response: an app that quit before its acknowledgement
/// gets it at its next start.
struct LaunchMachine: Hashable {
    /// The time that a started app has to connect, in microseconds.
    ///
    /// A further click in that time does not start it again: its response waits for the app, too.
    static let startLimit: Int64 = 15_000_000
    /// The time that apps have to reconnect after the engine's start, in microseconds.
    static let returnLimit: Int64 = 2_000_000
    /// The most starts of an app for one response, if the engine dies in between.
    static let attemptLimit: Int64 = 3
    /// The greatest age, in microseconds, of a response for which a later run still starts the app.
    static let age: Int64 = 600_000_000

    /// A start that an earlier run of the engine did not finish.
    struct Waiting: Hashable {
        var request: LaunchRequest
        /// The time of the start on the boot-time clock, in microseconds.
        var due: Int64
    }

    /// Whether apps can be started at all: the daemon can, an embedded engine cannot.
    let isPossible: Bool
    /// The time until which a started app may connect, on the boot-time clock in microseconds.
    private(set) var starting: [ApplicationID: Int64] = [:]
    /// The starts that wait, in the order of their responses.
    private(set) var waiting: [Waiting] = []

    init(isPossible: Bool) {
        self.isPossible = isPossible
    }

    /// The time of the next waiting start; nil if none waits.
    var deadline: Int64? { waiting.map(\.due).min() }

    /// Starts the app of a stored response, unless it is being started already.
    mutating func launch(_ request: LaunchRequest, now: ClockReading) -> [EngineEffect] {
        if let limit = starting[request.app], limit > now.boot {
            return [.endLaunches([request.response.id])]
        }
        starting[request.app] = now.boot + Self.startLimit
        return [.launch(request)]
    }

    /// Ends the start of an app, and forgets a start that failed.
    mutating func launchEnded(_ request: LaunchRequest, isStarted: Bool) -> [EngineEffect] {
        if !isStarted { starting[request.app] = nil }
        return [.endLaunches([request.response.id])]
    }

    /// Drops the starts of an app that has connected: it gets its stored responses.
    mutating func appConnected(_ app: ApplicationID) -> [EngineEffect] {
        starting[app] = nil
        let done = waiting.filter { $0.request.app == app }.map(\.request.response.id)
        waiting.removeAll { $0.request.app == app }
        return done.isEmpty ? [] : [.endLaunches(done)]
    }

    /// Takes up the unfinished starts of an earlier run, once the apps have had time to reconnect.
    ///
    /// A start that had begun may have succeeded: the app may be about to connect.
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
                    request: LaunchRequest(
                        response: launch.response, mode: launch.mode,
                        command: command(launch.response.notification.app)),
                    due: now.boot + max(rest, Self.returnLimit)))
        }
        return forgotten.isEmpty ? [] : [.endLaunches(forgotten)]
    }

    /// Removes and returns the starts whose time has come.
    mutating func takeDue(now: ClockReading) -> [LaunchRequest] {
        let due = waiting.filter { $0.due <= now.boot }
        waiting.removeAll { $0.due <= now.boot }
        return due.map(\.request)
    }
}

extension EngineState {
    /// Whether a response to this notification has to start its app.
    func startsApp(of key: NotificationKey) -> Bool {
        launches.isPossible && responses.newest { $0.hears(of: key) } == nil
    }

    /// Hands a stored response on; `isWanted` says that a start was stored with it.
    mutating func responseRecorded(
        _ response: NotificationResponse, startingApp isWanted: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let delivered = responses.stored(response)
        let category = category(of: response.notification)
        guard isWanted, let mode = LaunchMode(response.action, category: category) else {
            return delivered
        }
        // The app connected while the response was being stored.
        guard startsApp(of: response.notification.key) else {
            return delivered + [.endLaunches([response.id])]
        }
        let request = LaunchRequest(
            response: response, mode: mode,
            command: self[response.notification.app].launchCommand)
        return delivered + launch(request, now: now)
    }

    /// Starts an app, unless the engine stops: the stored start then waits for the next daemon.
    private mutating func launch(_ request: LaunchRequest, now: ClockReading) -> [EngineEffect] {
        isStopping ? [] : launches.launch(request, now: now)
    }

    /// Notes that an app connected; a session that waits only for single responses does not count.
    mutating func appArrived(in session: ServiceSession) -> [EngineEffect] {
        guard let state = sessions[session], state.identifiers == nil else { return [] }
        return launches.appConnected(state.app)
    }

    /// Takes up the unfinished starts of an earlier run.
    mutating func resume(_ wanted: [WantedLaunch], now: ClockReading) -> [EngineEffect] {
        launches.resume(wanted, now: now) { [apps] in apps[$0]?.launchCommand }
            + [.arm(alarms(now: now))]
    }

    /// Starts the apps whose time has come and that have not connected.
    mutating func launchesDue(now: ClockReading) -> [EngineEffect] {
        launches.takeDue(now: now).flatMap { launch($0, now: now) }
    }
}
