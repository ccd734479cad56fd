internal import NotificationModel

/// Which popup is whose, and what a server's signals mean; pure.
///
/// Servers tell of one click by some of `ActivationToken`, `ActionInvoked` and
/// `NotificationClosed`, in changing order and sometimes twice: the first answer of a popup counts,
/// whatever follows is its end.
struct SignalRouter {
    /// What the presenter has to do about a signal.
    enum Effect: Hashable {
        case respond(NotificationKey, NotificationResponse.Action, token: String?)
        case dismissed(NotificationKey)
        case expired(NotificationKey)
        /// Close it ourselves.
        case close(UInt32)
        /// Call `settle` after a moment: an action may still follow the close, or a close the
        /// action.
        case settleLater(UInt32)
        /// A popup of ours has gone, which makes room on a server that limits them.
        case roomMade
    }

    private struct Popup {
        var key: NotificationKey
        var replyIdentifier: String?
        var token: String?
        var isAnswered = false
        var isDismissed = false
        var sequence: UInt64
    }

    private var popups: [UInt32: Popup] = [:]
    private var ids: [NotificationKey: UInt32] = [:]
    private var sequence: UInt64 = 0

    /// The id under which the server shows a notification, 0 where it does not.
    func id(of key: NotificationKey) -> UInt32 { ids[key] ?? 0 }

    /// Whether a popup of this id is ours.
    func knows(_ id: UInt32) -> Bool { popups[id] != nil }

    /// The popup that is longest on the screen.
    var oldest: UInt32? {
        popups.min { $0.value.sequence < $1.value.sequence }?.key
    }

    /// The server took a popup. Some give a replacement a new id: then the old one is closed.
    mutating func posted(
        _ key: NotificationKey, id: UInt32, replyIdentifier: String? = nil
    ) -> [Effect] {
        sequence += 1
        let former = ids[key]
        if let displaced = popups[id], displaced.key != key { ids[displaced.key] = nil }
        popups[id] = Popup(key: key, replyIdentifier: replyIdentifier, sequence: sequence)
        ids[key] = id
        guard let former, former != id else { return [] }
        popups[former] = nil
        return [.close(former)]
    }

    /// The popup is to go because we say so; what the server tells of it later is nothing new.
    mutating func withdraw(_ key: NotificationKey) -> [Effect] {
        guard let id = ids.removeValue(forKey: key) else { return [] }
        popups[id] = nil
        return [.close(id)]
    }

    mutating func received(token: String, for id: UInt32) {
        popups[id]?.token = token
    }

    mutating func actionInvoked(_ id: UInt32, key: String) -> [Effect] {
        guard let action = ActionKeys.action(of: key) else { return [] }
        return answer(id, action)
    }

    mutating func replied(_ id: UInt32, text: String) -> [Effect] {
        let identifier = popups[id]?.replyIdentifier ?? ActionKeys.inlineReply
        return answer(id, .reply(identifier, text: text))
    }

    /// Reasons: 1 expired, 2 dismissed by the person, 3 closed by a call, 4 undefined.
    mutating func closed(_ id: UInt32, reason: UInt32) -> [Effect] {
        guard let popup = popups[id], !popup.isDismissed else { return [] }
        guard !popup.isAnswered else {
            forget(id)
            return [.roomMade]
        }
        if reason == 2 {
            popups[id]?.isDismissed = true
            return [.settleLater(id), .roomMade]
        }
        forget(id)
        return [.expired(popup.key), .roomMade]
    }

    /// The moment is over: what was dismissed was not answered, and what was answered and is still
    /// on the screen (some servers leave it there) is closed by us.
    mutating func settle(_ id: UInt32) -> [Effect] {
        guard let popup = popups[id] else { return [] }
        forget(id)
        switch (popup.isAnswered, popup.isDismissed) {
        case (false, true): return [.dismissed(popup.key)]
        case (true, false): return [.close(id), .roomMade]
        default: return []
        }
    }

    /// The server has gone: its ids mean nothing any more.
    mutating func serverGone() {
        popups = [:]
        ids = [:]
    }

    private mutating func answer(
        _ id: UInt32, _ action: NotificationResponse.Action
    ) -> [Effect] {
        guard let popup = popups[id], !popup.isAnswered else { return [] }
        popups[id]?.isAnswered = true
        // From here on a request of the same identifier is a new popup.
        if ids[popup.key] == id { ids[popup.key] = nil }
        return [.respond(popup.key, action, token: popup.token), .settleLater(id)]
    }

    private mutating func forget(_ id: UInt32) {
        guard let popup = popups.removeValue(forKey: id) else { return }
        if ids[popup.key] == id { ids[popup.key] = nil }
    }
}
