import Foundation
import NotificationModel
import NotificationStore
import StoreSupport
import Testing

@testable import NotificationEngine

/// The popup to which an event belongs, and posts that the server delays or a stop interrupts.
struct ReplacementStateTests {
    private let now = ClockReading.sample()

    private func rows(_ count: Int64) -> [ClaimedRequest] {
        (1...count).map { number in
            ClaimedRequest(
                row: number, app: .tocsin, request: .sample("r\(number)"), payload: Data(),
                due: DueTime(wall: now.wall))
        }
    }

    private func busy() -> EngineState {
        var state = EngineState(schedule: .sample)
        _ = state.presenterBecameAvailable(now: now)
        state.head = ScheduleHead(wall: now.wall)
        return state
    }

    @Test func `a click before a replacement's post is answered belongs to the replaced content`() {
        var state = busy()
        let token = state.rowsClaimed(rows(1), now: now).presented.first?.token ?? 0
        let click = PopupEvent.response(.standard, activationToken: "t")
        let record = EngineEffect.record(.sample("r1"), click)
        #expect(state.popupReported(.sample("r1"), click) == [record])
        // The server answers. The replacement is stored after the click (`eventRecorded` below).
        #expect(state.outcome(of: token, .unanswered, now: now).settled.isEmpty)
        #expect(
            state.popupReported(.sample("r1"), click).isEmpty,
            "the replacement is on the screen: its click waits until it is stored")
        #expect(state.eventRecorded(.sample("r1")).settled == [.delivered(nil)])
        #expect(state.rowsSettled([token], now: now).first == record)
    }

    @Test func `a request does not overtake an earlier request that is due`() {
        var state = busy()
        state.head = ScheduleHead()
        func isShownAtOnce() -> Bool { state.reserve(.sample("b"), of: .tocsin, now: now) }
        #expect(isShownAtOnce())
        _ = state.rowsInserted([], reserved: 1, now: now)
        _ = state.scheduleChanged(ScheduleHead(wall: now.wall), now: now)
        #expect(!isShownAtOnce(), "an earlier request is due, and `EngineState` posts it first")
        _ = state.rowsClaimed(rows(1), now: now)
        _ = state.scheduleChanged(ScheduleHead(), now: now)
        _ = state.rowsClaimed([], now: now)
        #expect(isShownAtOnce())
    }

    @Test func `a popup that a new notification has replaced is not closed`() {
        var state = busy()
        let token = state.rowsClaimed(rows(1), now: now).presented.first?.token ?? 0
        #expect(state.withoutSuccessor([.sample("r1")]) == [.sample("r1")])
        _ = state.outcome(of: token, .unanswered, now: now)
        #expect(state.withoutSuccessor([.sample("r1"), .sample("r2")]) == [.sample("r2")])
    }

    @Test
    func `a stop requeues the posts that the server delayed, and names the unanswered posts`() {
        var state = busy()
        let tokens = state.rowsClaimed(rows(3), now: now).presented.map(\.token)
        #expect(state.outcome(of: tokens[0], .later(.full), now: now).settled.isEmpty)
        #expect(
            state.stop().settled == [.requeued],
            "only the first post was delayed; the other two are unanswered")
        #expect(state.unanswered == [2, 3])
    }

    /// If the store got the former notification last, it would delete the replacement.
    @Test func `a replacement is stored after the former notification that the store refused`() {
        var state = busy()
        var both = rows(2)
        both[1].request = both[0].request
        let first = state.rowsClaimed(both, now: now).presented.map(\.token)
        let popup = PresentedPopup(id: 1, server: ":1.1")
        let shown = state.outcome(of: first[0], .presented(popup), now: now)
        let second = shown.presented.map(\.token)
        #expect(first.count == 1 && second.count == 1)
        for case .settle(let token, let settlement) in shown {
            _ = state.storeFailed(.settle(token: token, settlement), now: now)
        }
        #expect(state.outcome(of: second[0], .unanswered, now: now).settled.isEmpty)
        let retried = state.clockRang(now: now.adding(microseconds: EngineState.retryInterval))
        #expect(retried.settled == [.delivered(popup), .delivered(nil)])
    }

    // MARK: A server that says "later"

    /// Delays the posts of `count` rows of one app, because the server has no room.
    ///
    /// Returns three values: the state after that, the tokens of the rows, and all effects.
    private func refused(_ count: Int64 = 64) -> (EngineState, [UInt64], [EngineEffect]) {
        var state = busy()
        let tokens = state.rowsClaimed(rows(count), now: now).presented.map(\.token)
        let effects = tokens.flatMap { state.outcome(of: $0, .later(.full), now: now) }
        return (state, tokens, effects)
    }

    @Test
    func `while a server delays an app, other apps' requests are claimed, and the app is retried`()
    {
        var (state, tokens, effects) = refused()
        #expect(
            effects.contains(.claim(limit: 1, excluding: [.tocsin])),
            "`DeliveryQueue` sends 64 rows at most: one is delayed, so one more is claimed")
        #expect(state.rowsClaimed([], now: now).claims.isEmpty)
        #expect(state.scheduleChanged(ScheduleHead(wall: now.wall), now: now).claims == [64])
        let nothing = state.rowsClaimed([], now: now)
        #expect(nothing.claims.isEmpty)
        #expect(nothing.alarms.last?.boot == now.boot + EngineState.recheckInterval)
        var later = now
        later.boot += EngineState.recheckInterval
        #expect(state.clockRang(now: later).claims == [64])
        _ = state.rowsClaimed([], now: later)
        let over = state.roomMade(now: later)
        #expect(
            over.presented.map(\.token) == [tokens[0]],
            "after a refusal `DeliveryQueue` sends one post of an app at a time")
        #expect(over.claims.isEmpty, "the app's 64 rows may be sent again, and leave no room")
        #expect(
            over.alarms == [ClockAlarms()],
            "without room, `EngineState` sets no alarm for due rows")
    }

    @Test func `a request that is removed while the server delays its post is not posted again`() {
        var (state, tokens, _) = refused(2)
        #expect(state.rowsWithdrawn([1]).settled == [.requeued])
        #expect(state.roomMade(now: now).presented.map(\.token) == [tokens[1]])
        _ = state.rowsWithdrawn([2])
        #expect(
            state.outcome(of: tokens[1], .later(.duplicate), now: now).settled == [.requeued])
        #expect(state.clockRang(now: now.adding(microseconds: 60_000_000)).presented.isEmpty)
    }
}

extension EngineState {
    /// Takes the new earliest due times as the actor does.
    mutating func scheduleChanged(_ head: ScheduleHead, now: ClockReading) -> [EngineEffect] {
        updateHead(head)
        return advance(now: now)
    }
}
