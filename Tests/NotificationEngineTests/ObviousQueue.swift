import NotificationModel

/// `DeliveryQueue` in its plainest form, for comparison.
///
/// This queue keeps all popups in one list in order of arrival. For each decision it searches the
/// list from its start, which is far too slow for real use.
struct ObviousQueue {
    struct Popup {
        let token: UInt64
        let key: NotificationKey
        let needsImage: Bool
        var needsAnything: Bool
        var isPosted = false
    }

    struct Claimed {
        enum Stage { case withApp, ready, unmarked }
        let app: ApplicationID
        var stage = Stage.withApp
    }

    struct Pause {
        let reason: PostDelay
        let end: Int64
    }

    /// The maximum number of posts that are sent and not yet marked as delivered.
    let window: Int
    let imageLimit: Int
    private(set) var popups: [Popup] = []
    private(set) var claimed: [UInt64: Claimed] = [:]
    /// The popups whose image or sound is being made, with their apps.
    ///
    /// Some of these popups may have been removed.
    private(set) var gathering: [UInt64: ApplicationID] = [:]
    private var images: Set<UInt64> = []
    private var pauses: [ApplicationID: Pause] = [:]
    private var refusals: [ApplicationID: Int] = [:]
    private var isPaused = false
    private var isCareful = false

    init(window: Int, imageLimit: Int) {
        self.window = window
        self.imageLimit = imageLimit
    }

    // MARK: Events

    mutating func beginDelivery(_ token: UInt64, of app: ApplicationID) {
        claimed[token] = Claimed(app: app)
    }

    mutating func add(_ popup: Popup) {
        popups.append(popup)
        claimed[popup.token]?.stage = .ready
    }

    /// Records that the queue began to make an image or sound.
    ///
    /// Returns false if the queue should have waited.
    mutating func began(_ token: UInt64) -> Bool {
        guard let popup = popups.first(where: { $0.token == token }), popup.needsAnything,
            firstWaiting(of: popup.key.app)?.token == token,
            !gathering.values.contains(popup.key.app)
        else { return false }
        gathering[token] = popup.key.app
        if popup.needsImage { images.insert(token) }
        return images.count <= imageLimit
    }

    mutating func gathered(_ token: UInt64) {
        guard gathering.removeValue(forKey: token) != nil else { return }
        images.remove(token)
        change(token) { $0.needsAnything = false }
    }

    mutating func postEnded(_ token: UInt64) {
        guard let popup = popups.first(where: { $0.token == token }) else { return }
        popups.removeAll { $0.token == token }
        refusals[popup.key.app] = 0
    }

    mutating func delayed(_ token: UInt64, by reason: PostDelay, now: Int64) {
        guard let popup = popups.first(where: { $0.token == token && $0.isPosted }) else { return }
        change(token) { $0.isPosted = false }
        claimed[token]?.stage = .ready
        guard reason != .identifying else { return isPaused = true }
        isCareful = true
        let app = popup.key.app
        guard pauses[app] == nil else { return }
        let refused = refusals[app, default: 0]
        let duplicatePauses: [Int64] = [1_100_000, 2_200_000, 4_400_000, 8_800_000]
        let pause = reason == .full ? 30_000_000 : duplicatePauses[min(refused, 3)]
        pauses[app] = Pause(reason: reason, end: now + pause + pause / 1_000 * (now % 100))
        refusals[app] = refused + 1
    }

    /// Ends the pauses; returns whether the engine should close its oldest popup.
    mutating func endPauses(now: Int64) -> Bool {
        let ended = pauses.filter { $0.value.end <= now }
        for app in ended.keys { pauses[app] = nil }
        return ended.values.contains { $0.reason == .full }
    }

    mutating func roomMade() {
        pauses = pauses.filter { $0.value.reason != .full }
    }

    mutating func serverReady(isCareful: Bool) {
        isPaused = false
        self.isCareful = self.isCareful || isCareful
    }

    /// Forgets the server; returns the unsent posts, in order.
    mutating func serverGone() -> [UInt64] {
        let unsent = popups.filter { !$0.isPosted }.map(\.token)
        popups.removeAll { !$0.isPosted }
        (isPaused, isCareful, pauses, refusals) = (false, false, [:], [:])
        return unsent
    }

    mutating func remove(_ tokens: Set<UInt64>) {
        popups.removeAll { tokens.contains($0.token) && !$0.isPosted }
    }

    mutating func settle(_ token: UInt64) { claimed[token]?.stage = .unmarked }

    mutating func finish(_ tokens: [UInt64]) {
        for token in tokens { claimed[token] = nil }
    }

    // MARK: Expected posts

    /// Posts every popup that may go out, in order; returns the tokens.
    mutating func posts() -> [UInt64] {
        var posts: [UInt64] = []
        while let next = popups.first(where: canPost) {
            change(next.token) { $0.isPosted = true }
            claimed[next.token]?.stage = .unmarked
            posts.append(next.token)
        }
        for app in refusals.keys where isIdle(app) { refusals[app] = nil }
        return posts
    }

    private func canPost(_ popup: Popup) -> Bool {
        let app = popup.key.app
        let posted = popups.filter { $0.isPosted && $0.key.app == app }
        return firstWaiting(of: app)?.token == popup.token && !popup.needsAnything && !isPaused
            && pauses[app] == nil && !posted.contains { $0.key == popup.key }
            && (!isCareful || posted.isEmpty)
            && (claimed[popup.token] == nil || unmarked < window)
    }

    private func firstWaiting(of app: ApplicationID) -> Popup? {
        popups.first { !$0.isPosted && $0.key.app == app }
    }

    private func isIdle(_ app: ApplicationID) -> Bool {
        !apps.contains(app)
    }

    private var unmarked: Int { claimed.values.count { $0.stage == .unmarked } }

    private var apps: Set<ApplicationID> {
        Set(popups.map(\.key.app)).union(claimed.values.map(\.app)).union(pauses.keys)
    }

    /// An app whose first popup waits for an image or sound that the queue should be making now.
    ///
    /// The value is nil if there is no such app.
    var neglected: ApplicationID? {
        apps.first { app in
            guard let first = firstWaiting(of: app), first.needsAnything,
                !gathering.values.contains(app)
            else { return false }
            return !first.needsImage || images.count < imageLimit
        }
    }

    private func isHeldUp(_ app: ApplicationID) -> Bool {
        pauses[app] != nil || firstWaiting(of: app)?.needsAnything == true
    }

    var room: Int {
        let ready = claimed.values.count { $0.stage == .ready && !isHeldUp($0.app) }
        return window - unmarked - ready
    }

    var blockedApps: Set<ApplicationID> {
        apps.filter { app in
            let held = claimed.values.count { delivery in
                delivery.app == app
                    && (delivery.stage == .withApp || delivery.stage == .ready && isHeldUp(app))
            }
            return pauses[app] != nil || held >= window
        }
    }

    func postsAtOnce(_ app: ApplicationID) -> Bool {
        pauses[app] == nil && firstWaiting(of: app) == nil
            && !claimed.values.contains { $0.app == app && $0.stage == .withApp }
    }

    var deadline: Int64? { pauses.values.map(\.end).min() }

    private mutating func change(_ token: UInt64, _ body: (inout Popup) -> Void) {
        guard let place = popups.firstIndex(where: { $0.token == token }) else { return }
        body(&popups[place])
    }
}
