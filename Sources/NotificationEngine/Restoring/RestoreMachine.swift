import NotificationModel
internal import NotificationStore

/// What a server lost comes back: one by one, in the order in which it was found.
///
/// A row that waits or is under way is not taken in twice, and what happens to its popup before it
/// is stored which one that is waits for the store. What cannot be shown stays lost, and the next
/// server is asked to show it.
struct RestoreMachine: Hashable {
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

    struct Current: Hashable {
        var restoration: Restoration
        var token: UInt64
        var stage = Stage.reading
        /// What happened to its popup before it was stored which one it is.
        var events: [PopupEvent] = []
        /// Whether it was shown with its texts hidden.
        var isShownHidden = false
    }

    /// In the order in which they come back.
    private(set) var waiting: [Restoration] = []
    private(set) var current: Current?

    /// Whether one waits and none is under way.
    var isReady: Bool { !waiting.isEmpty && current == nil }

    /// These are to come back.
    mutating func found(_ restorations: [Restoration]) {
        let known = Set(waiting.map(\.row) + [current?.restoration.row].compactMap(\.self))
        waiting += restorations.filter { !known.contains($0.row) }
    }

    /// Sets out with the next one.
    mutating func begin(token: UInt64) -> [EngineEffect] {
        guard isReady else { return [] }
        let next = waiting.removeFirst()
        current = Current(restoration: next, token: token)
        return [.readLost(next, token: token)]
    }

    /// It was read, and its popup is made; nil for one that is gone or waits for another server.
    mutating func prepare(isComing: Bool?) -> [EngineEffect] {
        guard let current else { return [] }
        switch isComing {
        case nil: self.current = nil
        case true?: self.current?.stage = .preparing
        case false?: return place(nil, current)
        }
        return []
    }

    /// Its picture is made, or it needs none; false where it does not come back any more.
    mutating func prepared(_ token: UInt64) -> Bool {
        guard current?.token == token else { return false }
        current?.stage = .presenting
        return true
    }

    /// The server has taken its popup, or not; nil for the token of something else.
    mutating func outcome(of token: UInt64, _ outcome: PresentationOutcome) -> [EngineEffect]? {
        guard let current, current.token == token else { return nil }
        guard current.stage == .presenting else { return [] }
        switch outcome {
        case .unavailable, .interrupted, .later:
            self.current = nil
            return []
        case .presented(let popup):
            self.current?.isShownHidden = popup.isHidden
            return place(popup, current)
        case .unanswered, .listed, .withoutPopup, .refused: return place(nil, current)
        }
    }

    private mutating func place(_ popup: PresentedPopup?, _ one: Current) -> [EngineEffect] {
        current?.stage = .placing
        return [.place(popup, one.restoration, token: one.token)]
    }

    /// Something happened to a popup; false where it is none that comes back at this moment.
    mutating func hold(_ event: PopupEvent, of key: NotificationKey) -> Bool {
        guard let current, current.restoration.key == key,
            current.stage == .presenting || current.stage == .placing
        else { return false }
        self.current?.events.append(event)
        return true
    }

    /// It is stored which popup it is; what happened to it meanwhile.
    mutating func placed(token: UInt64) -> Current? {
        guard current?.token == token else { return nil }
        defer { current = nil }
        return current
    }

    /// The server has gone: what waits for it is found again when the next one is met.
    mutating func loseServer() {
        waiting = []
        if current?.stage != .placing { current = nil }
    }

    /// What waits for its picture stays lost, and the next start shows it.
    mutating func stop() {
        if current?.stage == .preparing { current = nil }
    }
}

extension EngineState {
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
        restorations.found(found)
        return (keys.isEmpty ? [] : [.closePopups(keys)]) + advance(now: now)
    }

    /// The next one, if nothing is due or on its way.
    mutating func restoreNext(now: ClockReading) -> [EngineEffect] {
        guard restorations.isReady, isPresenterAvailable, deliveries.isEmpty, !isClaiming,
            !head.isDue(at: now)
        else { return [] }
        return restorations.begin(token: nextNumber())
    }

    /// Shows the one that was read; nil where it is gone, or does not come back.
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

    /// It is stored which popup it is.
    mutating func restorationPlaced(
        _ placement: Placement, token: UInt64, now: ClockReading
    ) -> [EngineEffect] {
        guard let placed = restorations.placed(token: token) else { return [] }
        let key = placed.restoration.key
        let events = placed.events.flatMap { record(key, $0) }
        // It was unlocked while this was on its way.
        let more = placed.isShownHidden ? findHidden() : []
        return (placement == .gone ? [.closePopups([key])] : events) + more + advance(now: now)
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

// They are delivered already: a person has seen them, so few come back one by one.
extension RestorePlan {
    /// How many of an app come back one by one, the newest.
    static let individually = 5
    /// How old they may be, in microseconds.
    static let age: Int64 = 24 * 3_600 * 1_000_000

    /// Decides about all that is lost.
    init(_ lost: [Lost], now: Instant) {
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
        // A summary that is about to count more is written anew.
        single += summaries.filter { summarized[$0.key.app] == nil }
        single.sort { $0.row < $1.row }
        summarized = summarized.mapValues { $0.reversed() }
    }
}
