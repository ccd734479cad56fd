import NotificationModel
internal import NotificationStore

/// What a server lost comes back: one by one, and only while nothing else is to be shown.
extension EngineState {
    /// The restorations that wait, and the one under way.
    struct Restorations {
        /// How far the one under way has come.
        enum Stage: Hashable {
            /// Its content is being read.
            case reading
            /// Its picture is being made.
            case preparing
            case presenting
            /// Which popup it is is being stored.
            case placing
        }

        struct Current {
            var restoration: Restoration
            var token: UInt64
            var stage = Stage.reading
            /// What happened to its popup before it was stored which one it is.
            var events: [PopupEvent] = []
            /// Whether it was shown with its texts hidden.
            var isShownHidden = false
        }

        /// In the order in which they come back.
        var waiting: [Restoration] = []
        var current: Current?

        /// The rows that are not to be looked for again.
        var rows: Set<Int64> {
            Set(waiting.map(\.row) + [current?.restoration.row].compactMap(\.self))
        }
    }

    /// A server has said what it can do.
    mutating func presenterMet(keepsList: Bool, isSilent: Bool = false) -> [EngineEffect] {
        presenterKeepsList = keepsList
        isServerRunning = !isSilent
        return isStopping ? [] : [.findLost(keepsList: keepsList)] + findHidden()
    }

    /// These are to come back, these popups are not to stay where they are still there.
    mutating func lostFound(
        _ found: [Restoration], removing keys: [NotificationKey], now: ClockReading
    ) -> [EngineEffect] {
        let known = restorations.rows
        restorations.waiting += found.filter { !known.contains($0.row) }
        return (keys.isEmpty ? [] : [.closePopups(keys)]) + pump(now: now)
    }

    /// The next one, if nothing is due or on its way.
    mutating func restoreNext(now: ClockReading) -> [EngineEffect] {
        guard !restorations.waiting.isEmpty, restorations.current == nil, isPresenterAvailable,
            flights.isEmpty, !isClaiming, !head.isDue(at: now)
        else { return [] }
        let next = restorations.waiting.removeFirst()
        let token = nextNumber()
        restorations.current = Restorations.Current(restoration: next, token: token)
        return [.readLost(next, token: token)]
    }

    /// Shows the one that was read; nil where it is gone, or does not come back.
    mutating func restorationRead(
        _ notification: DeliveredNotification?, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let current = restorations.current, current.token == token else { return [] }
        guard let notification, isPresenterAvailable, !isStopping else {
            restorations.current = nil
            return pump(now: now)
        }
        guard mayRestore(notification, current.restoration.cause) else {
            restorations.current?.stage = .placing
            return [.place(nil, current.restoration, token: token)]
        }
        restorations.current?.stage = .preparing
        var presentation = presentation(of: notification, token: token, options: [.banner, .list])
        presentation.isRestored = current.restoration.cause == .lost
        presentation.isRevealed = current.restoration.cause != .lost
        return present([presentation])
    }

    /// Its picture is made, or it needs none; false where it does not come back any more.
    mutating func restorationPrepared(_ token: UInt64) -> Bool {
        guard restorations.current?.token == token else { return false }
        restorations.current?.stage = .presenting
        return true
    }

    /// What became of its popup; nil for the token of something else.
    mutating func restorationOutcome(
        of token: UInt64, _ outcome: PresentationOutcome
    ) -> [EngineEffect]? {
        guard let current = restorations.current, current.token == token else { return nil }
        guard current.stage == .presenting else { return [] }
        switch outcome {
        case .unavailable, .interrupted:
            // It stays lost, and the next server is asked to show it.
            restorations.current = nil
            return []
        case .presented(let popup):
            restorations.current?.stage = .placing
            restorations.current?.isShownHidden = popup.isHidden
            return [.place(popup, current.restoration, token: token)]
        case .unanswered, .listed, .withoutPopup, .refused:
            restorations.current?.stage = .placing
            return [.place(nil, current.restoration, token: token)]
        }
    }

    /// What happened to a popup that comes back waits until it is stored which one it is; false for
    /// other popups.
    mutating func holdForRestoration(_ key: NotificationKey, _ event: PopupEvent) -> Bool {
        guard let current = restorations.current, current.restoration.key == key,
            current.stage == .presenting || current.stage == .placing
        else { return false }
        restorations.current?.events.append(event)
        return true
    }

    /// It is stored which popup it is.
    mutating func restorationPlaced(
        _ placement: Placement, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let current = restorations.current, current.token == token else { return [] }
        restorations.current = nil
        let key = current.restoration.key
        let events = current.events.flatMap { record(key, $0) }
        // It was unlocked while this was on its way.
        let more = current.isShownHidden ? findHidden() : []
        return (placement == .gone ? [.closePopups([key])] : events) + more + pump(now: now)
    }

    /// The server has gone: what waits for it is found again when the next one is met.
    mutating func restorationsLostServer() {
        restorations.waiting = []
        if restorations.current?.stage != .placing { restorations.current = nil }
    }

    /// What waits for its picture stays lost, and the next start shows it.
    mutating func restorationStopped() {
        if restorations.current?.stage == .preparing { restorations.current = nil }
    }

    private func mayRestore(
        _ notification: DeliveredNotification, _ cause: Restoration.Cause
    ) -> Bool {
        guard refusal(of: notification.app) == nil else { return false }
        switch cause {
        case .lost: return !notification.isTransient && showsAlerts(of: notification.app)
        case .hidden, .unheard(repliesAlone: false): return true
        case .unheard(repliesAlone: true):
            let actions = category(of: notification)?.actions ?? []
            return actions.contains { $0.textInput != nil }
        }
    }
}
