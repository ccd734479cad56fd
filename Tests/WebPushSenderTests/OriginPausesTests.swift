import Testing
import WebPushSender

@Suite struct OriginPausesTests {
    private let start = ContinuousClock.now

    @Test func `a pause with an earlier end does not shorten the origin's pause`() {
        var pauses = OriginPauses()
        #expect(pauses.pauseEnd(of: "a", now: start) == nil)
        pauses.prolong("a", to: start + .seconds(5), now: start)
        pauses.prolong("a", to: start + .seconds(3), now: start)
        #expect(pauses.pauseEnd(of: "a", now: start + .seconds(4)) == start + .seconds(5))
        #expect(pauses.pauseEnd(of: "b", now: start) == nil)
        #expect(pauses.pauseEnd(of: "a", now: start + .seconds(5)) == nil)
        #expect(pauses.count == 0)
    }

    @Test func `ended pauses of origins that nobody uses again are removed`() {
        var pauses = OriginPauses()
        for number in 0..<OriginPauses.cleanupCount {
            pauses.prolong("\(number)", to: start + .seconds(1), now: start)
        }
        pauses.prolong("0", to: start + .seconds(9), now: start)
        pauses.prolong("new", to: start + .seconds(9), now: start + .seconds(1))
        #expect(pauses.count == 2)
        #expect(pauses.pauseEnd(of: "0", now: start + .seconds(1)) == start + .seconds(9))
    }

    /// A removal at each new pause would read all earlier pauses again.
    @Test func `ended pauses are removed when the count has doubled since the last removal`() {
        var pauses = OriginPauses()
        let count = OriginPauses.cleanupCount
        // The last of these calls removes nothing, because no pause has ended.
        for number in 0...count {
            pauses.prolong("\(number)", to: start + .seconds(1), now: start)
        }
        let later = start + .seconds(2)
        for number in count + 1..<2 * count {
            pauses.prolong("\(number)", to: start + .seconds(9), now: later)
        }
        #expect(pauses.count == 2 * count)
        pauses.prolong("new", to: start + .seconds(9), now: later)
        #expect(pauses.count == count)
    }
}
