internal import NotificationModel

/// Assigns popups to notifications, and interprets a server's signals.
///
/// It owns the table of our popups that the server may still have. `withdraw` removes an entry
/// when its notification leaves the delivered list, even if the server never reports a close.
///
/// It promises at most one response for each popup. After a click, a server sends some of the
/// signals `ActivationToken`, `ActionInvoked` and `NotificationClosed`, in any order, and sometimes
/// a signal twice. The first action counts; later signals of the popup cause no further response.
///
/// It never calls the server, and never reads a clock.
struct SignalRouter {
    enum Effect: Hashable {
        case respond(NotificationKey, NotificationResponse.Action, token: String?)
        case dismissed(NotificationKey)
        case expired(NotificationKey)
        /// The user wants the app's own notification settings; this is not a response.
        case openSettings(NotificationKey, token: String?)
        case close(UInt32)
        /// Call `settlePopup` after `ServerTimeouts.settling`: the action and the close may come in
        /// any order.
        case settleLater(Ticket)
        /// Call `popupAged` after `ServerTimeouts.glance`, when the user may have seen the popup.
        case ageLater(Ticket)
        /// A popup is gone, so a server that limits the number of popups has room again.
        case roomMade
    }

    typealias Signal = NotificationServer.Signal

    /// Identifies one popup uniquely, because the server may reuse its id.
    struct Ticket: Hashable {
        var id: UInt32
        fileprivate var sequence: UInt64
    }

    /// The actions of a popup, and the quirks that decide what its signals mean.
    struct Offer: Hashable {
        /// The actions; nil if an earlier run posted the popup.
        var actions: [NotifyArguments.Action]?
        var replyIdentifier: String?
        /// Whether the server may have removed the popup because its sender left the bus.
        ///
        /// A close of such a popup does not show that the user acted.
        var isInherited = false
        /// Whether `expired` from the server means dismissed, because the popup has no timeout.
        var cannotExpire = false
        /// Whether the server reports a dismissal with the undefined reason 0.
        var isDismissedByZero = false
        /// Whether the server reports a dismissal at once for a popup that it does not show.
        var isDismissedUnseen = false
        /// Whether the server reports a dismissal when the popup times out.
        var isDismissedByTimeout = false
    }

    private struct Popup {
        var key: NotificationKey
        var offer: Offer
        var ticket: Ticket
        var token: String?
        var hasResponse = false
        /// Whether the popup is too new for the user to have dismissed it.
        var isUnseen: Bool
        /// Whether to close the popup when the post that replaces it ends.
        var isLeaving = false
    }

    private var popups: [UInt32: Popup] = [:]
    private var ids: [NotificationKey: UInt32] = [:]
    private var sequence: UInt64 = 0
    /// The popups that the user closed; until `settlePopup`, an action may still come.
    private var dismissed: Set<UInt32> = []
    /// The number of posts that wait for an answer.
    ///
    /// While a post waits, a signal for an unknown id may belong to its popup.
    private var unansweredPosts = 0
    private var earlySignals: [(id: UInt32, signal: Signal)] = []
    /// The ids that waiting posts replace: a call that closes such an id could close the new popup.
    private var replacing: Set<UInt32> = []
    /// The ids in `replacing` whose close the server has signalled, and may signal again.
    private var closed: Set<UInt32> = []

    /// The notifications whose popup the user has neither answered nor dismissed.
    var keys: Set<NotificationKey> { Set(ids.keys) }

    /// The id of the notification's popup; 0 if there is no popup.
    func id(of key: NotificationKey) -> UInt32 { ids[key] ?? 0 }

    func isOfEarlierRun(_ key: NotificationKey) -> Bool {
        guard let id = ids[key], let popup = popups[id] else { return false }
        return popup.offer.actions == nil
    }

    /// Whether the notification has a popup that may have other actions.
    func mayDiffer(_ key: NotificationKey, from actions: [NotifyArguments.Action]) -> Bool {
        guard let id = ids[key], let popup = popups[id] else { return false }
        return popup.offer.actions != actions
    }

    // MARK: Posts and withdrawals

    /// Notes a post, and the id that it replaces; 0 for a new popup.
    mutating func postStarted(replacing id: UInt32 = 0) {
        unansweredPosts += 1
        if id != 0 { replacing.insert(id) }
    }

    /// Notes the end of a post, with or without a popup.
    ///
    /// If `withdraw` or `settlePopup` delayed the close of the replaced popup, the result closes
    /// that popup now. If the server did not answer in time, the replaced popup is only forgotten:
    /// the new popup may be on the screen with the same id.
    @discardableResult
    mutating func postEnded(replacing id: UInt32 = 0, isUnanswered: Bool = false) -> [Effect] {
        unansweredPosts = max(unansweredPosts - 1, 0)
        if unansweredPosts == 0 { earlySignals = [] }
        replacing.remove(id)
        closed.remove(id)
        guard let popup = popups[id], popup.isLeaving else { return [] }
        forget(id)
        return isUnanswered ? [] : [.close(id), .roomMade]
    }

    /// Notes that the server accepted a popup.
    ///
    /// If the server gave the replacement a new id, the old popup is closed.
    mutating func popupPosted(
        _ key: NotificationKey, id: UInt32, offer: Offer = Offer()
    ) -> [Effect] {
        var effects: [Effect] = []
        if let displaced = popups[id], displaced.key != key { effects += endPopup(displaced) }
        if let former = ids[key], former != id {
            forget(former)
            effects.append(.close(former))
        }
        sequence += 1
        let ticket = Ticket(id: id, sequence: sequence)
        forget(id)
        popups[id] = Popup(
            key: key, offer: offer, ticket: ticket, isUnseen: offer.isDismissedUnseen)
        ids[key] = id
        if offer.isDismissedUnseen { effects.append(.ageLater(ticket)) }
        let signals = earlySignals.filter { $0.id == id }.map(\.signal)
        earlySignals.removeAll { $0.id == id }
        for signal in signals { effects += signalReceived(signal, for: id) }
        return effects
    }

    /// Ends the dismissals of a notification's former popups, without waiting for an action.
    ///
    /// Call this before you report the outcome of the post that replaces the notification. After
    /// that report, a dismissal would count for the new notification.
    mutating func endDismissals(of key: NotificationKey) -> [Effect] {
        dismissed.compactMap { popups[$0] }.filter { $0.key == key }.flatMap { endPopup($0) }
    }

    /// Closes a popup by our own decision; later signals for it cause no response.
    ///
    /// If an unanswered post replaces the popup, `postEnded` later closes or forgets the popup.
    mutating func withdraw(_ key: NotificationKey) -> [Effect] {
        guard let id = ids[key] else { return [] }
        popups[id]?.hasResponse = true
        return closePopup(id)
    }

    /// Closes the oldest popup that is not being replaced.
    mutating func closeOldest() -> [Effect] {
        let others = popups.values.filter { !replacing.contains($0.ticket.id) }
        guard let oldest = others.min(by: { $0.ticket.sequence < $1.ticket.sequence }) else {
            return []
        }
        return endPopup(oldest) + [.close(oldest.ticket.id)]
    }

    /// Forgets everything, because the ids of a server that is gone have no meaning.
    ///
    /// The sequence continues, so that no ticket of a former popup fits a later popup.
    mutating func serverGone() {
        self = SignalRouter(sequence: sequence)
    }

    // MARK: Signals

    mutating func signalReceived(_ signal: Signal, for id: UInt32) -> [Effect] {
        guard let popup = popups[id] else {
            // swaync signals each close twice, and may give the closed popup's id to the
            // replacement: github.com/ErikReider/SwayNotificationCenter.
            if case .closed = signal, closed.remove(id) != nil { return [] }
            if unansweredPosts > 0, earlySignals.count < Limits.earlySignals.most {
                earlySignals.append((id, signal))
            }
            return []
        }
        switch signal {
        case .token(let token):
            popups[id]?.token = token
            return []
        case .action(let key):
            guard popup.offer.actions?.contains(where: { $0.key == key }) ?? true else { return [] }
            if key == ActionKeys.settings {
                return popup.isLeaving ? [] : [.openSettings(popup.key, token: popup.token)]
            }
            guard let action = ActionKeys.action(of: key) else { return [] }
            return respond(to: popup, action)
        case .reply(let text):
            let identifier =
                popup.offer.replyIdentifier ?? NotificationResponse.Action.unknownButton
            return respond(to: popup, .reply(identifier, text: text))
        case .closed(let reason):
            return popupClosed(popup, reason: reason)
        }
    }

    /// Ends a popup after the time within which all signals of one click arrive.
    ///
    /// If the popup was closed and no action came, the user dismissed it. If a response came but no
    /// close, the popup is closed here, because some servers leave it on the screen.
    mutating func settlePopup(_ ticket: Ticket) -> [Effect] {
        guard let popup = popups[ticket.id], popup.ticket == ticket else { return [] }
        return dismissed.contains(ticket.id) ? endPopup(popup) : closePopup(ticket.id)
    }

    /// Closes a popup and reports no event; if an unanswered post replaces it, `postEnded` closes
    /// it.
    private mutating func closePopup(_ id: UInt32) -> [Effect] {
        guard !replacing.contains(id) else {
            popups[id]?.isLeaving = true
            return []
        }
        forget(id)
        return [.close(id), .roomMade]
    }

    private mutating func respond(
        to popup: Popup, _ action: NotificationResponse.Action
    ) -> [Effect] {
        guard !popup.hasResponse else { return [] }
        let id = popup.ticket.id
        popups[id]?.hasResponse = true
        // A later request with the same identifier gets a new popup.
        if ids[popup.key] == id { ids[popup.key] = nil }
        return [.respond(popup.key, action, token: popup.token), .settleLater(popup.ticket)]
    }

    /// Reasons: 1 expired, 2 dismissed by the user, 3 closed by a call, 4 undefined.
    private mutating func popupClosed(_ popup: Popup, reason: UInt32) -> [Effect] {
        let id = popup.ticket.id
        guard !dismissed.contains(id) else {
            closed.remove(id)
            return []
        }
        if replacing.contains(id) { closed.insert(id) }
        guard !popup.offer.isInherited || popup.hasResponse else {
            forget(id)
            return [.roomMade]
        }
        let isDismissal =
            switch reason {
            case 0: popup.offer.isDismissedByZero
            case 1: popup.offer.cannotExpire
            default: reason == 2 && !popup.offer.isDismissedByTimeout
            }
        guard isDismissal, !popup.hasResponse else { return endPopup(popup) + [.roomMade] }
        dismissed.insert(id)
        if ids[popup.key] == id { ids[popup.key] = nil }
        return [.settleLater(popup.ticket), .roomMade]
    }

    /// Notes that the user may have seen the popup; a popup that was closed before stays unseen.
    mutating func popupAged(_ ticket: Ticket) {
        guard popups[ticket.id]?.ticket == ticket, !dismissed.contains(ticket.id) else { return }
        popups[ticket.id]?.isUnseen = false
    }

    private mutating func endPopup(_ popup: Popup) -> [Effect] {
        let isDismissed = dismissed.contains(popup.ticket.id) && !popup.isUnseen
        forget(popup.ticket.id)
        if popup.hasResponse { return [] }
        return isDismissed ? [.dismissed(popup.key)] : [.expired(popup.key)]
    }

    private mutating func forget(_ id: UInt32) {
        guard let popup = popups.removeValue(forKey: id) else { return }
        dismissed.remove(id)
        if ids[popup.key] == id { ids[popup.key] = nil }
    }
}
