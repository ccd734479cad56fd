import NotificationModel
internal import NotificationStore

/// Lets an app's service extension change a pushed notification before the user sees it.
extension EngineState {
    /// The timeout of a service extension in microseconds, as on Apple's platforms.
    static let extensionTimeout: Int64 = 30_000_000
    /// The time in which an extension may still answer after its timeout, in microseconds.
    static let extensionGrace: Int64 = 2_000_000
    /// The most extension programs of one app that run at a time.
    static let programLimit = 4

    /// Whether the user sees the texts of an app's notifications.
    ///
    /// The result is false for an app that may notify, but not with alerts. No extension of such an
    /// app runs, as on Apple's platforms.
    func showsAlerts(of app: ApplicationID) -> Bool {
        guard let permission = self[app].permission.current else { return true }
        return permission.status != .authorized || permission.options.contains(.alert)
    }

    /// Gives a notification to its app's extension; if too many extensions run, the notification
    /// waits.
    mutating func extend(_ token: UInt64, now: ClockReading) -> [EngineEffect] {
        guard let delivery = deliveries[token] else { return [] }
        let session = responses.newest { $0.app == delivery.app && $0.extendsPushes }
        guard session != nil || runningPrograms(of: delivery.app) < Self.programLimit else {
            queue.change(token) { $0.stage = .queued }
            return []
        }
        queue.change(token) {
            $0.stage = .extending(
                Delivery.Extending(
                    session: session, deadline: now.monotonic + Self.extensionTimeout))
        }
        let (name, request) = (ExtensionToken(rawValue: token), delivery.claimed.request)
        guard let session else { return [.extend(name, request, delivery.app)] }
        return [.send(session, .extend(name, request, of: delivery.app))]
    }

    private func runningPrograms(of app: ApplicationID) -> Int {
        deliveries.values.count { $0.app == app && $0.extending?.isProgram == true }
    }

    /// Accepts the first result for this token; returns false for a later result or another app's
    /// result.
    ///
    /// After the first result the delivery has no deadline, because the result's files are being
    /// copied.
    mutating func extensionAnswered(_ token: ExtensionToken, of app: ApplicationID) -> Bool {
        guard let delivery = deliveries[token.rawValue], delivery.app == app,
            delivery.extending != nil
        else { return false }
        queue.change(token.rawValue) { $0.stage = .revising }
        return true
    }

    /// Stores the notification to show: `claimed`, or the original if `claimed` is nil.
    mutating func contentExtended(
        _ token: ExtensionToken, to claimed: ClaimedRequest?
    ) -> [EngineEffect] {
        guard let delivery = deliveries[token.rawValue], delivery.stage == .revising else {
            return []
        }
        return [.revise(token, claimed ?? delivery.claimed)]
    }

    /// Shows the stored notification, unless it was removed or replaced.
    mutating func rowRevised(
        _ token: ExtensionToken, _ claimed: ClaimedRequest, isThere: Bool, now: ClockReading
    ) -> [EngineEffect] {
        guard let delivery = deliveries[token.rawValue], delivery.stage == .revising else {
            return []
        }
        queue.change(token.rawValue) { $0.claimed = claimed }
        invalidateClaim()
        guard isThere, !delivery.isRemoved, !isStopping else {
            return settle(token.rawValue, .requeued)
        }
        return showDeliveries([token.rawValue], now: now) + advance(now: now)
    }

    /// Warns extensions whose time is over, and shows the originals when the grace period is over.
    mutating func extensionsRanOut(now: ClockReading) -> [EngineEffect] {
        let late = tokens { ($0.extending?.deadline ?? .max) <= now.monotonic }
        return late.flatMap { token -> [EngineEffect] in
            guard var work = deliveries[token]?.extending else { return [] }
            guard !work.isExpiring else { return giveUp(token) }
            work.isExpiring = true
            work.deadline = now.monotonic + Self.extensionGrace
            queue.change(token) { $0.stage = .extending(work) }
            let name = ExtensionToken(rawValue: token)
            guard let session = work.session else { return [.expireExtension(name)] }
            return [.send(session, .extensionWillExpire(name))]
        }
    }

    mutating func extensionsEnded(with session: ServiceSession) -> [EngineEffect] {
        tokens { $0.extending?.session == session }.flatMap { giveUp($0) }
    }

    private mutating func giveUp(_ token: UInt64) -> [EngineEffect] {
        guard let delivery = deliveries[token] else { return [] }
        queue.change(token) { $0.stage = .revising }
        return endProgram(of: delivery, token)
            + [.revise(ExtensionToken(rawValue: token), delivery.claimed)]
    }

    /// Stops the separate program of an extension, if one runs for this delivery.
    func endProgram(of delivery: Delivery, _ token: UInt64) -> [EngineEffect] {
        guard delivery.extending?.isProgram == true else { return [] }
        return [.endExtension(ExtensionToken(rawValue: token))]
    }
}
