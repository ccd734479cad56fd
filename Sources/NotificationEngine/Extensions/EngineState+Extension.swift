import NotificationModel
internal import NotificationStore

/// From claimed to asked: a pushed notification that its app may change first.
///
/// Claimed → extending → revising → asking or presenting. What the extension gives is stored before
/// it is shown, so that a crash neither runs it again nor shows the original after all.
extension EngineState {
    /// How long a service extension may take, in microseconds; Apple's.
    static let extensionTimeout: Int64 = 30_000_000
    /// How long it may still answer after it heard that its time is over.
    static let extensionGrace: Int64 = 2_000_000
    /// How many programs of one app run at a time.
    static let programLimit = 4

    /// Whether the person sees the app's texts: else there is nothing to change, as on Apple's
    /// platforms.
    func showsAlerts(of app: ApplicationID) -> Bool {
        guard let permission = self[app].permission.current, permission.status == .authorized else {
            return true
        }
        return permission.options.contains(.alert)
    }

    /// Takes off with a row that an extension may change.
    mutating func extend(_ claimed: ClaimedRequest, now: ClockReading) -> [EngineEffect] {
        let session = extendingSession(of: claimed.app)
        let isFull = session == nil && runningPrograms(of: claimed.app) >= Self.programLimit
        let token = takeOff(claimed, now: now, stage: .queued)
        return isFull ? [] : beginExtension(token, in: session, now: now)
    }

    private mutating func beginExtension(
        _ token: UInt64, in session: ServiceSession?, now: ClockReading
    ) -> [EngineEffect] {
        guard let flight = flights[token] else { return [] }
        flights[token]?.stage = .extending(
            Extending(session: session, deadline: now.boot + Self.extensionTimeout))
        return [
            .extend(
                session, ExtensionToken(rawValue: token), flight.notification.request,
                flight.claimed.app)
        ]
    }

    /// The newest session of an app that has a service extension.
    private func extendingSession(of app: ApplicationID) -> ServiceSession? {
        sessions.filter { $0.value.app == app && $0.value.extendsPushes }
            .keys.max { $0.rawValue < $1.rawValue }
    }

    private func runningPrograms(of app: ApplicationID) -> Int {
        flights.values.count { flight in
            guard case .extending(let work) = flight.stage else { return false }
            return work.session == nil && flight.claimed.app == app
        }
    }

    /// Whether the answer to this token is awaited: only the first one is.
    ///
    /// From here on nothing hurries it: its files are copied.
    mutating func extensionAnswered(_ token: ExtensionToken, of app: ApplicationID) -> Bool {
        guard let flight = flights[token.rawValue], flight.claimed.app == app, flight.isExtending
        else { return false }
        flights[token.rawValue]?.stage = .revising
        return true
    }

    /// What will be shown is known: the changed row, or nil for the original.
    mutating func extended(
        _ token: ExtensionToken, to claimed: ClaimedRequest?
    ) -> [EngineEffect] {
        guard let flight = flights[token.rawValue], flight.stage == .revising else { return [] }
        return [.revise(token, claimed ?? flight.claimed)]
    }

    /// It is stored, unless its row was removed or replaced meanwhile.
    mutating func revised(
        _ token: ExtensionToken, _ claimed: ClaimedRequest, isThere: Bool, now: ClockReading
    ) -> [EngineEffect] {
        guard flights[token.rawValue]?.stage == .revising else { return [] }
        flights[token.rawValue]?.claimed = claimed
        flights[token.rawValue]?.notification.request = claimed.request
        lookAgain()
        guard isThere, !isStopping else { return settle(token.rawValue, .returned) }
        return show([token.rawValue], now: now) + pump(now: now)
    }

    /// The time of some extensions is over: first they hear of it, then the original is shown.
    mutating func extensionsRanOut(now: ClockReading) -> [EngineEffect] {
        let late = flights.filter {
            $0.value.isExtending && ($0.value.deadline ?? .max) <= now.boot
        }
        return late.keys.sorted().flatMap { token -> [EngineEffect] in
            guard case .extending(var work) = flights[token]?.stage else { return [] }
            guard !work.isExpiring else { return giveUp(token, work) }
            work.isExpiring = true
            work.deadline = now.boot + Self.extensionGrace
            flights[token]?.stage = .extending(work)
            return [.expireExtension(work.session, ExtensionToken(rawValue: token))]
        }
    }

    /// The extensions that ran in a session which has ended: their originals are shown.
    mutating func extensionsEnded(with session: ServiceSession) -> [EngineEffect] {
        flights.keys.sorted().flatMap { token -> [EngineEffect] in
            guard case .extending(let work) = flights[token]?.stage, work.session == session
            else { return [] }
            return giveUp(token, work)
        }
    }

    private mutating func giveUp(_ token: UInt64, _ work: Extending) -> [EngineEffect] {
        guard let flight = flights[token] else { return [] }
        flights[token]?.stage = .revising
        let name = ExtensionToken(rawValue: token)
        let ended: [EngineEffect] = work.session == nil ? [.endExtension(name)] : []
        return ended + [.revise(name, flight.claimed)]
    }

    /// Takes back what extensions work on: the row is gone, or the engine stops.
    mutating func withdrawExtensions(
        where isMeant: (Flight) -> Bool
    ) -> [EngineEffect] {
        let meant = flights.filter {
            ($0.value.isExtending || $0.value.stage == .queued) && isMeant($0.value)
        }
        return meant.sorted { $0.key < $1.key }.flatMap { token, flight -> [EngineEffect] in
            var effects: [EngineEffect] = []
            if case .extending(let work) = flight.stage, work.session == nil {
                effects.append(.endExtension(ExtensionToken(rawValue: token)))
            }
            return effects + settle(token, .returned)
        }
    }

    /// Begins with what waited for a program of its app to end.
    mutating func startQueued(now: ClockReading) -> [EngineEffect] {
        let queued = flights.filter { $0.value.stage == .queued }
        return queued.sorted { $0.key < $1.key }.flatMap { token, flight -> [EngineEffect] in
            let app = flight.claimed.app
            let session = extendingSession(of: app)
            guard session != nil || runningPrograms(of: app) < Self.programLimit else { return [] }
            return beginExtension(token, in: session, now: now)
        }
    }
}
