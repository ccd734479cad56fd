import NotificationModel
internal import NotificationStore

/// From claimed to asked: a pushed notification that its app may change first.
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

    /// Gives a row to its app's extension, or has it wait while enough of them run.
    mutating func extend(_ token: UInt64, now: ClockReading) -> [EngineEffect] {
        guard let app = deliveries[token]?.app else { return [] }
        let session = extendingSession(of: app)
        guard session != nil || runningPrograms(of: app) < Self.programLimit else {
            queue.change(token) { $0.stage = .queued }
            return []
        }
        return beginExtension(token, in: session, now: now)
    }

    private mutating func beginExtension(
        _ token: UInt64, in session: ServiceSession?, now: ClockReading
    ) -> [EngineEffect] {
        guard let delivery = deliveries[token] else { return [] }
        queue.change(token) {
            $0.stage = .extending(
                Delivery.Extending(session: session, deadline: now.boot + Self.extensionTimeout))
        }
        return [
            .extend(
                session, ExtensionToken(rawValue: token), delivery.notification.request,
                delivery.app)
        ]
    }

    /// The newest session of an app that has a service extension.
    private func extendingSession(of app: ApplicationID) -> ServiceSession? {
        sessions.filter { $0.value.app == app && $0.value.extendsPushes }
            .keys.max { $0.rawValue < $1.rawValue }
    }

    private func runningPrograms(of app: ApplicationID) -> Int {
        deliveries.values.count { delivery in
            guard case .extending(let work) = delivery.stage else { return false }
            return work.session == nil && delivery.app == app
        }
    }

    /// Whether the answer to this token is awaited: only the first one is.
    ///
    /// From here on nothing hurries it: its files are copied.
    mutating func extensionAnswered(_ token: ExtensionToken, of app: ApplicationID) -> Bool {
        guard let delivery = deliveries[token.rawValue], delivery.app == app, delivery.isExtending
        else { return false }
        queue.change(token.rawValue) { $0.stage = .revising }
        return true
    }

    /// What will be shown is known: the changed row, or nil for the original.
    mutating func extended(
        _ token: ExtensionToken, to claimed: ClaimedRequest?
    ) -> [EngineEffect] {
        guard let delivery = deliveries[token.rawValue], delivery.stage == .revising else {
            return []
        }
        return [.revise(token, claimed ?? delivery.claimed)]
    }

    /// It is stored, unless its row was removed or replaced meanwhile.
    mutating func revised(
        _ token: ExtensionToken, _ claimed: ClaimedRequest, isThere: Bool, now: ClockReading
    ) -> [EngineEffect] {
        guard deliveries[token.rawValue]?.stage == .revising else { return [] }
        queue.change(token.rawValue) {
            $0.claimed = claimed
            $0.notification.request = claimed.request
        }
        invalidateClaim()
        guard isThere, !isStopping else { return settle(token.rawValue, .returned) }
        return show([token.rawValue], now: now) + advance(now: now)
    }

    /// The time of some extensions is over: first they hear of it, then the original is shown.
    mutating func extensionsRanOut(now: ClockReading) -> [EngineEffect] {
        let late = deliveries.filter {
            $0.value.isExtending && ($0.value.deadline ?? .max) <= now.boot
        }
        return late.keys.sorted().flatMap { token -> [EngineEffect] in
            guard case .extending(var work) = deliveries[token]?.stage else { return [] }
            guard !work.isExpiring else { return giveUp(token, work) }
            work.isExpiring = true
            work.deadline = now.boot + Self.extensionGrace
            queue.change(token) { $0.stage = .extending(work) }
            return [.expireExtension(work.session, ExtensionToken(rawValue: token))]
        }
    }

    /// The extensions that ran in a session which has ended: their originals are shown.
    mutating func extensionsEnded(with session: ServiceSession) -> [EngineEffect] {
        deliveries.keys.sorted().flatMap { token -> [EngineEffect] in
            guard case .extending(let work) = deliveries[token]?.stage, work.session == session
            else { return [] }
            return giveUp(token, work)
        }
    }

    private mutating func giveUp(
        _ token: UInt64, _ work: Delivery.Extending
    ) -> [EngineEffect] {
        guard let delivery = deliveries[token] else { return [] }
        queue.change(token) { $0.stage = .revising }
        let name = ExtensionToken(rawValue: token)
        let ended: [EngineEffect] = work.session == nil ? [.endExtension(name)] : []
        return ended + [.revise(name, delivery.claimed)]
    }

    /// Begins with what waited for a program of its app to end.
    mutating func startQueued(now: ClockReading) -> [EngineEffect] {
        let queued = deliveries.filter { $0.value.stage == .queued }
        return queued.keys.sorted().flatMap { extend($0, now: now) }
    }
}
