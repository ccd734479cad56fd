import NotificationModel
import NotificationStore
import StoreSupport
import TestSupport
import Testing

@testable import NotificationEngine

/// The order and the pace of the popups that the queue sends to the server.
///
/// Each app has its own lane, so one app can wait while other apps' popups are sent.
struct DeliveryQueueTests {
    private var queue = DeliveryQueue()
    private let now = ClockReading.sample()
    private static let image = Image(width: 1, height: 1, bytes: [1, 2, 3, 4])

    /// Returns a popup of the app `org.example.a` or another; the token is its default identifier.
    static func popup(
        _ token: UInt64, _ app: String = "a", identifier: String? = nil
    ) throws -> Presentation {
        let id = try ApplicationID("org.example.\(app)")
        return Presentation(
            token: token,
            notification: DeliveredNotification(
                app: id, request: .sample(identifier ?? "\(token)"), date: ManualClock.start),
            application: .sample(id))
    }

    /// Returns the decisions as texts: `post 1`, `post 1 made` (with an image), `make 1`, `close`.
    static func texts(_ effects: [EngineEffect]) -> [String] {
        effects.flatMap { effect in
            switch effect {
            case .present(let popups):
                popups.map { "post \($0.token)" + ($0.image == nil ? "" : " made") }
            case .gather(let token, _, _): ["make \(token)"]
            case .closeOldest: ["close"]
            default: ["not an effect of the queue: \(effect)"]
            }
        }
    }

    private mutating func add(
        _ token: UInt64, _ app: String = "a", identifier: String? = nil,
        needsImage: Bool = false
    ) throws -> [String] {
        let order = needsImage ? ImageRequest(path: "/\(token)") : nil
        return Self.texts(
            queue.add([
                (try Self.popup(token, app, identifier: identifier), PostNeeds(image: order))
            ]))
    }

    private mutating func made(_ token: UInt64, _ image: Image? = image) -> [String] {
        Self.texts(queue.factsGathered(token, PostFacts(image: image)))
    }

    private mutating func postEnded(_ token: UInt64) -> [String] {
        Self.texts(queue.postEnded(token))
    }

    /// Ends the queue's pauses at `now` plus this time, and returns the queue's decisions.
    private mutating func later(by pause: Int64) -> [String] {
        var later = now
        later.boot += pause
        return Self.texts(queue.endPauses(now: later))
    }

    /// The pause of the only waiting lane, without the part that depends on `now`.
    private var pause: Int64? {
        queue.deadline.map { deadline in
            let whole = deadline - now.boot
            return whole * 1_000 / (1_000 + now.boot % 100) / 100_000 * 100_000
        }
    }

    // MARK: Order

    @Test mutating func `posts go out at once and in order`() throws {
        for token in 1...100 as ClosedRange<UInt64> {
            #expect(try add(token) == ["post \(token)"])
        }
    }

    @Test mutating func `two posts of one identifier never overlap`() throws {
        #expect(try add(1, identifier: "x") == ["post 1"])
        #expect(try add(2, identifier: "x") == [])
        #expect(try add(3) == [], "post 3 is of the same app, so it stays behind post 2")
        #expect(postEnded(1) == ["post 2", "post 3"])
        #expect(try add(4, "b", identifier: "x") == ["post 4"])
    }

    @Test
    mutating func `a careful queue waits for the answer to an app's post before the next post`()
        throws
    {
        _ = queue.serverReady(isCareful: true)
        #expect(try add(1) == ["post 1"])
        #expect(try add(2) == [])
        #expect(try add(3, "b") == ["post 3"])
        #expect(postEnded(1) == ["post 2"])
        #expect(postEnded(2) == [])
    }

    @Test mutating func `at most 64 requests are sent before the store marks one as delivered`()
        throws
    {
        var posted: [String] = []
        for token in 1...100 as ClosedRange<UInt64> {
            queue.beginDelivery(
                .sample(Int64(token), of: try ApplicationID("org.example.a")), token: token)
            posted += try add(token)
        }
        #expect(posted == (1...64).map { "post \($0)" })
        #expect(queue.room < 0)
        #expect(
            postEnded(1) == [], "row 1 counts as sent until the store has marked it as delivered")
        queue.change(1) { $0.stage = .settling }
        #expect(Self.texts(queue.finish([1]).effects) == ["post 65"])
    }

    /// The placeholder of hidden texts must not say "2 messages" for one message.
    @Test
    mutating func `a withdrawn request is not counted in its thread while its removal is stored`()
        throws
    {
        let app = try ApplicationID("org.example.a")
        for token in 1...2 as ClosedRange<UInt64> {
            queue.beginDelivery(.sample(Int64(token), of: app), token: token)
            _ = try add(token, needsImage: true)
        }
        _ = queue.withdraw { $0.claimed.row == 1 }
        #expect(made(1) == ["make 2"])
        let effects = queue.factsGathered(2, PostFacts())
        guard case .present(let popups) = effects.first else {
            Issue.record("the effects are \(effects)")
            return
        }
        #expect(popups.map(\.threadCount) == [1])
    }

    // MARK: A server that says "later"

    @Test
    mutating func `a request that the server delays takes no place among the 64 sent requests`()
        throws
    {
        for token in 1...64 as ClosedRange<UInt64> {
            queue.beginDelivery(
                .sample(Int64(token), of: try ApplicationID("org.example.a")), token: token)
            _ = try add(token)
        }
        queue.beginDelivery(.sample(65, of: try ApplicationID("org.example.b")), token: 65)
        #expect(try add(65, "b") == [])
        #expect(Self.texts(queue.postDelayed(1, by: .duplicate, now: now) ?? []) == ["post 65"])
    }

    @Test mutating func `a post delayed as a duplicate waits longer each time and stays in order`()
        throws
    {
        _ = try add(1)
        _ = try add(2)
        _ = queue.postDelayed(1, by: .duplicate, now: now)
        #expect(pause == 1_100_000)
        _ = queue.postDelayed(2, by: .duplicate, now: now)
        #expect(pause == 1_100_000, "a refusal during a pause does not make it longer")
        for pause: Int64 in [2_200_000, 4_400_000, 8_800_000, 8_800_000] {
            #expect(
                later(by: 10_000_000) == ["post 1"],
                "after a refusal the queue sends one post of an app at a time")
            _ = queue.postDelayed(1, by: .duplicate, now: now)
            #expect(self.pause == pause)
        }
        #expect(later(by: 10_000_000) == ["post 1"])
        #expect(postEnded(1) == ["post 2"], "post 2 waited until post 1 had ended")
        _ = queue.postDelayed(2, by: .duplicate, now: now)
        #expect(pause == 1_100_000, "after a success the pause is short again")
    }

    @Test mutating func `posts of other apps overtake an app that waits`() throws {
        _ = try add(1)
        _ = queue.postDelayed(1, by: .duplicate, now: now)
        #expect(try add(2) == [])
        #expect(queue.blockedApps.map(\.rawValue) == ["org.example.a"])
        #expect(try add(3, "b") == ["post 3"])
        #expect(postEnded(3) == [])
        #expect(
            queue.roomMade().isEmpty,
            "the pause after a refused duplicate does not end with new room")
    }

    @Test mutating func `on a server without room every delayed app waits`() throws {
        _ = try add(2, "b")
        _ = try add(1)
        _ = try add(3)
        for token: UInt64 in [2, 1, 3] { _ = queue.postDelayed(token, by: .full, now: now) }
        #expect(pause == 30_000_000)
        #expect(Self.texts(queue.roomMade()) == ["post 2", "post 1"])
        #expect(queue.roomMade().isEmpty)
        #expect(queue.deadline == nil, "the first report of room ended both pauses")
    }

    @Test mutating func `after 30 seconds without room the oldest popup is closed`() throws {
        _ = try add(1)
        _ = queue.postDelayed(1, by: .full, now: now)
        #expect(later(by: 29_999_999) == [])
        #expect(later(by: 33_000_000) == ["close", "post 1"])
    }

    @Test mutating func `the delayed posts of a burst go out again in their order`() throws {
        for token in 0..<20 as Range<UInt64> { _ = try add(token) }
        let refused: [UInt64] = [3, 0, 19, 7, 1, 2]
        // The server answers in any order.
        for token in refused { _ = queue.postDelayed(token, by: .duplicate, now: now) }
        for token in 0..<20 as Range<UInt64> where !refused.contains(token) {
            #expect(postEnded(token) == [])
        }
        var order = later(by: 2_000_000)
        while let last = order.last, let token = UInt64(last.dropFirst("post ".count)) {
            let next = postEnded(token)
            if next.isEmpty { break }
            order += next
        }
        #expect(order == [0, 1, 2, 3, 7, 19].map { "post \($0)" })
    }

    @Test
    mutating func `posts wait while the server is being identified, and then are sent in order`()
        throws
    {
        _ = try add(1)
        _ = try add(2, "b")
        _ = queue.postDelayed(1, by: .identifying, now: now)
        _ = queue.postDelayed(2, by: .identifying, now: now)
        #expect(try add(3) == [])
        #expect(queue.deadline == nil)
        #expect(
            Self.texts(queue.serverReady(isCareful: false)) == ["post 1", "post 2", "post 3"])
    }

    @Test
    mutating func `if the server leaves, the queue returns the delayed post and the unsent posts`()
        throws
    {
        _ = queue.serverReady(isCareful: true)
        for token in 1...8 as ClosedRange<UInt64> {
            _ = try add(token, token.isMultiple(of: 2) ? "b" : "a")
        }
        _ = queue.postDelayed(1, by: .duplicate, now: now)
        #expect(queue.serverGone() == [1, 3, 4, 5, 6, 7, 8])
        #expect(queue.serverGone() == [])
        #expect(queue.deadline == nil)
        #expect(postEnded(2) == [])
        #expect(try add(9) == ["post 9"])
    }

    @Test mutating func `posts that were not sent to the server can be taken out of the queue`()
        throws
    {
        _ = queue.serverReady(isCareful: true)
        for token in 1...3 as ClosedRange<UInt64> { _ = try add(token) }
        let key = try Self.popup(2).notification.key
        #expect(queue.unsent(key) == 2)
        #expect(
            queue.unsent(try Self.popup(1).notification.key) == nil,
            "post 1 was sent to the server")
        #expect(queue.remove([1, 2]).isEmpty)
        #expect(queue.unsent(key) == nil)
        #expect(postEnded(1) == ["post 3"])
    }

    @Test
    mutating func `a request replaced while the server delays its post is not posted again`()
        throws
    {
        let app = try ApplicationID("org.example.a")
        for token in 1...2 as ClosedRange<UInt64> {
            queue.beginDelivery(.sample(Int64(token), of: app), token: token)
            _ = try add(token, identifier: "x")
        }
        _ = queue.postDelayed(1, by: .duplicate, now: now)
        let (unsent, effects) = queue.withdraw { $0.claimed.row == 1 }
        #expect(unsent.map(\.token) == [1])
        #expect(effects.isEmpty, "the app still pauses, so post 2 is not sent yet")
        #expect(later(by: 2_000_000) == ["post 2"])
        let sent = queue.withdraw { $0.claimed.row == 2 }
        #expect(sent.unsent.isEmpty)
        #expect(
            queue.postDelayed(2, by: .full, now: now) == nil, "a removed row is not posted again")
        #expect(queue.deadline == nil)
    }

    @Test mutating func `an answer for an unknown post changes nothing`() throws {
        #expect(postEnded(1) == [])
        _ = queue.postDelayed(1, by: .full, now: now)
        #expect(queue.deadline == nil)
        #expect(try add(1) == ["post 1"])
    }

    // MARK: Media

    @Test mutating func `an image that is being made delays only its own app`() throws {
        #expect(try add(1, needsImage: true) == ["make 1"])
        #expect(try add(2) == [])
        #expect(try add(3, "b") == ["post 3"])
        #expect(made(1) == ["post 1 made", "post 2"])
        #expect(try add(4) == ["post 4"])
    }

    @Test mutating func `a popup whose image cannot be made is posted without that image`() throws {
        _ = try add(1, needsImage: true)
        #expect(made(1, nil) == ["post 1"])
    }

    @Test
    mutating func `at most one image per app and two in all are made at a time, in turn`() throws {
        #expect(try add(1, "a", needsImage: true) == ["make 1"])
        #expect(try add(2, "a", needsImage: true) == [])
        #expect(try add(3, "b", needsImage: true) == ["make 3"])
        #expect(try add(4, "c", needsImage: true) == [])
        #expect(made(1) == ["post 1 made", "make 4"])
        #expect(made(4) == ["post 4 made", "make 2"])
        #expect(made(3) == ["post 3 made"])
        #expect(made(2) == ["post 2 made"])
        #expect(made(2) == [], "a second report of an image changes nothing")
    }

    @Test mutating func `a removed popup is not posted, and the app's next popup is posted`() throws
    {
        _ = try add(1, needsImage: true)
        _ = try add(2)
        _ = try add(3, needsImage: true)
        #expect(Self.texts(queue.remove([1])) == ["post 2"])
        #expect(Self.texts(queue.remove([7])) == [])
        #expect(made(1) == ["make 3"], "one image of an app is made at a time, so 3 waited for 1")
        #expect(made(3) == ["post 3 made"])
    }
}
