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
        /// Call `pauseEnded` after this many milliseconds.
        case resume(ApplicationID, afterMilliseconds: Int)
        /// Make room on a server that has too many of ours.
        case closeOldest
    }

    /// Why a server refused a post for now.
    enum Refusal: Hashable {
        /// It looks like the one before it.
        case duplicate
        /// There are too many.
        case full
    }

    /// How long a server that found a post too alike is left alone, in milliseconds.
    static let duplicatePause = 1_100
    /// How long we wait for a popup to leave before we close our oldest, in milliseconds.
    static let fullPause = 30_000

    private struct Lane {
        var waiting: [Presentation] = []
        var inFlight: [NotificationKey] = []
        var refusal: Refusal?
        var refusals = 0
    }

    private var lanes: [ApplicationID: Lane] = [:]
    /// Whether one post has to be answered before the next of its app goes out.
    var isCareful: Bool

    init(isCareful: Bool = false) {
        self.isCareful = isCareful
    }

    /// Whether any post waits for its answer.
    var hasPostsInFlight: Bool { lanes.values.contains { !$0.inFlight.isEmpty } }

    /// Whether a post of this notification waits for its answer.
    func isInFlight(_ key: NotificationKey) -> Bool {
        lanes[key.app]?.inFlight.contains(key) ?? false
    }

    mutating func enqueue(_ presentation: Presentation) -> [Effect] {
        let app = presentation.notification.app
        lanes[app, default: Lane()].waiting.append(presentation)
        return advance(app)
    }

    mutating func accepted(_ presentation: Presentation) -> [Effect] {
        land(presentation)
        lanes[presentation.notification.app]?.refusals = 0
        return advance(presentation.notification.app)
    }

    /// The server wants it later; from now on this server is served with care.
    mutating func refused(_ presentation: Presentation, _ refusal: Refusal) -> [Effect] {
        let app = presentation.notification.app
        isCareful = true
        land(presentation)
        lanes[app]?.waiting.insert(presentation, at: 0)
        lanes[app]?.waiting.sort { $0.token < $1.token }
        guard lanes[app]?.refusal == nil else { return [] }
        let refusals = lanes[app]?.refusals ?? 0
        lanes[app]?.refusals = refusals + 1
        lanes[app]?.refusal = refusal
        let pause = refusal == .full ? Self.fullPause : Self.duplicatePause << min(refusals, 3)
        return [.backoff(app, isWaiting: true), .resume(app, afterMilliseconds: pause)]
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

    /// The server has gone: what it did not get is given back.
    mutating func serverGone() -> [Presentation] {
        let waiting = lanes.values.flatMap(\.waiting)
        lanes = [:]
        return waiting.sorted { $0.token < $1.token }
    }

    private mutating func release(_ app: ApplicationID) -> [Effect] {
        lanes[app]?.refusal = nil
        return [.backoff(app, isWaiting: false)] + advance(app)
    }

    private mutating func land(_ presentation: Presentation) {
        let key = presentation.notification.key
        let app = presentation.notification.app
        if let index = lanes[app]?.inFlight.firstIndex(of: key) {
            lanes[app]?.inFlight.remove(at: index)
        }
    }

    private mutating func advance(_ app: ApplicationID) -> [Effect] {
        guard var lane = lanes[app], lane.refusal == nil else { return [] }
        var effects: [Effect] = []
        while let next = lane.waiting.first, !lane.inFlight.contains(next.notification.key),
            !isCareful || lane.inFlight.isEmpty
        {
            lane.waiting.removeFirst()
            lane.inFlight.append(next.notification.key)
            effects.append(.send(next))
        }
        lanes[app] = lane.waiting.isEmpty && lane.inFlight.isEmpty ? nil : lane
        return effects
    }
}
