internal import NotificationModel

/// In which order and how fast popups go to the server; pure.
///
/// Each app has a lane: its order is kept, other apps overtake it while it has to wait. Two posts
/// of one identifier never overlap, or the second would not know the id it replaces.
struct PostQueue {
    /// What the presenter has to do.
    enum Effect: Hashable {
        case send(Presentation)
        /// The app's lane stands still, or goes on.
        case backoff(ApplicationID, isWaiting: Bool)
        /// Call `pauseEnded` after this time.
        case resume(ApplicationID, after: Duration)
        /// Make room on a server that has too many of ours.
        case closeOldest
    }

    /// Why a server refused a post for now.
    enum Refusal: Hashable, Sendable {
        /// It looks like the one before it.
        case duplicate
        /// There are too many.
        case full
    }

    /// How often the pause after a duplicate doubles.
    private static let doublings = 3

    private var lanes: [ApplicationID: PostLane] = [:]
    private var sequence: UInt64 = 0
    private let pauses: Pauses
    /// Whether one post has to be answered before the next of its app goes out.
    private(set) var isCareful: Bool

    init(isCareful: Bool = false, pauses: Pauses = Pauses()) {
        self.isCareful = isCareful
        self.pauses = pauses
    }

    /// Whether a post of this notification waits for its answer.
    func isInFlight(_ key: NotificationKey) -> Bool {
        lanes[key.app]?.isInFlight(key) ?? false
    }

    mutating func enqueue(_ presentation: Presentation) -> [Effect] {
        let app = presentation.notification.app
        sequence += 1
        lanes[app, default: PostLane()].append(presentation, sequence: sequence)
        return advance(app)
    }

    /// The server took it, or refused it for good.
    mutating func ended(_ presentation: Presentation) -> [Effect] {
        let app = presentation.notification.app
        lanes[app]?.land(presentation)
        lanes[app]?.refusals = 0
        return advance(app)
    }

    /// The server wants it later; from now on this server is served with care.
    mutating func refused(_ presentation: Presentation, _ refusal: Refusal) -> [Effect] {
        let app = presentation.notification.app
        isCareful = true
        lanes[app]?.putBack(presentation)
        guard let lane = lanes[app], lane.refusal == nil else { return [] }
        lanes[app]?.refusals += 1
        lanes[app]?.refusal = refusal
        let pause =
            refusal == .full
            ? pauses.room : pauses.duplicate * (1 << min(lane.refusals, Self.doublings))
        return [.backoff(app, isWaiting: true), .resume(app, after: pause)]
    }

    /// The pause of a lane is over.
    mutating func pauseEnded(_ app: ApplicationID) -> [Effect] {
        guard let refusal = lanes[app]?.refusal else { return [] }
        let makesRoom: [Effect] = refusal == .full ? [.closeOldest] : []
        return makesRoom + release(app)
    }

    /// A popup of ours has left the screen.
    mutating func roomMade() -> [Effect] {
        let full = lanes.filter { $0.value.refusal == .full }.keys
        return full.sorted { $0.rawValue < $1.rawValue }.flatMap { release($0) }
    }

    /// Takes out what waits under these keys, and returns it.
    mutating func withdraw(_ keys: Set<NotificationKey>) -> [Presentation] {
        takeOut(of: Set(keys.map(\.app))) { keys.contains($0.notification.key) }
    }

    /// The same by the tokens of the attempts.
    mutating func recall(_ tokens: Set<UInt64>) -> [Presentation] {
        takeOut(of: Set(lanes.keys)) { tokens.contains($0.token) }
    }

    private mutating func takeOut(
        of apps: Set<ApplicationID>, where isWanted: (Presentation) -> Bool
    ) -> [Presentation] {
        apps.sorted { $0.rawValue < $1.rawValue }.flatMap { app in
            let removed = lanes[app]?.remove(where: isWanted) ?? []
            if lanes[app]?.isIdle == true { lanes[app] = nil }
            return removed
        }
    }

    /// The server has gone: what it did not get is given back, in order.
    mutating func serverGone() -> [Presentation] {
        let waiting = lanes.values.flatMap(\.unsent)
        lanes = [:]
        return waiting.sorted { $0.sequence < $1.sequence }.map(\.presentation)
    }

    private mutating func release(_ app: ApplicationID) -> [Effect] {
        lanes[app]?.refusal = nil
        return [.backoff(app, isWaiting: false)] + advance(app)
    }

    private mutating func advance(_ app: ApplicationID) -> [Effect] {
        var effects: [Effect] = []
        while let next = lanes[app]?.next(isCareful: isCareful) { effects.append(.send(next)) }
        if lanes[app]?.isIdle == true { lanes[app] = nil }
        return effects
    }
}
