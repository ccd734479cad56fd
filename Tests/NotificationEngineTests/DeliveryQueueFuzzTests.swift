import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// Compares the delivery queue with `ObviousQueue` under random events.
@Suite struct DeliveryQueueFuzzTests {
    private static let eventsOfRound = 250

    @Test func `after each random event the queue decides like a slow and obvious queue`() throws {
        // `make fuzz` tries at least a million events, however short its time is.
        try FuzzRun("delivery-queue", rounds: 100, leastInFuzz: 1_000_000 / Self.eventsOfRound)
            .rounds { _, random in
                var queues = QueuePair(&random)
                for _ in 0..<Self.eventsOfRound { try queues.happen(&random) }
                try queues.endAll()
            }
    }
}

/// Sends each event to both queues, and simulates the engine and the server around them.
private struct QueuePair {
    private enum Event: CaseIterable {
        case add, ask, claim, show, gather, answer, refuse, mark, remove
        case wait, room, ready, gone, stray
    }

    private var queue = DeliveryQueue()
    private var obvious = ObviousQueue(
        window: DeliveryQueue.window, imageLimit: DeliveryQueue.imageLimit)
    private let apps = ["a", "b", "c", "d"].compactMap { try? ApplicationID("org.example.\($0)") }
    /// The events of this round, repeated by their likelihood.
    private var events: [Event] = [.add]
    private var lastToken: UInt64 = 0
    private var now = ClockReading.sample()
    /// The claimed rows whose apps are deciding on them.
    private var withApp: [UInt64] = []
    private var posted: [UInt64] = []
    /// The posted rows that were removed.
    private var withdrawn: Set<UInt64> = []
    /// The claimed rows that the engine has to mark as shown.
    private var settling: [UInt64] = []

    /// Draws the likelihood of each event, so that some rounds have few marks or delays.
    init(_ random: inout SeededGenerator) {
        for event in Event.allCases {
            let most =
                switch event {
                case .gone, .ready, .room, .stray: 1
                case .add: 20
                default: 6
                }
            let count = Int.random(in: 0...most, using: &random)
            events += Array(repeating: event, count: count)
        }
    }

    mutating func happen(_ random: inout SeededGenerator) throws {
        let event = events.randomElement(using: &random) ?? .add
        switch event {
        case .add:
            claim(try app(&random))
            try show(withApp.removeLast(), &random)
        case .ask:
            lastToken += 1
            try show(lastToken, &random)
        case .claim: claim(try app(&random))
        case .show:
            if let token = withApp.randomElement(using: &random) {
                withApp.removeAll { $0 == token }
                try show(token, &random)
            }
        case .gather:
            if let token = obvious.gathering.keys.sorted().randomElement(using: &random) {
                try gathered(token)
            }
        case .answer: if let token = posted.randomElement(using: &random) { try answered(token) }
        case .refuse:
            if let token = posted.randomElement(using: &random) { try refused(token, &random) }
        case .mark: try mark(Int.random(in: 1...20, using: &random))
        case .remove:
            let meant = obvious.popups.filter { _ in Int.random(in: 0..<8, using: &random) == 0 }
            try remove(Set(meant.map(\.token)))
        case .wait: try wait(Int64.random(in: 0...12_000_000, using: &random))
        case .room:
            obvious.roomMade()
            try agree(on: queue.roomMade())
        case .ready: try ready(isCareful: Int.random(in: 0..<4, using: &random) == 0)
        case .gone: try gone()
        case .stray:
            let token = lastToken + 1
            try agree(
                on: (queue.postDelayed(token, by: .full, now: now) ?? [])
                    + queue.factsGathered(token, PostFacts()) + queue.postEnded(token))
        }
    }

    // MARK: Events

    private func app(_ random: inout SeededGenerator) throws -> ApplicationID {
        try #require(apps.randomElement(using: &random))
    }

    private mutating func claim(_ app: ApplicationID) {
        lastToken += 1
        queue.beginDelivery(.sample(Int64(lastToken), of: app), token: lastToken)
        obvious.beginDelivery(lastToken, of: app)
        withApp.append(lastToken)
    }

    private mutating func show(_ token: UInt64, _ random: inout SeededGenerator) throws {
        let app = try queue.deliveries[token]?.app ?? app(&random)
        // There are few identifiers, so that popups replace one another.
        let identifier = "\(Int.random(in: 0..<8, using: &random))"
        let popup = Presentation(
            token: token,
            notification: DeliveredNotification(
                app: app, request: .sample(identifier), date: ManualClock.start),
            application: .sample(app))
        var needs = PostNeeds()
        if Int.random(in: 0..<4, using: &random) == 0 { needs.image = ImageRequest(path: "/p") }
        if Int.random(in: 0..<8, using: &random) == 0 { needs.soundName = "bell" }
        obvious.add(
            ObviousQueue.Popup(
                token: token, key: popup.notification.key, needsImage: needs.image != nil,
                needsAnything: !needs.isEmpty))
        try agree(on: queue.add([(popup, needs)]))
    }

    private mutating func gathered(_ token: UInt64) throws {
        let image = Image(width: 1, height: 1, bytes: [1, 2, 3, 4])
        obvious.gathered(token)
        try agree(on: queue.factsGathered(token, PostFacts(image: image)))
    }

    private mutating func answered(_ token: UInt64) throws {
        posted.removeAll { $0 == token }
        obvious.postEnded(token)
        let effects = queue.postEnded(token)
        settle([token])
        try agree(on: effects)
    }

    private mutating func refused(_ token: UInt64, _ random: inout SeededGenerator) throws {
        let reasons: [PostDelay] = [.duplicate, .duplicate, .full, .identifying]
        let reason = try #require(reasons.randomElement(using: &random))
        if withdrawn.contains(token) {
            let effects = queue.postDelayed(token, by: reason, now: now)
            try #require(effects == nil)
            return try answered(token)
        }
        posted.removeAll { $0 == token }
        obvious.delayed(token, by: reason, now: now.boot)
        let effects = queue.postDelayed(token, by: reason, now: now)
        try agree(on: try #require(effects))
    }

    private mutating func mark(_ count: Int) throws {
        let tokens = Array(settling.prefix(count))
        settling.removeFirst(tokens.count)
        obvious.finish(tokens)
        let (finished, effects) = queue.finish(tokens)
        try #require(finished.count == tokens.count)
        try agree(on: effects)
    }

    private mutating func remove(_ tokens: Set<UInt64>) throws {
        let rows = tokens.filter { queue.deliveries[$0] != nil }
        let (unsent, effects) = queue.withdraw { rows.contains(UInt64($0.claimed.row)) }
        try #require(unsent.map(\.token) == rows.subtracting(posted).sorted())
        withdrawn.formUnion(rows.intersection(posted))
        settle(unsent.map(\.token))
        obvious.remove(rows)
        try agree(on: effects)
        let questions = tokens.subtracting(rows)
        obvious.remove(questions)
        try agree(on: queue.remove(questions))
    }

    private mutating func wait(_ time: Int64) throws {
        now.boot += time
        let closes = obvious.endPauses(now: now.boot)
        let effects = queue.endPauses(now: now)
        try #require(effects.contains(.closeOldest) == closes)
        try agree(on: effects)
    }

    private mutating func ready(isCareful: Bool) throws {
        obvious.serverReady(isCareful: isCareful)
        try agree(on: queue.serverReady(isCareful: isCareful))
    }

    private mutating func gone() throws {
        let unsent = obvious.serverGone()
        try #require(queue.serverGone() == unsent)
        settle(unsent)
        try agree(on: [])
    }

    /// Settles deliveries as the engine does; a popup that asks the user a question has none.
    private mutating func settle(_ tokens: [UInt64]) {
        for token in tokens where queue.deliveries[token] != nil {
            queue.change(token) { $0.stage = .settling }
            obvious.settle(token)
            settling.append(token)
        }
    }

    /// Ends every delivery that is on its way.
    mutating func endAll() throws {
        settle(withApp)
        try ready(isCareful: false)
        var turns = 0
        while !obvious.popups.isEmpty || !settling.isEmpty || !obvious.gathering.isEmpty {
            for token in obvious.gathering.keys.sorted() { try gathered(token) }
            for token in posted { try answered(token) }
            try mark(settling.count)
            try wait(40_000_000)
            turns += 1
            try #require(
                turns < 1_000,
                "after 1,000 rounds \(obvious.popups.count) popups still wait")
        }
        try #require(queue.deliveries.isEmpty && queue.deadline == nil)
        try #require(queue.room == DeliveryQueue.window && queue.blockedApps.isEmpty)
    }

    // MARK: Comparison

    /// Requires that both queues send the same posts in the same order, and have equal states.
    private mutating func agree(on effects: [EngineEffect]) throws {
        let posts = obvious.posts()
        try #require(posts == effects.presented.map(\.token))
        posted += posts
        for effect in effects {
            guard case .gather(let token, _, _) = effect else { continue }
            let mayGather = obvious.began(token)
            try #require(mayGather)
        }
        try #require(obvious.neglected == nil)
        try #require(queue.room == obvious.room)
        try #require(queue.blockedApps == obvious.blockedApps)
        try #require(queue.deadline == obvious.deadline)
        for app in apps { try #require(queue.postsAtOnce(app) == obvious.postsAtOnce(app)) }
    }
}
