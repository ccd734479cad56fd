package import NotificationModel
package import NotificationStore

/// Posts popups again, one at a time and in the order in which they were found.
///
/// A server lost these popups, showed them with hidden texts, or reports no responses to them. The
/// machine owns the waiting restorations and the one that is under way. It restores each row once,
/// and keeps the events of the row's popup until the popup is stored. If the server leaves, the
/// popup is found again for the next server.
struct RestoreMachine: Hashable {
    enum Stage: Hashable {
        case reading
        /// It waits in its app's lane, perhaps because its image is being made.
        case preparing
        case presenting
        case placing
    }

    struct Current: Hashable {
        var restoration: Restoration
        var token: UInt64
        var stage = Stage.reading
        /// The events of its popup from before the popup was stored.
        var events: [PopupEvent] = []
        var isShownHidden = false
    }

    private(set) var waiting: [Restoration] = []
    private(set) var current: Current?

    var isReady: Bool { !waiting.isEmpty && current == nil }

    /// Adds the restorations that neither wait nor are under way.
    mutating func restorationsFound(_ restorations: [Restoration]) {
        let known = Set(waiting.map(\.row) + [current?.restoration.row].compactMap(\.self))
        waiting += restorations.filter { !known.contains($0.row) }
    }

    mutating func startNext(token: UInt64) -> [EngineEffect] {
        guard isReady else { return [] }
        let next = waiting.removeFirst()
        current = Current(restoration: next, token: token)
        return [.readLost(next, token: token)]
    }

    /// Continues after the store read the notification.
    ///
    /// `isComing` is nil if the notification is gone or waits for another server. It is false if
    /// the notification gets no new popup.
    mutating func prepare(isComing: Bool?) -> [EngineEffect] {
        guard let current else { return [] }
        switch isComing {
        case nil: self.current = nil
        case true?: self.current?.stage = .preparing
        case false?: return placePopup(nil, current)
        }
        return []
    }

    mutating func beginPost(_ token: UInt64) {
        if current?.token == token { current?.stage = .presenting }
    }

    /// Notes that the server wants the post later, so that it waits in its app's lane again.
    mutating func postDelayed(_ token: UInt64) {
        if current?.token == token { current?.stage = .preparing }
    }

    /// Takes the outcome of the popup.
    ///
    /// Returns nil if the token does not belong to the restoration under way.
    mutating func outcome(of token: UInt64, _ outcome: PresentationOutcome) -> [EngineEffect]? {
        guard let current, current.token == token else { return nil }
        guard current.stage == .presenting else { return [] }
        switch outcome {
        case .unavailable, .interrupted, .later:
            self.current = nil
            return []
        case .presented(let popup):
            self.current?.isShownHidden = popup.isHidden
            return placePopup(popup, current)
        case .unanswered, .deliveredSilently, .withoutPopup, .refused:
            return placePopup(nil, current)
        }
    }

    private mutating func placePopup(_ popup: PresentedPopup?, _ one: Current) -> [EngineEffect] {
        current?.stage = .placing
        return [.place(popup, one.restoration, token: one.token)]
    }

    /// Keeps an event of the popup that is being restored; returns false for another popup.
    mutating func deferEvent(_ event: PopupEvent, of key: NotificationKey) -> Bool {
        guard let current, current.restoration.key == key,
            current.stage == .presenting || current.stage == .placing
        else { return false }
        self.current?.events.append(event)
        return true
    }

    /// Ends the restoration whose popup is stored, and returns it with its events.
    mutating func popupPlaced(token: UInt64) -> Current? {
        guard current?.token == token else { return nil }
        defer { current = nil }
        return current
    }

    /// Drops the restorations, because the server left; they are found again for the next server.
    mutating func loseServer() {
        waiting = []
        if current?.stage != .placing { current = nil }
    }

    /// Drops a restoration that waits in its app's lane, and returns its token.
    ///
    /// The next start of the engine restores its popup.
    mutating func stop() -> UInt64? {
        guard let dropped = current, dropped.stage == .preparing else { return nil }
        current = nil
        return dropped.token
    }
}

extension EngineState {
    /// Finds popups to restore on a server that was identified.
    mutating func presenterIdentified(isPersistent: Bool, isSilent: Bool = false) -> [EngineEffect]
    {
        isPresenterPersistent = isPersistent
        isServerRunning = !isSilent
        return isStopping ? [] : [.restoring(.find(isPersistent: isPersistent))] + findHidden()
    }

    /// Adds restorations, and closes popups that must not stay on the screen.
    mutating func lostFound(
        _ found: [Restoration], removing keys: [NotificationKey], now: ClockReading
    ) -> [EngineEffect] {
        restorations.restorationsFound(found)
        return (keys.isEmpty ? [] : [.closePopups(keys)]) + advance(now: now)
    }

    /// Begins the next restoration if no request is due and no delivery is under way.
    mutating func restoreNext(now: ClockReading) -> [EngineEffect] {
        guard restorations.isReady, isPresenterAvailable, deliveries.isEmpty, !isClaiming,
            !head.isDue(at: now)
        else { return [] }
        return restorations.startNext(token: nextNumber())
    }

    /// Posts the notification that was read.
    ///
    /// If the notification is gone, `notification` is nil, and nothing is posted.
    mutating func restorationRead(
        _ notification: DeliveredNotification?, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let current = restorations.current, current.token == token else { return [] }
        guard let notification, isPresenterAvailable, !isStopping else {
            return restorations.prepare(isComing: nil) + advance(now: now)
        }
        let cause = current.restoration.cause
        let isComing = mayRestore(notification, cause)
        let effects = restorations.prepare(isComing: isComing)
        guard isComing else { return effects }
        var presentation = presentation(of: notification, token: token, options: [.banner, .list])
        presentation.isRestored = cause == .lost
        presentation.isRevealed = cause != .lost
        return present([presentation])
    }

    /// Ends the restoration whose popup is stored.
    mutating func restorationPlaced(
        _ placement: Placement, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let placed = restorations.popupPlaced(token: token) else { return [] }
        let key = placed.restoration.key
        let events = placed.events.flatMap { record(key, $0) }
        // The session may have been unlocked while the popup was on its way.
        let more = placed.isShownHidden ? findHidden() : []
        return (placement == .gone ? [.closePopups([key])] : events) + more + advance(now: now)
    }

    private func mayRestore(
        _ notification: DeliveredNotification, _ cause: Restoration.Cause
    ) -> Bool {
        guard refusal(of: notification.app) == nil else { return false }
        switch cause {
        case .lost: return !notification.isTransient && showsAlerts(of: notification.app)
        case .hidden, .unheard(onlyTypedReplies: false): return true
        case .unheard(onlyTypedReplies: true):
            let actions = category(of: notification)?.actions ?? []
            return actions.contains { $0.textInput != nil }
        }
    }
}

// The user has seen these delivered notifications, so only a few are restored separately.
extension RestorePlan {
    /// The most notifications of an app that are restored separately; the newest are chosen.
    static let individually = 5
    /// The greatest age of a notification that is restored, in microseconds.
    static let age: Int64 = 24 * 3_600 * 1_000_000

    /// Plans what happens to all lost notifications.
    package init(_ lost: [Lost], now: Instant) {
        self.init()
        let oldest = now.adding(microseconds: -Self.age)
        var counts: [ApplicationID: Int] = [:]
        var summaries: [Lost] = []
        for one in lost.sorted(by: { $0.row > $1.row }) {
            let app = one.key.app
            if one.date < oldest {
                forgotten.append(one)
            } else if one.key.identifier == MissedSummary.identifier {
                summaries.append(one)
            } else if counts[app, default: 0] < Self.individually {
                counts[app, default: 0] += 1
                single.append(one)
            } else {
                summarized[app, default: []].append(one)
            }
        }
        // If an app gets a new summary, its old summary is not restored.
        single += summaries.filter { summarized[$0.key.app] == nil }
        single.sort { $0.row < $1.row }
        summarized = summarized.mapValues { $0.reversed() }
    }
}
