struct Subscription {
    let rule: MatchRule
    let liveness: BusSubscription.Liveness
    let handler: @Sendable (BusSignal) -> Void

    func wants(_ message: IncomingMessage, owners: [BusName: TrackedOwner]) -> Bool {
        guard rule.fits(message) else { return false }
        guard let wanted = rule.sender else { return true }
        guard let sender = message.sender else { return false }
        return sender == wanted || owners[wanted]?.owner == sender
    }
}

/// One match rule at the bus, shared by all subscriptions with this rule.
struct Match {
    var uses = 1
    /// The callbacks that wait for the bus's answer to AddMatch; nil after the answer.
    var waiters: [(Result<Void, BusError>) -> Void]?
}

/// A name that the connection follows: the bus reports each change of the name's owner.
struct TrackedOwner {
    var uses = 1
    var owner: BusName?
    var isKnown = false
    var watchers: [Watcher] = []
    /// The callbacks that wait until the owner is first known.
    var waiters: [(Result<Void, BusError>) -> Void] = []

    struct Watcher {
        let liveness: BusSubscription.Liveness
        let handler: @Sendable (BusName?) -> Void
    }

    static func rule(for name: BusName) -> String {
        MatchRule(
            sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
            argument0: name.rawValue
        ).text
    }
}

struct OwnedName {
    let flags: NameFlags
    let lost: @Sendable () -> Void
}
