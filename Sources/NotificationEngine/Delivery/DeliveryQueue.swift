import NotificationModel
internal import NotificationStore

/// Orders the deliveries of due rows (stored requests), in one lane (a queue) for each app; pure.
///
/// It owns the claimed rows, the order of their posts, the unanswered posts, and the pauses.
/// Permission questions and restored popups use the same lanes. Its effects are `present`, `gather`
/// and `closeOldest`.
///
/// The posts of one app keep their order, but an app may overtake another app. Two posts of one
/// identifier never overlap, because the second post names the popup that it replaces. At most
/// `window` rows are sent and not durably marked as delivered. After a crash, only these rows can
/// appear twice.
///
/// It never reads a clock, and never decides what a popup shows.
struct DeliveryQueue {
    /// The most rows that are sent and not durably marked as delivered.
    static let window = StoreLimits.presenting
    /// The most images that are made at a time; for one app, one image at a time.
    static let imageLimit = 2
    /// The first pause after the server refuses a post as a duplicate, in microseconds.
    static let duplicatePause: Int64 = 1_100_000
    /// The pause after the server reports too many popups, in microseconds.
    ///
    /// After the pause our oldest popup is closed.
    static let roomPause: Int64 = 30_000_000
    private static let doublings = 3

    /// A popup in a lane; a class, because a dictionary copies a structure to read one field.
    private final class Entry: Sendable {
        let sequence: UInt64
        let presentation: Presentation
        let needs: PostNeeds

        init(sequence: UInt64, presentation: Presentation, needs: PostNeeds) {
            self.sequence = sequence
            self.presentation = presentation
            self.needs = needs
        }

        var key: NotificationKey { presentation.notification.key }
    }

    private struct Lane {
        /// The entries that were not sent to the server, in order.
        var waiting: [UInt64] = []
        /// The entries that the server has not answered.
        var posted: [NotificationKey: UInt64] = [:]
        /// The reason and the end of the lane's pause, on the boot-time clock in microseconds.
        var pause: (reason: PostDelay, end: Int64)?
        /// The number of refusals since a post of this app last ended.
        var refusals = 0
        /// How many rows of the app are being prepared (`withApp`), wait in the lane (`ready`), or
        /// are sent but not durably marked (`unmarked`).
        var withApp = 0
        var ready = 0
        var unmarked = 0

        var isIdle: Bool {
            waiting.isEmpty && posted.isEmpty && pause == nil && withApp + ready + unmarked == 0
        }
    }

    private(set) var deliveries: [UInt64: Delivery] = [:]
    private var entries: [UInt64: Entry] = [:]
    private var lanes: [ApplicationID: Lane] = [:]
    /// The number of rows that are sent and not durably marked.
    private var unmarked = 0
    /// The apps, in order, whose first entry needs facts that are not being gathered yet.
    private var gatherQueue: [ApplicationID] = []
    /// The entries whose facts are being gathered; an entry may be removed during that time.
    private var gathering: [UInt64: (app: ApplicationID, makesImage: Bool)] = [:]
    private var sequence: UInt64 = 0
    /// Whether the server is being identified; during that time no post is sent.
    private var isPaused = false
    /// Whether an app may have only one unanswered post.
    private var isCareful = false

    // MARK: Claimed rows

    mutating func beginDelivery(_ delivery: Delivery, token: UInt64) {
        deliveries[token] = delivery
        count(delivery.stage, of: delivery.app, 1)
    }

    mutating func change(_ token: UInt64, _ body: (inout Delivery) -> Void) {
        guard let place = deliveries.index(forKey: token) else { return }
        func change(
            _ delivery: inout Delivery
        ) -> (app: ApplicationID, from: Delivery.Stage, to: Delivery.Stage) {
            let former = delivery.stage
            body(&delivery)
            return (delivery.app, former, delivery.stage)
        }
        let (app, former, stage) = change(&deliveries.values[place])
        count(former, of: app, -1)
        count(stage, of: app, 1)
    }

    mutating func finish(_ tokens: [UInt64]) -> (finished: [Delivery], effects: [EngineEffect]) {
        let finished = takeDeliveries(tokens)
        return (finished, advance(Array(lanes.keys)))
    }

    /// Removes these rows and returns their deliveries.
    ///
    /// Pass only rows that are in no lane, or whose post has ended.
    mutating func takeDeliveries(_ tokens: [UInt64]) -> [Delivery] {
        tokens.compactMap { token in
            guard let delivery = deliveries.removeValue(forKey: token) else { return nil }
            count(delivery.stage, of: delivery.app, -1)
            clearIdle(delivery.app)
            return delivery
        }
    }

    private mutating func count(
        _ stage: Delivery.Stage, of app: ApplicationID, _ difference: Int
    ) {
        switch stage {
        case .early, .localizing, .queued, .extending, .revising, .asking:
            lanes[app, default: Lane()].withApp += difference
        case .ready:
            lanes[app, default: Lane()].ready += difference
        case .posted, .settling:
            lanes[app, default: Lane()].unmarked += difference
            unmarked += difference
        }
    }

    /// Whether any post is unanswered, including posts of questions and of restored popups.
    var hasUnansweredPosts: Bool { lanes.values.contains { !$0.posted.isEmpty } }

    // MARK: Room

    /// The number of rows that may be claimed now.
    ///
    /// A row that waits for its app, for its facts or for the end of a pause takes no room from
    /// other apps.
    var room: Int {
        lanes.reduce(Self.window - unmarked) { rest, lane in
            isHeldUp(lane.value) ? rest : rest - lane.value.ready
        }
    }

    /// The apps whose rows must not be claimed now.
    var blockedApps: Set<ApplicationID> {
        Set(
            lanes.filter { _, lane in
                let held = lane.withApp + (isHeldUp(lane) ? lane.ready : 0)
                return lane.pause != nil || held >= Self.window
            }.keys)
    }

    /// Whether a new row of the app without `needs` would wait only for the server.
    ///
    /// If so, the lane has no pause, no unsent entry, and no row that is still being prepared.
    func postsAtOnce(_ app: ApplicationID) -> Bool {
        guard let lane = lanes[app] else { return true }
        return lane.pause == nil && lane.waiting.isEmpty && lane.withApp == 0
    }

    private func isHeldUp(_ lane: Lane) -> Bool {
        lane.pause != nil || !(lane.waiting.first.flatMap { entries[$0] }?.needs.isEmpty ?? true)
    }

    // MARK: Posts

    mutating func add(_ posts: [(presentation: Presentation, needs: PostNeeds)]) -> [EngineEffect] {
        for (presentation, needs) in posts {
            let token = presentation.token
            sequence += 1
            entries[token] = Entry(sequence: sequence, presentation: presentation, needs: needs)
            lanes[presentation.notification.app, default: Lane()].waiting.append(token)
            change(token) { $0.stage = .ready }
        }
        return advance(Array(Set(posts.map(\.presentation.notification.app))))
    }

    /// Takes the gathered facts of a post; a fact that could not be gathered is missing.
    mutating func factsGathered(_ token: UInt64, _ facts: PostFacts) -> [EngineEffect] {
        guard let app = gathering.removeValue(forKey: token)?.app else { return [] }
        if let entry = entries[token] {
            var presentation = entry.presentation
            presentation.image = facts.image
            presentation.sound = facts.sound
            presentation.isInSilence = facts.isInSilence
            presentation.threadCount = facts.thread.union(thread(of: entry)).count
            entries[token] = Entry(
                sequence: entry.sequence, presentation: presentation, needs: PostNeeds())
        }
        return advance([app])
    }

    /// Ends a post that the server accepted, or refused for good.
    mutating func postEnded(_ token: UInt64) -> [EngineEffect] {
        guard let entry = entries.removeValue(forKey: token) else { return [] }
        let app = entry.key.app
        lanes[app]?.posted[entry.key] = nil
        lanes[app]?.refusals = 0
        return advance([app])
    }

    /// Puts a postponed post back in its place in the lane.
    ///
    /// Returns nil if the row of the post was withdrawn.
    ///
    /// If the server is being identified, all lanes pause. A refusal pauses only the app's lane,
    /// with some jitter, so that programs do not retry together. After the first refusal each app
    /// has at most one unanswered post on this server. A postponed post does not count as sent, so
    /// it leaves room for the posts of other apps.
    mutating func postDelayed(
        _ token: UInt64, by delay: PostDelay, now: ClockReading
    ) -> [EngineEffect]? {
        if deliveries[token]?.isRemoved == true { return nil }
        guard let entry = entries[token], var lane = lanes[entry.key.app],
            lane.posted.removeValue(forKey: entry.key) != nil
        else { return [] }
        let place = lane.waiting.firstIndex { (entries[$0]?.sequence ?? 0) > entry.sequence }
        lane.waiting.insert(token, at: place ?? lane.waiting.endIndex)
        if delay == .identifying {
            isPaused = true
        } else {
            isCareful = true
            if lane.pause == nil {
                let doubled = Self.duplicatePause << min(lane.refusals, Self.doublings)
                let pause = delay == .full ? Self.roomPause : doubled
                lane.pause = (delay, now.boot + pause + pause / 1_000 * (now.boot % 100))
                lane.refusals += 1
            }
        }
        lanes[entry.key.app] = lane
        change(token) { $0.stage = .ready }
        return advance(Array(lanes.keys))
    }

    /// The next end of a pause on the boot-time clock, in microseconds; nil if no lane pauses.
    var deadline: Int64? {
        lanes.values.lazy.compactMap(\.pause?.end).min()
    }

    /// Resumes lanes whose pause is over; if such a lane waited for room, closes our oldest popup.
    mutating func endPauses(now: ClockReading) -> [EngineEffect] {
        let ended = lanes.filter { ($0.value.pause?.end ?? .max) <= now.boot }
        let isFull = ended.values.contains { $0.pause?.reason == .full }
        return (isFull ? [.closeOldest] : []) + resume(Array(ended.keys))
    }

    /// Resumes the lanes that wait for room, because one of our popups left the screen.
    mutating func roomMade() -> [EngineEffect] {
        resume(lanes.filter { $0.value.pause?.reason == .full }.map(\.key))
    }

    private mutating func resume(_ apps: [ApplicationID]) -> [EngineEffect] {
        for app in apps { lanes[app]?.pause = nil }
        return advance(apps)
    }

    // MARK: The server

    mutating func serverReady(isCareful: Bool) -> [EngineEffect] {
        isPaused = false
        self.isCareful = isCareful || self.isCareful
        return advance(Array(lanes.keys))
    }

    /// Empties the lanes after the server left, and returns the unsent tokens in their order.
    ///
    /// A sent post stays until the presenter reports its outcome.
    mutating func serverGone() -> [UInt64] {
        let unsent = lanes.values.flatMap(\.waiting)
            .sorted { (entries[$0]?.sequence ?? 0) < (entries[$1]?.sequence ?? 0) }
        (isPaused, isCareful, gatherQueue) = (false, false, [])
        for token in unsent { entries[token] = nil }
        for app in Array(lanes.keys) {
            lanes[app]?.waiting = []
            lanes[app]?.pause = nil
            lanes[app]?.refusals = 0
            clearIdle(app)
        }
        return unsent
    }

    // MARK: Withdrawal

    /// Withdraws rows that were removed or replaced, or all rows when the engine stops.
    ///
    /// - An unsent row leaves its lane, even if the lane pauses, and gets the stage `settling`.
    ///   `unsent` has the row's delivery from before this change.
    /// - The post of a sent row continues, but a postponed post is not repeated.
    /// - A row in `revising` ends when its revision is stored.
    mutating func withdraw(
        where isMeant: (Delivery) -> Bool
    ) -> (unsent: [(token: UInt64, delivery: Delivery)], effects: [EngineEffect]) {
        var unsent: [(token: UInt64, delivery: Delivery)] = []
        let meant = deliveries.filter { isMeant($0.value) }.sorted { $0.key < $1.key }
        for (token, delivery) in meant {
            switch delivery.stage {
            case .early, .localizing, .queued, .extending, .asking, .ready:
                unsent.append((token, delivery))
                change(token) { $0.stage = .settling }
            case .revising, .posted: change(token) { $0.isRemoved = true }
            case .settling: break
            }
        }
        return (unsent, remove(Set(unsent.map(\.token))))
    }

    /// Removes unsent entries, and resumes the entries behind them.
    mutating func remove(_ tokens: Set<UInt64>) -> [EngineEffect] {
        let unsent = tokens.filter { !isPosted($0) }
        let apps = Set(unsent.compactMap { entries.removeValue(forKey: $0)?.key.app })
        for app in apps { lanes[app]?.waiting.removeAll { unsent.contains($0) } }
        return advance(Array(apps))
    }

    /// Whether the server was asked to show this post, and has not answered.
    func isPosted(_ token: UInt64) -> Bool {
        entries[token].map { lanes[$0.key.app]?.posted[$0.key] == token } ?? false
    }

    /// The token of a notification's unsent post; nil if the notification has no unsent post.
    func unsent(_ key: NotificationKey) -> UInt64? {
        lanes[key.app]?.waiting.first { entries[$0]?.key == key }
    }

    // MARK: Order

    /// Posts all entries that may be sent, in the order of arrival, and gathers the facts that
    /// lanes wait for.
    private mutating func advance(_ apps: [ApplicationID]) -> [EngineEffect] {
        var posts: [Presentation] = []
        var open = apps.filter(canPost)
        while let app = open.min(by: { order(of: $0) < order(of: $1) }) {
            if let presentation = post(from: app) { posts.append(presentation) }
            open = open.filter(canPost)
        }
        for app in apps { clearIdle(app) }
        return (posts.isEmpty ? [] : [.present(posts)]) + gather(for: apps)
    }

    private func first(of app: ApplicationID) -> Entry? {
        lanes[app]?.waiting.first.flatMap { entries[$0] }
    }

    private func order(of app: ApplicationID) -> UInt64 { first(of: app)?.sequence ?? .max }

    private func canPost(_ app: ApplicationID) -> Bool {
        guard !isPaused, let lane = lanes[app], lane.pause == nil, let entry = first(of: app),
            entry.needs.isEmpty, lane.posted[entry.key] == nil, !isCareful || lane.posted.isEmpty
        else { return false }
        return unmarked < Self.window || deliveries[entry.presentation.token] == nil
    }

    private mutating func post(from app: ApplicationID) -> Presentation? {
        guard let token = lanes[app]?.waiting.removeFirst(), let entry = entries[token] else {
            return nil
        }
        lanes[app]?.posted[entry.key] = token
        change(token) { $0.stage = .posted }
        return entry.presentation
    }

    /// Starts to gather facts for the waiting apps, with a limited number of images at once.
    private mutating func gather(for apps: [ApplicationID]) -> [EngineEffect] {
        let waiting = apps.filter { app in
            !(first(of: app)?.needs.isEmpty ?? true) && !gatherQueue.contains(app)
                && !gathering.values.contains { $0.app == app }
        }
        gatherQueue += waiting.sorted { order(of: $0) < order(of: $1) }
        var effects: [EngineEffect] = []
        gatherQueue = gatherQueue.filter { app in
            guard let entry = first(of: app), !entry.needs.isEmpty else { return false }
            let (token, makesImage) = (entry.presentation.token, entry.needs.image != nil)
            guard !makesImage || gathering.values.count(where: \.makesImage) < Self.imageLimit
            else { return true }
            gathering[token] = (app, makesImage)
            effects.append(.gather(token: token, app, entry.needs))
            return false
        }
        return effects
    }

    /// The keys of this notification, and of its thread's deliveries for which `isInThread` is
    /// true.
    private func thread(of entry: Entry) -> Set<NotificationKey> {
        let app = entry.key.app
        let thread = entry.presentation.notification.request.content.threadIdentifier
        let ahead = deliveries.values.lazy.filter { delivery in
            delivery.isInThread && delivery.app == app
                && delivery.claimed.request.content.threadIdentifier == thread
        }
        return Set(ahead.map(\.key)).union([entry.key])
    }

    private mutating func clearIdle(_ app: ApplicationID) {
        if lanes[app]?.isIdle == true { lanes[app] = nil }
    }
}
