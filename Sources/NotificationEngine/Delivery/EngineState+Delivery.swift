import NotificationModel
internal import NotificationStore

/// Delivers due requests: claims their rows (marks the rows as presenting in the store), asks their
/// apps, posts the notifications, and stores the outcomes.
extension EngineState {
    // MARK: Due requests

    /// Takes the new head of the schedule (its earliest due times); the next `advance` uses the
    /// head.
    mutating func updateHead(_ head: ScheduleHead) {
        // The commit of a claim reports a head, too. If the claim found nothing, that head is
        // unchanged, and must not count as a change that the claim missed.
        if head != self.head || head.changes != self.head.changes { hasChanged = isClaiming }
        self.head = head
        isStalled = false
    }

    mutating func clockRang(now: ClockReading) -> [EngineEffect] {
        invalidateClaim()
        var retried: [EngineEffect] = []
        if let retryAt, retryAt <= now.boot {
            self.retryAt = nil
            swap(&retried, &failed)
        }
        let late = tokens { $0.asked != nil && ($0.deadline ?? .max) <= now.monotonic }
        return retried + permissions { $0.timeOut(now: now) } + extensionsRanOut(now: now)
            + launchesDue(now: now) + regionsDue(now: now) + changes.dueChanges(boot: now.boot)
            + listUnanswered(late) + queue.endPauses(now: now)
            + earlyRowsDue(now: now) + advance(now: now)
    }

    /// Puts notifications into the list without a popup, because their app did not answer in time.
    private mutating func listUnanswered(_ tokens: [UInt64]) -> [EngineEffect] {
        guard !tokens.isEmpty else { return [] }
        let keys = tokens.compactMap { deliveries[$0]?.key }
        return [.reportSilence(keys)] + present(tokens, options: [.list, .badge])
    }

    /// Claims due rows if there is room, and sets the alarms for later rows.
    mutating func advance(now: ClockReading) -> [EngineEffect] {
        guard !isStopping else { return [] }
        noteClock(now: now)
        var effects = tokens { $0.stage == .queued }.flatMap { extend($0, now: now) }
        let room = queue.room + marking.count - reserved
        if isPresenterAvailable, !isClaiming, !isStalled, retryAt == nil, isWorthwhile(room),
            isClaimable(now: now)
        {
            isClaiming = true
            effects.append(.claim(limit: room, excluding: localizing.union(queue.blockedApps)))
        }
        effects += restoreNext(now: now)
        effects.append(.arm(alarms(now: now)))
        return effects
    }

    /// Notes rows that the store marks as delivered with its next change.
    ///
    /// A claim is such a change: it marks these rows before it claims new rows. So these rows take
    /// no room from the claim.
    mutating func marksHanded(_ tokens: [UInt64], now: ClockReading) -> [EngineEffect] {
        marking.formUnion(tokens)
        return advance(now: now)
    }

    /// Whether a claim of at most `room` rows is worth a commit.
    ///
    /// A claim of few rows waits while the outcomes of other rows are being stored.
    private func isWorthwhile(_ room: Int) -> Bool {
        room >= DeliveryQueue.window / 2
            || room > 0 && !deliveries.values.contains { $0.stage == .settling }
    }

    /// Notes a change that a running claim may have missed.
    mutating func invalidateClaim() {
        isStalled = false
        hasChanged = isClaiming
    }

    /// The alarms for the next row and the next deadline.
    ///
    /// A row that is already due gets no alarm, because its alarm would fire again and again. The
    /// engine claims such a row at the next event. If the last claim found no row although a row is
    /// due, the engine claims again after `recheckInterval`.
    func alarms(now: ClockReading) -> ClockAlarms {
        var alarms = ClockAlarms()
        if isPresenterAvailable {
            let soon = now.adding(microseconds: Self.claimLead)
            alarms.wall = head.wall.flatMap {
                $0 > soon.wall ? $0.adding(microseconds: -Self.claimLead) : nil
            }
            alarms.boot = head.boot.flatMap { $0 > soon.boot ? $0 - Self.claimLead : nil }
        }
        let early = deliveries.values.filter { $0.stage == .early }.map(\.claimed.due)
        let walls = early.filter { $0.boot == nil }.map(\.wall)
        alarms.wall = ([alarms.wall].compactMap(\.self) + walls).min()
        // These deadlines are times of CLOCK_MONOTONIC. If the machine is suspended before such an
        // alarm, the alarm is early, and is set again.
        let awakeDeadlines: [Int64] =
            deliveries.values.compactMap(\.deadline)
            + asking.keys.compactMap { self[$0.app][$0.subject].question?.alarm }
            + [launches.deadline].compactMap(\.self)
        var others =
            awakeDeadlines.map { $0 + now.suspended }
            + [retryAt, queue.deadline, changes.deadline, geofences.deadline].compactMap(\.self)
        others += early.compactMap(\.boot)
        if isStalled, isClaimable(now: now) { others.append(now.boot + Self.recheckInterval) }
        if let earliest = others.min() { alarms.boot = min(alarms.boot ?? .max, earliest) }
        return alarms
    }

    /// Notes that the store failed, perhaps because the disk is full, and sets the time of the
    /// retry.
    mutating func storeFailed(_ effect: EngineEffect, now: ClockReading) -> [EngineEffect] {
        if case .settle(let token, _) = effect { marking.remove(token) }
        guard !isStopping else { return abandon(effect) }
        if case .claim = effect { isClaiming = false } else { failed.append(effect) }
        retryAt = retryAt ?? now.boot + Self.retryInterval
        return advance(now: now)
    }

    /// Gives up a change that the store refused while the engine was stopping.
    ///
    /// The next start of the engine repeats the work. Without this method, `CenterEngine.stop`
    /// would wait for the work in vain.
    private mutating func abandon(_ effect: EngineEffect) -> [EngineEffect] {
        switch effect {
        case .claim: isClaiming = false
        case .settle(let token, _): _ = queue.takeDeliveries([token])
        case .revise(let token, _): _ = queue.takeDeliveries([token.rawValue])
        case .record(let key, _): return eventRecorded(key)
        default: break
        }
        return []
    }

    // MARK: The server

    mutating func presenterBecameAvailable(now: ClockReading) -> [EngineEffect] {
        isPresenterAvailable = true
        invalidateClaim()
        return advance(now: now)
    }

    mutating func presenterBecameReady(isCareful: Bool, now: ClockReading) -> [EngineEffect] {
        invalidateClaim()
        return queue.serverReady(isCareful: isCareful) + advance(now: now)
    }

    mutating func presenterBecameUnavailable(now: ClockReading) -> [EngineEffect] {
        isPresenterAvailable = false
        isServerRunning = false
        let lost = loseRestorations() + [.restoring(.lose(nil))]
        for (token, delivery) in deliveries where delivery.stage == .settling {
            queue.change(token) { $0.isLost = true }
        }
        let unsent = queue.serverGone() + tokens { $0.stage == .early }
        return lost + permissions { $0.loseServer() }
            + unsent.flatMap { settle($0, .requeued) } + advance(now: now)
    }

    /// Resumes posts, because one of our popups left the screen and the server may have room now.
    mutating func roomMade(now: ClockReading) -> [EngineEffect] {
        invalidateClaim()
        return queue.roomMade() + advance(now: now)
    }

    // MARK: Claimed rows

    mutating func rowsClaimed(_ rows: [ClaimedRequest], now: ClockReading) -> [EngineEffect] {
        isClaiming = false
        isStalled = rows.isEmpty && !hasChanged
        hasChanged = false
        return beginDelivery(rows, now: now)
    }

    /// Begins to deliver rows; an early row waits for its due time.
    ///
    /// If one row of an app has to be localized, all rows of that app wait until the texts are
    /// read. So the app's rows keep their order, and other apps do not wait for its files.
    mutating func beginDelivery(_ rows: [ClaimedRequest], now: ClockReading) -> [EngineEffect] {
        let due = rows.filter { $0.due.remaining(now) <= 0 && !localizing.contains($0.app) }
        let apps = Set(due.filter(\.needsLocalization).map(\.app))
        let waiting = localizing.union(apps)
        var effects: [EngineEffect] = []
        var ready: [UInt64] = []
        for claimed in rows {
            let token = nextNumber()
            let isEarly = claimed.due.remaining(now) > 0
            queue.beginDelivery(
                Delivery(
                    claimed: claimed, date: now.wall, stage: isEarly ? .early : .localizing),
                token: token)
            if isStopping || removedRows.contains(claimed.row) || isEarly && !isPresenterAvailable {
                effects += settle(token, .requeued)
            } else if !isEarly, !waiting.contains(claimed.app) {
                ready.append(token)
            }
        }
        if !isStopping {
            localizing = waiting
            effects += apps.sorted { $0.rawValue < $1.rawValue }.map { app in
                .localize(app, due.filter { $0.app == app })
            }
        }
        if !isClaiming, reserved == 0 { removedRows = [] }
        return effects + start(ready, now: now)
    }

    /// Continues with these rows, whose texts are now localized or stay as they are.
    ///
    /// The app's rows that became due during the localization begin after these rows.
    mutating func rowsLocalized(
        _ rows: [ClaimedRequest], of app: ApplicationID, now: ClockReading
    ) -> [EngineEffect] {
        localizing.remove(app)
        invalidateClaim()
        let localized = Dictionary(rows.map { ($0.row, $0) }) { $1 }
        let ready = tokens { $0.stage == .localizing && localized[$0.claimed.row] != nil }
        for token in ready {
            queue.change(token) { $0.claimed = localized[$0.claimed.row] ?? $0.claimed }
        }
        let effects = start(ready, now: now)
        let later = queue.takeDeliveries(tokens { $0.stage == .localizing && $0.app == app })
        return effects + beginDelivery(later.map(\.claimed), now: now)
    }

    private mutating func start(_ tokens: [UInt64], now: ClockReading) -> [EngineEffect] {
        var effects: [EngineEffect] = []
        var others: [UInt64] = []
        var summaries: [UInt64] = []
        for token in tokens {
            guard let claimed = deliveries[token]?.claimed else { continue }
            if isStopping {
                effects += settle(token, .requeued)
            } else if let denied = settleIfDenied(token, claimed.app) {
                effects += denied
            } else if claimed.isSummary {
                summaries.append(token)
            } else if let late = settleIfLate(token, claimed, now: now) {
                effects += late
            } else if claimed.isMutable, showsAlerts(of: claimed.app) {
                effects += extend(token, now: now)
            } else {
                others.append(token)
            }
        }
        return effects + showDeliveries(others, now: now) + showSummaries(summaries)
            + advance(now: now)
    }

    /// Asks the apps that want to be asked, and shows the other rows.
    mutating func showDeliveries(_ tokens: [UInt64], now: ClockReading) -> [EngineEffect] {
        var effects: [EngineEffect] = []
        var straight: [UInt64] = []
        for token in tokens {
            guard let delivery = deliveries[token] else { continue }
            if let asked = responses.asked(by: delivery.app) {
                queue.change(token) {
                    $0.stage = .asking(asked, deadline: now.monotonic + Self.askTimeout)
                }
                let name = PresentationToken(rawValue: token)
                effects.append(.send(asked, .willPresent(name, delivery.notification)))
            } else {
                straight.append(token)
            }
        }
        return effects + present(straight, options: .all)
    }

    mutating func appDecided(
        _ token: PresentationToken, with options: PresentationOptions
    ) -> [EngineEffect] {
        guard let delivery = deliveries[token.rawValue], delivery.asked != nil else { return [] }
        invalidateClaim()
        if let denied = settleIfDenied(token.rawValue, delivery.app) { return denied }
        let content = delivery.claimed.request.content
        let isHeard = options.isSoundAlone && content.isAudible
        guard !isHeard, options.isDisjoint(with: [.banner, .list, .alert]) else {
            return present([token.rawValue], options: options)
        }
        return badge(of: delivery.claimed, options: options)
            + settle(token.rawValue, content.hasText ? .suppressed : .withoutPopup)
    }

    // MARK: Posts

    mutating func outcome(
        of token: UInt64, _ outcome: PresentationOutcome, now: ClockReading
    ) -> [EngineEffect] {
        if case .later(let delay) = outcome, isWanted(token),
            let next = queue.postDelayed(token, by: delay, now: now)
        {
            return next + advance(now: now)
        }
        let next = queue.postEnded(token)
        if let effects = permission(asking: token, { $0.popupEnded(outcome) }) {
            return effects + next + advance(now: now)
        }
        if restorations.outcome(of: token, outcome) {
            return placeRestored() + next + advance(now: now)
        }
        guard let delivery = deliveries[token], delivery.stage == .posted else {
            return next
        }
        return attemptEnded(token, delivery, outcome, now: now) + next
    }

    private mutating func attemptEnded(
        _ token: UInt64, _ delivery: Delivery, _ outcome: PresentationOutcome, now: ClockReading
    ) -> [EngineEffect] {
        switch outcome {
        case .presented(let popup):
            queue.change(token) {
                $0.isHidden = popup.isHidden
                $0.isShown = true
            }
            return delivery.badge + settle(token, .delivered(popup))
        case .unanswered, .deliveredSilently:
            queue.change(token) { $0.isShown = true }
            return delivery.badge + settle(token, .delivered(nil))
        case .withoutPopup:
            // A request without a text also removes the former notification of its identifier. If
            // the app wants only the sound of a request with a text, the former notification stays.
            let hasText = delivery.claimed.request.content.hasText
            let isSuppressed = delivery.isForSoundOnly && hasText
            return delivery.badge + settle(token, isSuppressed ? .suppressed : .withoutPopup)
        case .interrupted, .later: return settle(token, .requeued)
        case .unavailable:
            // The delay prevents a loop of posts while the server still counts as available.
            if isPresenterAvailable { retryAt = retryAt ?? now.boot + Self.retryInterval }
            return settle(token, .requeued)
        case .refused(let reason):
            // A removed request that was not shown leaves no record.
            return settle(
                token, delivery.isRemoved || isStopping ? .requeued : .failed(.refused, reason))
        }
    }

    /// Whether a postponed post still belongs to a delivery, a restoration or a question.
    private func isWanted(_ token: UInt64) -> Bool {
        guard !isStopping else { return false }
        return deliveries[token] != nil || restorations.current?.token == token
            || asking.values.contains(token)
    }

    mutating func rowsSettled(_ tokens: [UInt64], now: ClockReading) -> [EngineEffect] {
        marking.subtract(tokens)
        let (finished, next) = queue.finish(tokens)
        for delivery in finished where delivery.isShown { recent.insert(delivery.notification) }
        let events = finished.flatMap { delivery in
            delivery.events.flatMap { record(delivery.key, $0) }
        }
        let removed: [EngineEffect] = finished.filter { $0.isRemovedOnceStored && $0.isShown }
            .map { .removePosted($0.notification) }
        let lost = finished.filter(\.isLost).map(\.key)
        // The session may have been unlocked while these deliveries were on their way.
        let hidden = finished.contains(where: \.isHidden) ? findHidden() : []
        let followUps = events + removed + hidden
        return (lost.isEmpty ? [] : [.restoring(.lose(lost))]) + followUps + next
            + advance(now: now)
    }

    /// Fails a delivery whose app may not notify; nil if the app may notify.
    mutating func settleIfDenied(_ token: UInt64, _ app: ApplicationID) -> [EngineEffect]? {
        self[app].permission.denial(isEmbedded: isEmbedded).map {
            settle(token, .failed(.denied, $0))
        }
    }

    mutating func settle(_ token: UInt64, _ outcome: Settlement.Outcome) -> [EngineEffect] {
        guard let delivery = deliveries[token] else { return [] }
        let isDeferred = recording[delivery.key] != nil && outcome != .requeued
        queue.change(token) {
            $0.stage = .settling
            $0.deferredOutcome = isDeferred ? outcome : nil
        }
        guard !isDeferred else { return [] }
        let settlement = Settlement(
            claimed: delivery.claimed, outcome: outcome, date: delivery.date)
        let effect = EngineEffect.settle(token: token, settlement)
        guard !isRefused(delivery.key) else {
            failed.append(effect)
            return []
        }
        return [effect]
    }

    /// Whether the store refused an earlier settlement of this notification.
    ///
    /// Later settlements of the notification wait for the retry.
    private func isRefused(_ key: NotificationKey) -> Bool {
        failed.contains { effect in
            guard case .settle(_, let settlement) = effect else { return false }
            return settlement.claimed.key == key
        }
    }
}
