internal import NotificationModel

/// Which popup is whose, and what a server's signals mean; pure.
///
/// The table holds the popups that the server may still have of us; it ends with the delivered
/// notification of a popup (`withdraw`), also on a server that never says that one closed.
///
/// Servers tell of one click by some of `ActivationToken`, `ActionInvoked` and
/// `NotificationClosed`, in changing order and sometimes twice: the first answer of a popup counts,
/// whatever follows is its end.
struct SignalRouter {
    /// An effect that a signal requires of the presenter.
    enum Effect: Hashable {
        case respond(NotificationKey, NotificationResponse.Action, token: String?)
        case dismissed(NotificationKey)
        case expired(NotificationKey)
        /// The user wants the app's own notification settings; the popup is not answered.
        case openSettings(NotificationKey)
        /// Close it ourselves.
        case close(UInt32)
        /// Call `settle` after a moment: an action may still follow the close, or a close the
        /// action.
        case settleLater(Ticket)
        /// Call `aged` when the user may have seen the popup.
        case ageLater(Ticket)
        /// A popup of ours has gone, which makes room on a server that limits them.
        case roomMade
    }

    typealias Signal = NotificationServer.Signal

    /// Names one popup for ever: the server may give its id to another.
    struct Ticket: Hashable {
        var id: UInt32
        fileprivate var sequence: UInt64
    }

    /// The actions that the popup offers the user; nil keys where an earlier run posted it.
    struct Offer: Hashable {
        var keys: Set<String>?
        var replyIdentifier: String?
        /// Whether the server may have removed it because its sender left; its close then says
        /// nothing about the user.
        var isInherited = false
        /// Whether an `expired` of the server means dismissed, because the popup has no timeout.
        var cannotExpire = false
        /// Whether the server tells of a dismissal with 0, which is no reason.
        var isDismissedByZero = false
        /// Whether the server calls dismissed at once what it does not show.
        var isDismissedUnseen = false
    }

    private struct Popup {
        var key: NotificationKey
        var offer: Offer
        var ticket: Ticket
        var token: String?
        var isAnswered = false
        var isDismissed = false
        /// Whether it is too new for the user to have dismissed it.
        var isUnseen: Bool
        /// Whether we close it unless the post that replaces it does.
        var isLeaving = false
    }

    private var popups: [UInt32: Popup] = [:]
    private var ids: [NotificationKey: UInt32] = [:]
    private var sequence: UInt64 = 0
    /// Posts without an answer.
    ///
    /// While there are any, a signal for an unknown id may be for a popup whose id is still on its
    /// way to us.
    private var expected = 0
    private var early: [(id: UInt32, signal: Signal)] = []
    /// The ids that posts without an answer replace: to close one now could close its successor.
    private var replacing: Set<UInt32> = []

    /// The notifications that have a popup that was not answered.
    var keys: Set<NotificationKey> { Set(ids.keys) }
    /// How many popups there are, with those that were answered a moment ago.
    var count: Int { popups.count }

    /// The id under which the server shows a notification, 0 where it does not.
    func id(of key: NotificationKey) -> UInt32 { ids[key] ?? 0 }

    /// Whether an earlier run posted the popup that is shown for this.
    func isOfEarlierRun(_ key: NotificationKey) -> Bool {
        guard let id = ids[key], let popup = popups[id] else { return false }
        return popup.offer.keys == nil
    }

    // MARK: What we do

    /// A post goes out; 0 where it replaces nothing.
    mutating func posting(replacing id: UInt32 = 0) {
        expected += 1
        if id != 0 { replacing.insert(id) }
    }

    /// A post has ended, with or without a popup.
    ///
    /// A popup that had to leave meanwhile goes, unless the replacement has taken its place, or may
    /// have: then its id belongs to the successor.
    @discardableResult
    mutating func postEnded(replacing id: UInt32 = 0, isUnanswered: Bool = false) -> [Effect] {
        expected = max(expected - 1, 0)
        if expected == 0 { early = [] }
        replacing.remove(id)
        guard let popup = popups[id], popup.isLeaving else { return [] }
        forget(id)
        return isUnanswered ? [] : [.close(id), .roomMade]
    }

    /// The server took a popup.
    ///
    /// Some servers give a replacement a new id: then the old one is closed.
    mutating func posted(_ key: NotificationKey, id: UInt32, offer: Offer = Offer()) -> [Effect] {
        var effects: [Effect] = []
        var offer = offer
        if let displaced = popups[id] {
            if displaced.key == key {
                // LXQt keeps the buttons of the first: github.com/lxqt/lxqt-notificationd.
                offer.keys?.formUnion(displaced.offer.keys ?? [])
            } else {
                effects += end(displaced)
            }
        }
        if let former = ids[key], former != id {
            popups[former] = nil
            effects.append(.close(former))
        }
        sequence += 1
        popups[id] = Popup(
            key: key, offer: offer, ticket: Ticket(id: id, sequence: sequence),
            isUnseen: offer.isDismissedUnseen)
        ids[key] = id
        if offer.isDismissedUnseen {
            effects.append(.ageLater(Ticket(id: id, sequence: sequence)))
        }
        for signal in takeEarly(id) { effects += received(signal, for: id) }
        return effects
    }

    /// The popup is to go because we say so; what the server tells of it later is nothing new.
    mutating func withdraw(_ key: NotificationKey) -> [Effect] {
        guard let id = ids[key] else { return [] }
        guard !replacing.contains(id) else {
            popups[id]?.isLeaving = true
            popups[id]?.isAnswered = true
            return []
        }
        forget(id)
        return [.close(id), .roomMade]
    }

    /// Makes room: the popup that is longest on the screen goes.
    mutating func closeOldest() -> [Effect] {
        let others = popups.values.filter { !replacing.contains($0.ticket.id) }
        guard let oldest = others.min(by: { $0.ticket.sequence < $1.ticket.sequence }) else {
            return []
        }
        return end(oldest) + [.close(oldest.ticket.id)]
    }

    /// The server has gone: its ids mean nothing any more.
    mutating func serverGone() {
        popups = [:]
        ids = [:]
        early = []
        expected = 0
        replacing = []
    }

    // MARK: What the server tells

    mutating func received(_ signal: Signal, for id: UInt32) -> [Effect] {
        guard let popup = popups[id] else {
            if expected > 0, early.count < Limits.earlySignals.most { early.append((id, signal)) }
            return []
        }
        switch signal {
        case .token(let token):
            popups[id]?.token = token
            return []
        case .action(ActionKeys.settings):
            let isOffered = popup.offer.keys?.contains(ActionKeys.settings) ?? true
            return isOffered ? [.openSettings(popup.key)] : []
        case .action(let key):
            guard popup.offer.keys?.contains(key) ?? true, let action = ActionKeys.action(of: key)
            else { return [] }
            return answer(popup, action)
        case .reply(let text):
            let identifier = popup.offer.replyIdentifier ?? ActionKeys.inlineReply
            return answer(popup, .reply(identifier, text: text))
        case .closed(let reason):
            return closed(popup, reason: reason)
        }
    }

    /// The moment is over: what was dismissed was not answered, and what was answered and is still
    /// on the screen (some servers leave it there) is closed by us.
    mutating func settle(_ ticket: Ticket) -> [Effect] {
        guard let popup = popups[ticket.id], popup.ticket == ticket else { return [] }
        switch (popup.isAnswered, popup.isDismissed) {
        case (false, true): return end(popup)
        case (true, false) where replacing.contains(ticket.id):
            popups[ticket.id]?.isLeaving = true
            return []
        case (true, false): return end(popup) + [.close(ticket.id), .roomMade]
        default: return end(popup)
        }
    }

    private mutating func answer(
        _ popup: Popup, _ action: NotificationResponse.Action
    ) -> [Effect] {
        guard !popup.isAnswered else { return [] }
        let id = popup.ticket.id
        popups[id]?.isAnswered = true
        // From here on a request of the same identifier is a new popup.
        if ids[popup.key] == id { ids[popup.key] = nil }
        return [.respond(popup.key, action, token: popup.token), .settleLater(popup.ticket)]
    }

    /// Reasons: 1 expired, 2 dismissed by the user, 3 closed by a call, 4 undefined.
    private mutating func closed(_ popup: Popup, reason: UInt32) -> [Effect] {
        guard !popup.isDismissed else { return [] }
        let id = popup.ticket.id
        guard !popup.offer.isInherited || popup.isAnswered else {
            forget(id)
            return [.roomMade]
        }
        let isDismissal =
            switch reason {
            case 0: popup.offer.isDismissedByZero
            case 1: popup.offer.cannotExpire
            default: reason == 2
            }
        guard isDismissal, !popup.isAnswered else { return end(popup) + [.roomMade] }
        popups[id]?.isDismissed = true
        if ids[popup.key] == id { ids[popup.key] = nil }
        return [.settleLater(popup.ticket), .roomMade]
    }

    /// The user may have seen the popup by now, unless it has left.
    mutating func aged(_ ticket: Ticket) {
        guard let popup = popups[ticket.id], popup.ticket == ticket, !popup.isDismissed else {
            return
        }
        popups[ticket.id]?.isUnseen = false
    }

    /// Forgets a popup and says what that means to its app.
    private mutating func end(_ popup: Popup) -> [Effect] {
        forget(popup.ticket.id)
        if popup.isAnswered { return [] }
        let isDismissed = popup.isDismissed && !popup.isUnseen
        return isDismissed ? [.dismissed(popup.key)] : [.expired(popup.key)]
    }

    private mutating func forget(_ id: UInt32) {
        guard let popup = popups.removeValue(forKey: id) else { return }
        if ids[popup.key] == id { ids[popup.key] = nil }
    }

    private mutating func takeEarly(_ id: UInt32) -> [Signal] {
        let signals = early.filter { $0.id == id }.map(\.signal)
        early.removeAll { $0.id == id }
        return signals
    }
}
