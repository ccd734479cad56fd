import NotificationModel
import TestSupport
import Testing

@testable import Freedesktop

/// A signal is early if it comes before the answer to the post of its popup.
struct SignalRouterTests {
    private var router = SignalRouter()
    private let one: NotificationKey
    private let two: NotificationKey

    init() throws {
        one = try Samples.key("one")
        two = try Samples.key("two")
    }

    private mutating func post(_ key: NotificationKey, _ id: UInt32) -> [SignalRouter.Effect] {
        router.postStarted()
        defer { router.postEnded() }
        return router.popupPosted(
            key, id: id, offer: .init(keys: ["default", "action.like"], replyIdentifier: nil))
    }

    @Test mutating func `signals for unknown popup ids are ignored`() {
        #expect(post(one, 5).isEmpty)
        for signal in [
            .token("t"), .action(key: "default"), .reply(text: "x"), .closed(reason: 2),
            .closed(reason: 3),
        ] as [SignalRouter.Signal] {
            for id in [0, 4, 6, .max] as [UInt32] {
                #expect(router.signalReceived(signal, for: id).isEmpty)
            }
        }
        #expect(router.id(of: one) == 5)
    }

    @Test mutating func `an action key that was not offered is ignored`() {
        _ = post(one, 5)
        for key in ["settings", "action.other", "action.", "", "inline-reply", "like"] {
            #expect(router.signalReceived(.action(key: key), for: 5).isEmpty, "\(key)")
        }
        #expect(router.id(of: one) == 5)
    }

    @Test mutating func `a popup of an earlier run accepts the key of any action`() {
        _ = router.popupPosted(one, id: 5)
        #expect(
            router.signalReceived(.action(key: "action.whatever"), for: 5).first
                == .respond(one, .custom("whatever"), token: nil))
    }

    @Test mutating func `an early signal for an unknown id is forgotten when no post is in flight`()
    {
        router.postStarted()
        #expect(router.signalReceived(.action(key: "default"), for: 9).isEmpty)
        #expect(router.popupPosted(one, id: 5).isEmpty)
        router.postEnded()
        router.postStarted()
        #expect(router.popupPosted(two, id: 9).isEmpty)
        router.postEnded()
    }

    @Test mutating func `without a post in flight no early signal is kept`() {
        #expect(router.signalReceived(.action(key: "default"), for: 5).isEmpty)
        #expect(post(one, 5).isEmpty)
    }

    @Test mutating func `only a bounded number of early signals is kept`() {
        router.postStarted()
        for _ in 0..<100_000 { _ = router.signalReceived(.closed(reason: 1), for: 9) }
        #expect(router.signalReceived(.closed(reason: 1), for: 5).isEmpty)
        #expect(router.popupPosted(one, id: 5).isEmpty)
        #expect(router.popupPosted(two, id: 9) == [.expired(two), .roomMade])
    }

    @Test mutating func `a replacement keeps the popup's id, and only its first click is reported`()
    {
        _ = post(one, 5)
        #expect(post(one, 5).isEmpty)
        #expect(
            router.signalReceived(.action(key: "default"), for: 5).first
                == .respond(one, .standard, token: nil))
        #expect(router.signalReceived(.action(key: "default"), for: 5).isEmpty)
    }

    @Test mutating func `a replacement with a new id closes the replaced popup`() {
        _ = post(one, 5)
        #expect(post(one, 6) == [.close(5)])
        #expect(router.signalReceived(.closed(reason: 3), for: 5).isEmpty)
        #expect(router.id(of: one) == 6)
    }

    @Test
    mutating func `the actions of a replacement differ if a key, a label or the order differs`() {
        let first = NotifyArguments.Action(key: "a", label: "A")
        let last = NotifyArguments.Action(key: "b", label: "B")
        #expect(
            !router.mayDiffer(one, from: [first, last]),
            "without a popup there is nothing to differ from")
        _ = router.popupPosted(one, id: 5, offer: .init(actions: [first, last]))
        #expect(!router.mayDiffer(one, from: [first, last]))
        let renamed = NotifyArguments.Action(key: "b", label: "C")
        for other in [[], [first], [last, first], [first, renamed]] {
            #expect(router.mayDiffer(one, from: other))
        }
        _ = router.popupPosted(one, id: 6)
        #expect(
            router.mayDiffer(one, from: [first, last]),
            "a popup without an offer is from an earlier run, and its actions are unknown")
    }

    @Test mutating func `a popup expires when the server gives its id to a new popup`() {
        _ = post(one, 5)
        #expect(post(two, 5) == [.expired(one)])
        #expect(router.id(of: one) == 0)
        #expect(
            router.signalReceived(.action(key: "default"), for: 5).first
                == .respond(two, .standard, token: nil))
    }

    @Test mutating func `an id reused soon after a click belongs to the new popup`() throws {
        _ = post(one, 5)
        let effects = router.signalReceived(.action(key: "default"), for: 5)
        let ticket = try #require(settling(in: effects))
        #expect(post(two, 5).isEmpty)
        #expect(router.settlePopup(ticket).isEmpty)
        #expect(router.id(of: two) == 5)
    }

    @Test mutating func `a dismissal is reported at once when a new popup gets the id`() throws {
        _ = post(one, 5)
        let ticket = try #require(settling(in: router.signalReceived(.closed(reason: 2), for: 5)))
        #expect(router.id(of: one) == 0, "a closed popup cannot be replaced")
        #expect(post(two, 5) == [.dismissed(one)])
        #expect(router.settlePopup(ticket).isEmpty)
    }

    @Test mutating func `a request that is posted again after a click gets a new popup`() throws {
        _ = post(one, 5)
        let ticket = try #require(
            settling(in: router.signalReceived(.action(key: "default"), for: 5)))
        #expect(router.id(of: one) == 0)
        #expect(post(one, 6).isEmpty)
        #expect(router.settlePopup(ticket) == [.close(5), .roomMade])
        #expect(router.id(of: one) == 6)
    }

    @Test
    mutating func `a dismissal is reported before a new popup of its request, and only once`()
        throws
    {
        _ = post(one, 5)
        _ = post(two, 6)
        let ticket = try #require(settling(in: router.signalReceived(.closed(reason: 2), for: 5)))
        #expect(router.endDismissals(of: two).isEmpty)
        #expect(router.endDismissals(of: one) == [.dismissed(one)])
        #expect(post(one, 7).isEmpty)
        #expect(router.settlePopup(ticket).isEmpty)
        #expect(router.endDismissals(of: one).isEmpty)
        #expect(router.id(of: one) == 7)
    }

    @Test mutating func `a withdrawn popup is closed, and its later signals are ignored`() {
        _ = post(one, 5)
        #expect(router.withdraw(one) == [.close(5), .roomMade])
        #expect(router.withdraw(one).isEmpty)
        for signal in [
            .closed(reason: 3), .closed(reason: 2), .action(key: "default"),
        ] as [SignalRouter.Signal] {
            #expect(router.signalReceived(signal, for: 5).isEmpty)
        }
    }

    // MARK: Replacements in flight

    /// A close of the popup would also remove its replacement, which has the same id.
    @Test mutating func `a popup is not closed while a post that replaces it has no answer`() throws
    {
        _ = post(one, 5)
        router.postStarted(replacing: 5)
        let ticket = try #require(
            settling(in: router.signalReceived(.action(key: "default"), for: 5)))
        #expect(router.settlePopup(ticket).isEmpty)
        #expect(router.popupPosted(one, id: 5).isEmpty)
        #expect(router.postEnded(replacing: 5).isEmpty)
        #expect(router.id(of: one) == 5)
        #expect(
            router.signalReceived(.action(key: "default"), for: 5).first
                == .respond(one, .standard, token: nil))
    }

    @Test(arguments: [true, false])
    mutating func `a withdrawn or answered popup is closed if its replacement is refused`(
        isWithdrawn: Bool
    ) throws {
        _ = post(one, 5)
        router.postStarted(replacing: 5)
        if isWithdrawn {
            #expect(router.withdraw(one).isEmpty)
        } else {
            let answer = router.signalReceived(.action(key: "default"), for: 5)
            #expect(router.settlePopup(try #require(settling(in: answer))).isEmpty)
        }
        #expect(router.signalReceived(.action(key: "default"), for: 5).isEmpty)
        #expect(router.postEnded(replacing: 5) == [.close(5), .roomMade])
        #expect(router.closeOldest().isEmpty)
    }

    /// swaync signals each close twice, and gives the id of a closed popup to its replacement.
    ///
    /// If the second signal ended the replacement, the router would ignore clicks on the
    /// replacement.
    @Test(arguments: [true, false])
    mutating func `a close signal that comes twice does not end the replacement in flight`(
        isClicked: Bool
    ) {
        _ = post(one, 5)
        router.postStarted(replacing: 5)
        if isClicked {
            _ = router.signalReceived(.action(key: "default"), for: 5)
            #expect(router.signalReceived(.closed(reason: 2), for: 5) == [.roomMade])
        } else {
            let effects: [SignalRouter.Effect] = [.expired(one), .roomMade]
            #expect(router.signalReceived(.closed(reason: 1), for: 5) == effects)
        }
        #expect(router.signalReceived(.closed(reason: 2), for: 5).isEmpty)
        #expect(router.popupPosted(one, id: 5).isEmpty)
        #expect(router.postEnded(replacing: 5).isEmpty)
        #expect(router.id(of: one) == 5)
        #expect(
            router.signalReceived(.action(key: "default"), for: 5).first
                == .respond(one, .standard, token: nil))
    }

    /// The third close can only belong to the replacement, whose answer has not come yet.
    @Test(arguments: [1, 2] as [UInt32])
    mutating func `the third close signal ends the replacement in flight`(reason: UInt32) {
        _ = post(one, 5)
        router.postStarted(replacing: 5)
        _ = router.signalReceived(.closed(reason: reason), for: 5)
        #expect(router.signalReceived(.closed(reason: 2), for: 5).isEmpty)
        _ = router.endDismissals(of: one)
        #expect(router.signalReceived(.closed(reason: 1), for: 5).isEmpty)
        #expect(router.popupPosted(one, id: 5) == [.expired(one), .roomMade])
        #expect(router.postEnded(replacing: 5).isEmpty)
        #expect(router.id(of: one) == 0)
    }

    @Test mutating func `a popup that is withdrawn while it is replaced opens no settings`() {
        _ = router.popupPosted(one, id: 5, offer: .init(keys: [ActionKeys.settings]))
        router.postStarted(replacing: 5)
        #expect(router.withdraw(one).isEmpty)
        #expect(router.signalReceived(.action(key: ActionKeys.settings), for: 5).isEmpty)
    }

    @Test mutating func `a click on the settings button reports its token, and the popup stays`() {
        _ = router.popupPosted(one, id: 5, offer: .init(keys: [ActionKeys.settings]))
        #expect(router.signalReceived(.token("t"), for: 5).isEmpty)
        #expect(
            router.signalReceived(.action(key: ActionKeys.settings), for: 5)
                == [.openSettings(one, token: "t")])
        #expect(router.id(of: one) == 5)
    }

    @Test mutating func `a withdrawn popup whose replacement got another id is closed`() {
        _ = post(one, 5)
        router.postStarted(replacing: 5)
        #expect(router.withdraw(one).isEmpty)
        #expect(router.popupPosted(one, id: 8) == [.close(5)])
        #expect(router.postEnded(replacing: 5).isEmpty)
        #expect(router.id(of: one) == 8)
        #expect(router.closeOldest() == [.expired(one), .close(8)])
        #expect(router.closeOldest().isEmpty)
    }

    @Test mutating func `a popup that is being replaced is not closed to make room`() {
        _ = post(one, 5)
        _ = post(two, 6)
        router.postStarted(replacing: 5)
        #expect(router.closeOldest() == [.expired(two), .close(6)])
    }

    @Test mutating func `the oldest popup is closed to make room, and is reported as expired`() {
        #expect(router.closeOldest().isEmpty)
        _ = post(one, 9)
        _ = post(two, 5)
        _ = post(one, 9)
        #expect(router.closeOldest() == [.expired(two), .close(5)])
        #expect(router.closeOldest() == [.expired(one), .close(9)])
        #expect(router.signalReceived(.closed(reason: 3), for: 5).isEmpty)
    }

    @Test mutating func `the popup ids of a server that has gone are ignored`() throws {
        _ = post(one, 5)
        let ticket = try #require(settling(in: router.signalReceived(.closed(reason: 2), for: 5)))
        router.postStarted()
        _ = router.signalReceived(.action(key: "default"), for: 6)
        router.serverGone()
        #expect(router.id(of: one) == 0)
        #expect(router.settlePopup(ticket).isEmpty)
        #expect(post(two, 6).isEmpty)
        #expect(router.signalReceived(.action(key: "default"), for: 5).isEmpty)
    }

    @Test(arguments: [0, 1, 3, 4, 5, 77, UInt32.max])
    mutating func `a close with any reason but 2 is an expiry`(reason: UInt32) {
        _ = post(one, 5)
        #expect(
            router.signalReceived(.closed(reason: reason), for: 5) == [.expired(one), .roomMade])
        #expect(router.signalReceived(.closed(reason: 2), for: 5).isEmpty)
    }

    @Test mutating func `an action gets the last token that came before it`() {
        _ = post(one, 5)
        #expect(router.signalReceived(.token("a"), for: 5).isEmpty)
        #expect(router.signalReceived(.token("b"), for: 5).isEmpty)
        #expect(
            router.signalReceived(.action(key: "action.like"), for: 5).first
                == .respond(one, .custom("like"), token: "b"))
    }

    private func settling(in effects: [SignalRouter.Effect]) -> SignalRouter.Ticket? {
        for case .settleLater(let ticket) in effects { return ticket }
        return nil
    }

    /// MATE's close button sends the reason of an expiry, even for popups without a timeout.
    @Test func `an expiry of a popup without a timeout is a dismissal`() throws {
        var router = SignalRouter()
        let key = try Samples.key()
        _ = router.popupPosted(key, id: 5, offer: SignalRouter.Offer(cannotExpire: true))
        let effects = router.signalReceived(.closed(reason: 1), for: 5)
        let ticket = try #require(settling(in: effects))
        #expect(router.settlePopup(ticket) == [.dismissed(key)])
    }

    /// Cinnamon's close button sends reason 0; on other servers its meaning is unknown.
    @Test func `reason 0 is a dismissal only on servers that use it for dismissals`() throws {
        var router = SignalRouter()
        let key = try Samples.key()
        _ = router.popupPosted(key, id: 5, offer: SignalRouter.Offer(isDismissedByZero: true))
        let ticket = try #require(
            settling(in: router.signalReceived(.closed(reason: 0), for: 5)))
        #expect(router.settlePopup(ticket) == [.dismissed(key)])
        _ = router.popupPosted(key, id: 6)
        #expect(router.signalReceived(.closed(reason: 0), for: 6).first == .expired(key))
    }

    /// Cinnamon 6.6 reports such a dismissal while notifications are off.
    @Test func `a dismissal that comes before the user can have seen the popup is an expiry`()
        throws
    {
        var router = SignalRouter()
        let key = try Samples.key()
        let offer = SignalRouter.Offer(isDismissedUnseen: true)
        _ = router.popupPosted(key, id: 5, offer: offer)
        let left = try #require(settling(in: router.signalReceived(.closed(reason: 2), for: 5)))
        // The popup is already closed, so this call has no effect.
        router.popupAged(left)
        #expect(router.settlePopup(left) == [.expired(key)])
        // The result is the same if the signal comes before the answer to the post.
        router.postStarted()
        #expect(router.signalReceived(.closed(reason: 2), for: 6).isEmpty)
        let early = try #require(settling(in: router.popupPosted(key, id: 6, offer: offer)))
        #expect(router.settlePopup(early) == [.expired(key)])
        router.postEnded()
        guard case .ageLater(let ticket)? = router.popupPosted(key, id: 7, offer: offer).first
        else {
            throw HarnessError("the router asked for no call of popupAged")
        }
        router.popupAged(ticket)
        let settled = try #require(settling(in: router.signalReceived(.closed(reason: 2), for: 7)))
        #expect(router.settlePopup(settled) == [.dismissed(key)])
    }
}

extension SignalRouter.Offer {
    /// An offer of actions that have no labels.
    init(keys: [String], replyIdentifier: String? = nil) {
        let actions = keys.map { NotifyArguments.Action(key: $0, label: "") }
        self.init(actions: actions, replyIdentifier: replyIdentifier)
    }
}
