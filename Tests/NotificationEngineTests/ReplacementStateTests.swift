import Foundation
import NotificationModel
import Testing

@testable import NotificationEngine
@testable import NotificationStore

/// Whose popup an event is about, and what a stop does with posts.
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
    /// A click on a popup whose replacement waited was told as a click on the replacement.
    @Test func `a click before the server took a replacement answers the former content`() {
        var state = busy()
        let token = state.claimed(rows(1), now: now).presented.first?.token ?? 0
        let click = PopupEvent.response(.standard, activationToken: "t")
        let record = EngineEffect.record(.sample("r1"), click)
        #expect(state.popupReported(.sample("r1"), click) == [record])
        // The replacement is stored after the answer, which removes the former row.
        #expect(state.outcome(of: token, .unanswered, now: now).settled.isEmpty)
        #expect(state.popupReported(.sample("r1"), click).isEmpty, "it has been shown")
        #expect(state.recorded(.sample("r1")).settled == [.delivered(nil)])
        #expect(state.settled([token], now: now).first == record)
    }

    @Test func `a popup that another has taken over is not closed`() {
        var state = busy()
        let token = state.claimed(rows(1), now: now).presented.first?.token ?? 0
        #expect(state.withoutSuccessor([.sample("r1")]) == [.sample("r1")])
        _ = state.outcome(of: token, .unanswered, now: now)
        #expect(state.withoutSuccessor([.sample("r1"), .sample("r2")]) == [.sample("r2")])
    }

    @Test func `a stop takes back what the server was not asked for and names the rest`() {
        var state = busy()
        let tokens = state.claimed(rows(3), now: now).presented.map(\.token)
        #expect(state.outcome(of: tokens[0], .later(.full), now: now).settled.isEmpty)
        #expect(state.stop().settled == [.returned], "the server wanted it later")
        #expect(state.unanswered == [2, 3])
    }
}
