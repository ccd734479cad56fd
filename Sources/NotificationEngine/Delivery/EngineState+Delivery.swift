import NotificationModel
internal import NotificationStore

/// From due to delivered: claiming, asking, presenting, settling.
extension EngineState {
    mutating func scheduleChanged(_ head: ScheduleHead, now: ClockReading) -> [EngineEffect] {
        note(head)
        return pump(now: now)
    }

    /// Takes what is due next to be this; what that means is seen at the next look.
    mutating func note(_ head: ScheduleHead) {
        // The commit of a claim reports, too; one that found nothing has changed nothing.
        if head != self.head || head.changes != self.head.changes { hasChanged = isClaiming }
        self.head = head
        isStalled = false
    }

    mutating func clockRang(now: ClockReading) -> [EngineEffect] {
        lookAgain()
        var retried: [EngineEffect] = []
        if let retryAt, retryAt <= now.boot {
            self.retryAt = nil
            swap(&retried, &failed)
        }
        let late = flights.filter { $0.value.isAsking && ($0.value.deadline ?? .max) <= now.boot }
        return retried + permissions { $0.timeOut(now: now) } + extensionsRanOut(now: now)
            + launchesDue(now: now) + changes.due(boot: now.boot)
            + listUnanswered(late.keys.sorted()) + pump(now: now)
    }

    /// Shows nothing of what an app was asked about in vain: it goes into the list.
    private mutating func listUnanswered(_ tokens: [UInt64]) -> [EngineEffect] {
        guard !tokens.isEmpty else { return [] }
        let keys = tokens.compactMap { flights[$0]?.claimed.key }
        return [.reportSilence(keys)] + present(tokens, options: [.list, .badge])
    }

    mutating func presenterBecameAvailable(now: ClockReading) -> [EngineEffect] {
        isPresenterAvailable = true
        lookAgain()
        return pump(now: now)
    }

    mutating func presenterBecameUnavailable(now: ClockReading) -> [EngineEffect] {
        isPresenterAvailable = false
        isServerRunning = false
        waitingApps = []
        restorations.loseServer()
        for (token, flight) in flights where flight.stage == .settling {
            flights[token]?.isLost = true
        }
        return [.losePopups(nil)] + permissions { $0.loseServer() } + pump(now: now)
    }

    mutating func backoffChanged(
        _ app: ApplicationID, isWaiting: Bool, now: ClockReading
    ) -> [EngineEffect] {
        if isWaiting {
            waitingApps.insert(app)
        } else {
            waitingApps.remove(app)
            lookAgain()
        }
        return pump(now: now)
    }

    /// The store could not do this; the disk may be full.
    mutating func storeFailed(_ effect: EngineEffect, now: ClockReading) -> [EngineEffect] {
        if case .claim = effect {
            isClaiming = false
        } else {
            failed.append(effect)
        }
        retryAt = retryAt ?? now.boot + Self.retryInterval
        return pump(now: now)
    }

    mutating func claimed(_ rows: [ClaimedRequest], now: ClockReading) -> [EngineEffect] {
        isClaiming = false
        isStalled = rows.isEmpty && !hasChanged
        hasChanged = false
        let (ready, effects) = holdForLocalization(rows)
        return effects + begin(ready, now: now)
    }

    /// Sends rows on their way whose texts are known.
    private mutating func begin(
        _ rows: [ClaimedRequest], now: ClockReading
    ) -> [EngineEffect] {
        guard !isStopping else { return giveBack(rows, now: now) }
        var effects: [EngineEffect] = []
        var others: [UInt64] = []
        var summaries: [UInt64] = []
        for claimed in rows {
            if removedRows.contains(claimed.row) {
                effects += settle(takeOff(claimed, now: now, stage: .settling), .returned)
            } else if let denial = self[claimed.app].permission.denial {
                let token = takeOff(claimed, now: now, stage: .settling)
                effects += settle(token, .failed(.denied, denial))
            } else if let outcome = lateOutcome(of: claimed, now: now) {
                effects += settleLate(takeOff(claimed, now: now, stage: .settling), outcome)
            } else if claimed.isSummary {
                summaries.append(takeOff(claimed, now: now, stage: .presenting))
            } else if claimed.isMutable, showsAlerts(of: claimed.app) {
                effects += extend(claimed, now: now)
            } else {
                others.append(takeOff(claimed, now: now, stage: .presenting))
            }
        }
        if !isClaiming, localizing.isEmpty { removedRows = [] }
        return effects + show(others, now: now) + showSummaries(summaries) + pump(now: now)
    }

    /// Keeps back the rows of each app of which one has to be localized: an app's order is kept, and
    /// no other app waits for its files.
    private mutating func holdForLocalization(
        _ rows: [ClaimedRequest]
    ) -> (ready: [ClaimedRequest], effects: [EngineEffect]) {
        let apps = Set(rows.filter(\.needsLocalization).map(\.app))
        guard !apps.isEmpty, !isStopping else { return (rows, []) }
        localizing.formUnion(apps)
        let effects = apps.sorted { $0.rawValue < $1.rawValue }.map { app in
            EngineEffect.localize(app, rows.filter { $0.app == app })
        }
        return (rows.filter { !apps.contains($0.app) }, effects)
    }

    /// The texts of an app's rows are known, or stay as they are.
    mutating func localized(
        _ rows: [ClaimedRequest], of app: ApplicationID, now: ClockReading
    ) -> [EngineEffect] {
        localizing.remove(app)
        lookAgain()
        return begin(rows, now: now)
    }

    /// Asks the apps that want to be asked, and shows the rest.
    mutating func show(_ tokens: [UInt64], now: ClockReading) -> [EngineEffect] {
        var effects: [EngineEffect] = []
        var straight: [UInt64] = []
        for token in tokens {
            guard let flight = flights[token] else { continue }
            if let asked = session(of: flight.claimed.app, asking: true) {
                flights[token]?.stage = .asking(asked, deadline: now.boot + Self.askTimeout)
                effects.append(
                    .ask(asked, PresentationToken(rawValue: token), flight.notification))
            } else {
                straight.append(token)
            }
        }
        return effects + present(straight, options: .all)
    }

    mutating func answered(
        _ token: PresentationToken, with options: PresentationOptions
    ) -> [EngineEffect] {
        guard flights[token.rawValue]?.isAsking == true else { return [] }
        lookAgain()
        guard !options.isDisjoint(with: [.banner, .list, .alert]) else {
            setBadge(of: token.rawValue, options: options)
            let hasText = flights[token.rawValue]?.notification.request.content.hasText ?? true
            return badge(of: token.rawValue)
                + settle(token.rawValue, hasText ? .suppressed : .withoutPopup)
        }
        return present([token.rawValue], options: options)
    }

    mutating func outcome(
        of token: UInt64, _ outcome: PresentationOutcome, now: ClockReading
    ) -> [EngineEffect] {
        let other =
            permission(asking: token) { $0.popupEnded(outcome) }
            ?? restorations.outcome(of: token, outcome)
        if let other { return other + pump(now: now) }
        guard let flight = flights[token], flight.stage == .presenting else { return [] }
        switch outcome {
        case .presented(let popup):
            flights[token]?.isHidden = popup.isHidden
            flights[token]?.isShown = true
            return badge(of: token) + settle(token, .delivered(popup))
        case .unanswered, .listed:
            flights[token]?.isShown = true
            return badge(of: token) + settle(token, .delivered(nil))
        case .withoutPopup: return badge(of: token) + settle(token, .withoutPopup)
        case .interrupted: return settle(token, .returned)
        case .unavailable:
            // While there is a server this must not turn into a loop.
            if isPresenterAvailable { retryAt = retryAt ?? now.boot + Self.retryInterval }
            return settle(token, .returned)
        case .refused(let reason):
            // What was removed and not shown has nothing to be told of, and what a stop takes back
            // is shown at the next start.
            let isTakenBack = flight.isRemoved || isStopping
            return settle(token, isTakenBack ? .returned : .failed(.refused, reason))
        }
    }

    mutating func settled(_ tokens: [UInt64], now: ClockReading) -> [EngineEffect] {
        let landed = tokens.compactMap { flights.removeValue(forKey: $0) }
        let events = landed.flatMap { flight in
            flight.events.flatMap { record(flight.claimed.key, $0) }
        }
        let lost = landed.filter(\.isLost).map(\.claimed.key)
        // The session was unlocked while they were on their way.
        let hidden = landed.contains(where: \.isHidden) ? findHidden() : []
        return (lost.isEmpty ? [] : [.losePopups(lost)]) + events + hidden + pump(now: now)
    }

    /// These rows were removed or replaced on their way: what the server was not asked for yet is
    /// not shown.
    mutating func withdrawn(_ rows: [Int64]) -> [EngineEffect] {
        guard !rows.isEmpty else { return [] }
        let rows = Set(rows)
        if isClaiming || !localizing.isEmpty { removedRows.formUnion(rows) }
        for (token, flight) in flights where rows.contains(flight.claimed.row) {
            flights[token]?.isRemoved = true
        }
        let asked = flights.filter { $0.value.isAsking && rows.contains($0.value.claimed.row) }
        return asked.keys.sorted().flatMap { settle($0, .returned) }
            + withdrawPictures { rows.contains($0.claimed.row) }
            + withdrawExtensions { rows.contains($0.claimed.row) }
    }

    /// Takes out what was removed before the presenter had it, and says of the rest what is hidden.
    mutating func presentable(
        _ presentations: [Presentation]
    ) -> (ready: [Presentation], effects: [EngineEffect]) {
        let removed = presentations.filter { presentation in
            flights[presentation.token].map { $0.isRemoved || isStopping } ?? false
        }
        return (
            presentations.filter { !removed.contains($0) }.map(previewed),
            removed.flatMap { settle($0.token, .returned) }
        )
    }

    /// Nothing new starts, and what the server was not asked for waits for the next start.
    mutating func stop() -> [EngineEffect] {
        isStopping = true
        restorations.stop()
        let asked = flights.filter(\.value.isAsking).keys.sorted()
        let presented = flights.filter { $0.value.stage == .presenting }.keys.sorted()
        return [.recall(presented)] + permissions { $0.withdraw() }
            + asked.flatMap { settle($0, .returned) }
            + withdrawPictures { _ in true } + withdrawExtensions { _ in true }
            + [.arm(ClockAlarms())]
    }

    /// The rows that the server was asked to show and has not answered.
    var unanswered: [Int64] {
        flights.values.filter { $0.stage == .presenting }.map(\.claimed.row).sorted()
    }

    /// Shows what was held while its app was asked, or never had to be asked.
    mutating func present(_ tokens: [UInt64], options: PresentationOptions) -> [EngineEffect] {
        let presentations = tokens.compactMap { token -> Presentation? in
            guard let notification = flights[token]?.notification else { return nil }
            flights[token]?.stage = .preparing
            if options.isBannerAlone { flights[token]?.claimed.isTransient = true }
            setBadge(of: token, options: options)
            return presentation(of: notification, token: token, options: options)
        }
        return present(presentations)
    }

    /// What the presenter is told of a notification.
    func presentation(
        of notification: DeliveredNotification, token: UInt64, options: PresentationOptions
    ) -> Presentation {
        let app = notification.app
        var notification = notification
        if options.isBannerAlone { notification.request = notification.request.transient }
        var presentation = Presentation(
            token: token, notification: notification, application: self[app].shownIdentity,
            category: category(of: notification),
            options: options.intersection(self[app].permission.options))
        presentation.isForListOnly = options.isDisjoint(with: [.banner, .alert])
        presentation.isAwaited = !waiting(for: notification.key).isEmpty
        presentation.offersSettings =
            self[app].permission.record?.options.contains(.providesAppNotificationSettings) ?? false
        return presentation
    }

    /// Notes the number that the delivery puts on the app's icon.
    mutating func setBadge(of token: UInt64, options: PresentationOptions) {
        guard let flight = flights[token], options.contains(.badge),
            self[flight.claimed.app].permission.options.contains(.badge)
        else { return }
        flights[token]?.badge = flight.notification.request.content.badge
    }

    /// Puts the number on the app's icon, where there is one.
    func badge(of token: UInt64) -> [EngineEffect] {
        guard let flight = flights[token], let count = flight.badge, count >= 0 else { return [] }
        return [.badge(flight.claimed.app, min(count, Int(Int32.max)))]
    }

    mutating func settle(
        _ token: UInt64, _ outcome: Settlement.Outcome
    ) -> [EngineEffect] {
        guard let flight = flights[token] else { return [] }
        flights[token]?.stage = .settling
        guard recording[flight.claimed.key] == nil || outcome == .returned else {
            flights[token]?.heldOutcome = outcome
            return []
        }
        return [.settle(token: token, flight.claimed, outcome, date: flight.notification.date)]
    }

    mutating func takeOff(
        _ claimed: ClaimedRequest, now: ClockReading, stage: Flight.Stage
    ) -> UInt64 {
        let token = nextNumber()
        let notification = DeliveredNotification(
            app: claimed.app, request: claimed.request, date: now.wall)
        flights[token] = Flight(claimed: claimed, notification: notification, stage: stage)
        return token
    }

    private mutating func giveBack(
        _ rows: [ClaimedRequest], now: ClockReading
    ) -> [EngineEffect] {
        rows.flatMap { settle(takeOff($0, now: now, stage: .settling), .returned) }
    }

    /// Claims what is due as far as there is room, and sets the alarms for what is not.
    mutating func pump(now: ClockReading) -> [EngineEffect] {
        guard !isStopping else { return [] }
        look(now: now)
        var effects = startQueued(now: now)
        let blocked = blockedApps()
        // What waits for a server's patience or for its own app does not take the room of others.
        let room =
            Self.flightLimit
            - flights.values.count { !$0.isWithApp && !blocked.contains($0.claimed.app) }
        if isPresenterAvailable, !isClaiming, !isStalled, retryAt == nil, isWorthwhile(room),
            head.isDue(at: now)
        {
            isClaiming = true
            effects.append(.claim(limit: room, excluding: blocked))
        }
        effects += restoreNext(now: now)
        effects.append(.arm(alarms(now: now)))
        return effects
    }

    /// A few rows are not claimed while others are about to land: each claim is a commit.
    private func isWorthwhile(_ room: Int) -> Bool {
        room >= Self.flightLimit / 2
            || room > 0 && !flights.values.contains { $0.stage == .settling }
    }

    /// Something changed, perhaps while a claim is under way that does not know of it.
    mutating func lookAgain() {
        isStalled = false
        hasChanged = isClaiming
    }

    /// The apps that a server makes wait, and those that think about enough already.
    private func blockedApps() -> Set<ApplicationID> {
        let asking = flights.values.lazy.filter(\.isWithApp).map(\.claimed.app)
        let counts = Dictionary(asking.map { ($0, 1) }, uniquingKeysWith: +)
        let full = counts.filter { $0.value >= Self.flightLimit }.keys
        return waitingApps.union(localizing).union(full)
    }

    /// An alarm for a row that is due already would ring at once and for ever: what is due waits
    /// for the event that lets it go on.
    func alarms(now: ClockReading) -> ClockAlarms {
        var alarms = ClockAlarms()
        if isPresenterAvailable {
            alarms.wall = head.wall.flatMap { $0 > now.wall ? $0 : nil }
            alarms.boot = head.boot.flatMap { $0 > now.boot ? $0 : nil }
        }
        var others =
            flights.values.compactMap(\.deadline)
            + asking.keys.compactMap { self[$0].permission.question?.alarm }
        if let retryAt { others.append(retryAt) }
        others += [launches.deadline, changes.deadline].compactMap(\.self)
        if isStalled, head.isDue(at: now) { others.append(now.boot + Self.recheckInterval) }
        if let earliest = others.min() { alarms.boot = min(alarms.boot ?? .max, earliest) }
        return alarms
    }
}

extension PresentationOptions {
    /// Whether a popup is wanted, and no place in a list after it.
    fileprivate var isBannerAlone: Bool {
        contains(.banner) && isDisjoint(with: [.list, .alert])
    }
}
