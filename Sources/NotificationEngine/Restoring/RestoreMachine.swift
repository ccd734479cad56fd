package import NotificationModel
package import NotificationStore

/// Posts popups again, one at a time and in the order in which they were found.
///
/// A server lost these popups, showed them with hidden texts, or reports no responses to them. A
/// popup whose app has running deliveries waits until they end; popups of other apps may overtake
/// it.
///
/// The machine owns the waiting restorations and the current restoration. It keeps the events of
/// the new popup until that popup is stored; events of the former popup are stored at once. It
/// restores one row at a time, and queues no row that already waits. It only returns effects.
struct RestoreMachine: Hashable {
    enum Stage: Hashable {
        /// The notification is being read, or the post has no outcome yet.
        case presenting
        /// The server answered, but an event of the former popup is still being stored.
        case answered(PresentedPopup?)
        case placing
    }

    struct Current: Hashable {
        var restoration: Restoration
        var token: UInt64
        var stage = Stage.presenting
        /// The events of the new popup that came before that popup was stored.
        var events: [PopupEvent] = []
        var isShownHidden = false
    }

    private(set) var waiting: [Restoration] = []
    private(set) var current: Current?

    var isReady: Bool { !waiting.isEmpty && current == nil }

    /// Adds restorations, except those of rows that already wait or are current.
    mutating func restorationsFound(_ restorations: [Restoration]) {
        let known = Set(waiting.map(\.row) + [current?.restoration.row].compactMap(\.self))
        waiting += restorations.filter { !known.contains($0.row) }
    }

    /// Begins the first restoration whose app is not busy.
    mutating func startNext(token: UInt64, besides busy: Set<ApplicationID>) -> [EngineEffect] {
        guard isReady, let place = waiting.firstIndex(where: { !busy.contains($0.key.app) }) else {
            return []
        }
        let next = waiting.remove(at: place)
        current = Current(restoration: next, token: token)
        return [.readLost(next, token: token)]
    }

    /// Takes the outcome of the popup; returns false if the token belongs to no restoration.
    @discardableResult
    mutating func outcome(of token: UInt64, _ outcome: PresentationOutcome) -> Bool {
        guard let current, current.token == token else { return false }
        guard current.stage == .presenting else { return true }
        switch outcome {
        case .unavailable, .interrupted, .later: self.current = nil
        case .presented(let popup):
            self.current?.isShownHidden = popup.isHidden
            self.current?.stage = .answered(popup)
        case .unanswered, .deliveredSilently, .withoutPopup, .refused:
            self.current?.stage = .answered(nil)
        }
        return true
    }

    /// Stores the popup with which the server answered.
    mutating func placePopup() -> [EngineEffect] {
        guard let current, case .answered(let popup) = current.stage else { return [] }
        self.current?.stage = .placing
        return [.place(popup, current.restoration, token: current.token)]
    }

    /// Keeps an event of the new popup; returns false for every other event.
    ///
    /// An event from before the server's answer belongs to the former popup.
    mutating func deferEvent(_ event: PopupEvent, of key: NotificationKey) -> Bool {
        guard let current, current.restoration.key == key, current.stage != .presenting else {
            return false
        }
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
    ///
    /// Returns the current restoration if it is dropped, because its events are not stored yet. A
    /// restoration whose post has no outcome remains, because the presenter still reports the
    /// outcome. For example, the presenter refuses a popup that has made several servers crash.
    mutating func loseServer(isPosted: (UInt64) -> Bool) -> Current? {
        waiting = []
        guard let dropped = current, dropped.stage != .placing, !isPosted(dropped.token) else {
            return nil
        }
        current = nil
        return dropped
    }

    /// Drops a restoration that the server was not asked to show, and returns its token.
    ///
    /// The next start of the engine restores its popup.
    mutating func stop(isPosted: (UInt64) -> Bool) -> UInt64? {
        guard let dropped = current, dropped.stage == .presenting, !isPosted(dropped.token) else {
            return nil
        }
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

    mutating func lostFound(_ found: [Restoration], now: ClockReading) -> [EngineEffect] {
        restorations.restorationsFound(found)
        return advance(now: now)
    }

    /// Begins the next restoration of an app without deliveries, if no request can be claimed.
    ///
    /// An app's due requests thus go first. Deliveries of other apps delay no restoration, because
    /// they may wait without end for their app or its extension.
    mutating func restoreNext(now: ClockReading) -> [EngineEffect] {
        guard restorations.isReady, isPresenterAvailable, !isClaiming,
            isStalled || !head.isDue(at: now)
        else { return [] }
        return restorations.startNext(
            token: nextNumber(), besides: Set(deliveries.values.map(\.app)))
    }

    /// Posts the notification that was read.
    ///
    /// If the notification is gone, `notification` is nil, and nothing is posted.
    mutating func restorationRead(
        _ notification: DeliveredNotification?, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let current = restorations.current, current.token == token else { return [] }
        guard let notification, isPresenterAvailable, !isStopping else {
            // Nothing can be posted, so end the restoration as if no server ran.
            restorations.outcome(of: token, .unavailable)
            return advance(now: now)
        }
        let cause = current.restoration.cause
        guard mayRestore(notification, cause) else {
            // The notification stays listed without a popup.
            restorations.outcome(of: token, .withoutPopup)
            return placeRestored()
        }
        var presentation = presentation(of: notification, token: token, options: [.banner, .list])
        presentation.isRestored = cause == .lost
        presentation.isRevealed = cause != .lost
        return present([presentation])
    }

    /// Stores the popup of a restoration, unless an event of its former popup is being stored.
    ///
    /// The event may remove the notification; the store then refuses the new popup.
    mutating func placeRestored() -> [EngineEffect] {
        guard let key = restorations.current?.restoration.key, recording[key] == nil else {
            return []
        }
        return restorations.placePopup()
    }

    mutating func loseRestorations() -> [EngineEffect] {
        guard let dropped = restorations.loseServer(isPosted: queue.isPosted) else { return [] }
        return dropped.events.flatMap { record(dropped.restoration.key, $0) }
    }

    mutating func restorationPlaced(
        _ placement: Placement, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let placed = restorations.popupPlaced(token: token) else { return [] }
        let key = placed.restoration.key
        let ends: [EngineEffect] =
            placement == .gone ? [.closePopups([key])] : placed.events.flatMap { record(key, $0) }
        // The session may have been unlocked while the popup was on its way.
        let more = placed.isShownHidden ? findHidden() : []
        return ends + more + advance(now: now)
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

// A lost popup was shown before, so only a few lost popups of an app are restored separately.
extension RestorePlan {
    /// The most notifications of an app that are restored separately; the newest are chosen.
    static let individually = 5
    /// The greatest age of a notification that is restored, in microseconds.
    static let age: Int64 = 24 * 3_600 * 1_000_000

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
