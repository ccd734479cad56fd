internal import DesktopBus

/// What happens while a server is probed.
enum ProbeEvent: Sendable, Hashable {
    /// The server said what became of this popup.
    case signal(id: UInt32, ProbeSignal)
    /// The person typed a line; nil for the end of what can be typed.
    case typed(String?)
    /// The wait of this number is over.
    case timedOut(Int)
    case interrupted
    case serverGone
    case busLost
}

/// What a server says of a popup.
enum ProbeSignal: Sendable, Hashable {
    case action(String)
    case replied(String)
    case closed(reason: UInt32)

    init?(_ signal: BusSignal) {
        let second = signal.arguments.last
        switch signal.member {
        case "ActionInvoked":
            guard let key = second?.stringValue else { return nil }
            self = .action(key)
        case "NotificationReplied":
            guard let text = second?.stringValue else { return nil }
            self = .replied(text)
        case "NotificationClosed":
            self = .closed(reason: second?.uint32Value ?? 4)
        default: return nil
        }
    }
}
