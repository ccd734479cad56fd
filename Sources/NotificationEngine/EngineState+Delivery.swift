import NotificationModel

/// From due to delivered: claiming, asking, presenting, settling.
extension EngineState {
    mutating func scheduleChanged(_ head: ScheduleHead, now: ClockReading) -> [EngineEffect] {
        self.head = head
        isStalled = false
        return pump(now: now)
    }

    mutating func clockRang(now: ClockReading) -> [EngineEffect] {
        isStalled = false
        if let retryAt, retryAt <= now.boot { self.retryAt = nil }
        let late = flights.filter { _, flight in
            guard case .asking(_, let deadline) = flight.stage else { return false }
            return deadline <= now.boot
        }
        let effects = present(late.keys.sorted(), options: .all)
        return effects + pump(now: now)
    }

    mutating func presenterBecameAvailable(now: ClockReading) -> [EngineEffect] {
        isPresenterAvailable = true
        isStalled = false
        return pump(now: now)
    }

    mutating func presenterBecameUnavailable(now: ClockReading) -> [EngineEffect] {
        isPresenterAvailable = false
        waitingApps = []
        return [.forgetPopups] + pump(now: now)
    }

    mutating func backoffChanged(
        _ app: ApplicationID, isWaiting: Bool, now: ClockReading
    ) -> [EngineEffect] {
        if isWaiting {
            waitingApps.insert(app)
        } else {
            waitingApps.remove(app)
            isStalled = false
        }
        return pump(now: now)
    }

    mutating func claimFailed(now: ClockReading) -> [EngineEffect] {
        isClaiming = false
        retryAt = now.boot + Self.retryInterval
        return pump(now: now)
    }

    mutating func claimed(_ rows: [ClaimedRequest], now: ClockReading) -> [EngineEffect] {
        isClaiming = false
        isStalled = rows.isEmpty
        var effects: [EngineEffect] = []
        var straight: [UInt64] = []
        for claimed in rows {
            let token = nextNumber()
            let notification = DeliveredNotification(
                app: claimed.app, request: claimed.request, date: now.wall)
            let asked = session(of: claimed.app, asking: true)
            flights[token] = Flight(
                claimed: claimed, notification: notification,
                stage: asked.map { .asking($0, deadline: now.boot + Self.askTimeout) }
                    ?? .presenting)
            if let asked {
                effects.append(.ask(asked, PresentationToken(rawValue: token), notification))
            } else {
                straight.append(token)
            }
        }
        return effects + present(straight, options: .all) + pump(now: now)
    }

    mutating func answered(
        _ token: PresentationToken, with options: PresentationOptions
    ) -> [EngineEffect] {
        guard let flight = flights[token.rawValue], case .asking = flight.stage else { return [] }
        guard !options.isDisjoint(with: [.banner, .list, .alert]) else {
            return settle(token.rawValue, .suppressed)
        }
        return present([token.rawValue], options: options)
    }

    mutating func outcome(of token: UInt64, _ outcome: PresentationOutcome) -> [EngineEffect] {
        guard let flight = flights[token], flight.stage == .presenting else { return [] }
        switch outcome {
        case .presented(let popup): return settle(token, .delivered(popup))
        case .unanswered: return settle(token, .delivered(nil))
        case .unavailable, .interrupted: return settle(token, .returned)
        case .refused(let reason): return settle(token, .failed(reason))
        }
    }

    mutating func settled(_ token: UInt64, now: ClockReading) -> [EngineEffect] {
        guard let flight = flights.removeValue(forKey: token) else { return [] }
        return releaseEarlyAnswers(to: flight.claimed.key) + pump(now: now)
    }

    /// Shows what was held while its app was asked, or never had to be asked.
    mutating func present(_ tokens: [UInt64], options: PresentationOptions) -> [EngineEffect] {
        let presentations = tokens.compactMap { token -> Presentation? in
            guard let notification = flights[token]?.notification else { return nil }
            flights[token]?.stage = .presenting
            return Presentation(
                token: token, notification: notification,
                application: identity(of: notification.app),
                category: category(
                    notification.request.content.categoryIdentifier, of: notification.app),
                options: options)
        }
        return presentations.isEmpty ? [] : [.present(presentations)]
    }

    private mutating func settle(
        _ token: UInt64, _ outcome: Settlement.Outcome
    ) -> [EngineEffect] {
        guard let flight = flights[token] else { return [] }
        flights[token]?.stage = .settling
        return [.settle(token: token, flight.claimed, outcome)]
    }

    /// Claims what is due as far as there is room, and sets the alarms for what is not.
    private mutating func pump(now: ClockReading) -> [EngineEffect] {
        var effects: [EngineEffect] = []
        // What waits for a server's patience does not take the room of other apps.
        let room =
            Self.flightLimit - flights.values.count { !waitingApps.contains($0.claimed.app) }
        if isPresenterAvailable, !isClaiming, !isStalled, retryAt == nil, room > 0,
            head.isDue(at: now)
        {
            isClaiming = true
            effects.append(.claim(limit: room, excluding: waitingApps))
        }
        effects.append(.arm(alarms(now: now)))
        return effects
    }

    /// An alarm for a row that is due already would ring at once and for ever: what is due waits
    /// for the event that lets it go on.
    private func alarms(now: ClockReading) -> ClockAlarms {
        var alarms = ClockAlarms()
        if isPresenterAvailable {
            alarms.wall = head.wall.flatMap { $0 > now.wall ? $0 : nil }
            alarms.boot = head.boot.flatMap { $0 > now.boot ? $0 : nil }
        }
        var others: [Int64] = flights.values.compactMap { flight in
            guard case .asking(_, let deadline) = flight.stage else { return nil }
            return deadline
        }
        if let retryAt { others.append(retryAt) }
        if isStalled, !waitingApps.isEmpty { others.append(now.boot + Self.recheckInterval) }
        if let earliest = others.min() { alarms.boot = min(alarms.boot ?? .max, earliest) }
        return alarms
    }
}
