import NotificationModel
internal import NotificationStore

/// Starts apps for the user's responses, and to open their own notification settings.
///
/// It owns the apps that are being started, and the starts that wait for their time.
///
/// In one run of the engine, a response starts its app at most once. Each stored start ends with
/// `endLaunches`. The end of a start loses no response: an app that quits before its
/// acknowledgement gets the response at its next connection. A suspend does not shorten the time in
/// which an app may connect.
///
/// It never asks an app to open its settings if the app connects after the deadline of its start.
struct LaunchMachine: Hashable {
    /// How long a started app may take to connect, in microseconds.
    ///
    /// If the user clicks again in that time, the app is not started again; the new response waits
    /// for the app, too.
    static let startLimit: Int64 = 15_000_000
    /// How long apps may take to reconnect after the engine's start, in microseconds.
    static let returnLimit: Int64 = 2_000_000
    /// The most starts of an app for one response, over several runs of the engine.
    static let attemptLimit: Int64 = 3
    /// The greatest age of a response for which a later run of the engine still starts the app.
    ///
    /// It is in microseconds.
    static let age: Int64 = 600_000_000

    /// A start whose app has not connected yet.
    struct Start: Hashable {
        /// The deadline by which the app must connect, on CLOCK_MONOTONIC in microseconds.
        var deadline: Int64
        /// The notification for which the app opens its settings; nil for none.
        var settings: DeliveredNotification?
    }

    /// A start that an earlier run of the engine did not finish.
    struct Waiting: Hashable {
        var request: LaunchRequest
        /// The time of the start on CLOCK_MONOTONIC, in microseconds.
        var due: Int64
    }

    /// Whether this engine can start apps: the daemon's engine can, an embedded engine cannot.
    let isPossible: Bool
    private(set) var starting: [ApplicationID: Start] = [:]
    private(set) var waiting: [Waiting] = []

    init(isPossible: Bool) {
        self.isPossible = isPossible
    }

    /// The time of the next start, on CLOCK_MONOTONIC in microseconds.
    var deadline: Int64? { waiting.map(\.due).min() }

    /// Starts an app, unless it is being started already.
    mutating func launch(_ request: LaunchRequest, now: ClockReading) -> [EngineEffect] {
        let settings = request.response == nil ? request.notification : nil
        if let start = starting[request.app], start.deadline > now.monotonic {
            if settings != nil { starting[request.app]?.settings = settings }
            return endLaunches(of: [request])
        }
        starting[request.app] = Start(deadline: now.monotonic + Self.startLimit, settings: settings)
        return [.launch(request)]
    }

    /// Ends the start of an app; after a failure, the next click may start the app at once.
    mutating func launchEnded(_ request: LaunchRequest, isStarted: Bool) -> [EngineEffect] {
        if !isStarted { starting[request.app] = nil }
        return endLaunches(of: [request])
    }

    /// Drops the starts of an app that has connected, because its session gets the stored
    /// responses.
    ///
    /// If the user asked for the app's settings during the start, the session opens them.
    mutating func appConnected(
        _ app: ApplicationID, in session: ServiceSession, now: ClockReading
    ) -> [EngineEffect] {
        let start = starting.removeValue(forKey: app)
        let done = waiting.map(\.request).filter { $0.app == app }
        waiting.removeAll { $0.request.app == app }
        guard let start, start.deadline > now.monotonic, let settings = start.settings else {
            return endLaunches(of: done)
        }
        return endLaunches(of: done) + [.send(session, .openSettings(settings))]
    }

    private func endLaunches(of requests: [LaunchRequest]) -> [EngineEffect] {
        let responses = requests.compactMap(\.response?.id)
        return responses.isEmpty ? [] : [.endLaunches(responses)]
    }

    /// Queues the unfinished starts of an earlier run, so that their apps have time to reconnect
    /// first.
    ///
    /// If a start had begun, it waits for the rest of `startLimit`, because the app may be about to
    /// connect. The machine ends starts that are too old or began too often.
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
                    due: now.monotonic + max(rest, Self.returnLimit)))
        }
        return forgotten.isEmpty ? [] : [.endLaunches(forgotten)]
    }

    mutating func takeDue(now: ClockReading) -> [LaunchRequest] {
        let due = waiting.filter { $0.due <= now.monotonic }
        waiting.removeAll { $0.due <= now.monotonic }
        return due.map(\.request)
    }
}

extension EngineState {
    func startsApp(of key: NotificationKey) -> Bool {
        launches.isPossible && responses.newest { $0.hears(of: key) } == nil
    }

    /// Hands a stored response to its app, or starts the app.
    ///
    /// `isWanted` is true if a start was stored with the response.
    mutating func responseRecorded(
        _ response: NotificationResponse, startingApp isWanted: Bool, now: ClockReading
    ) -> [EngineEffect] {
        let delivered = responses.stored(response)
        let category = category(of: response.notification)
        guard isWanted, let mode = LaunchMode(response.action, category: category) else {
            return delivered
        }
        // If the app connected while the response was being stored, the app is not started.
        guard startsApp(of: response.notification.key) else {
            return delivered + [.endLaunches([response.id])]
        }
        let request = LaunchRequest(
            response: response, mode: mode,
            command: self[response.notification.app].launchCommand)
        return delivered + launch(request, now: now)
    }

    /// Tells a running app to open its settings, or starts an app that has quit.
    mutating func openSettings(
        for notification: DeliveredNotification, activationToken: String?, now: ClockReading
    ) -> [EngineEffect] {
        let app = notification.app
        // A session with `identifiers` belongs to a command that waits for responses, and cannot
        // show settings. Prefer the session that handles responses: its delegate opens settings.
        let session =
            responses.newest { $0.app == app && $0.identifiers == nil && $0.handlesResponses }
            ?? responses.newest { $0.app == app && $0.identifiers == nil }
        if let session {
            return [.send(session, .openSettings(notification))]
        }
        let request = LaunchRequest(
            settingsFor: notification, activationToken: activationToken,
            command: self[app].launchCommand)
        return launch(request, now: now)
    }

    /// Starts an app; if the engine is stopping, the stored start waits for the next daemon.
    private mutating func launch(_ request: LaunchRequest, now: ClockReading) -> [EngineEffect] {
        isStopping ? [] : launches.launch(request, now: now)
    }

    /// Ends the start of the app that opened this session.
    ///
    /// A session with `identifiers` ends no start, because it gets only some responses.
    mutating func appArrived(in session: ServiceSession, now: ClockReading) -> [EngineEffect] {
        guard let state = sessions[session], state.identifiers == nil else { return [] }
        return launches.appConnected(state.app, in: session, now: now)
    }

    mutating func resume(_ wanted: [WantedLaunch], now: ClockReading) -> [EngineEffect] {
        launches.resume(wanted, now: now) { [apps] in apps[$0]?.launchCommand }
            + [.arm(alarms(now: now))]
    }

    mutating func launchesDue(now: ClockReading) -> [EngineEffect] {
        launches.takeDue(now: now).flatMap { launch($0, now: now) }
    }
}
