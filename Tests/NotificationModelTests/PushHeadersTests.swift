import NotificationModel
import Testing

/// The headers of a push.
@Suite struct PushHeadersTests {
    private let now = Instant(microseconds: 1_000_000_000)

    @Test(arguments: [
        (PushHeaders.Priority.low, InterruptionLevel.active, InterruptionLevel.passive),
        (.low, .timeSensitive, .timeSensitive), (.low, .passive, .passive),
        (.normal, .active, .active), (.high, .active, .active),
    ])
    func `a low priority makes an active push passive, and changes no other level`(
        priority: PushHeaders.Priority, level: InterruptionLevel, expected: InterruptionLevel
    ) {
        #expect(PushHeaders(priority: priority).level(level) == expected)
    }

    @Test
    func `a push waits for the notification server until the push expires, but at least 1 s`() {
        #expect(PushHeaders().grace(now: now) == nil)
        let later = Instant(microseconds: now.microseconds + 60_000_000)
        #expect(PushHeaders(expiration: later).grace(now: now) == 60)
        for past in [0, now.microseconds, .min] {
            let headers = PushHeaders(expiration: Instant(microseconds: past))
            #expect(headers.grace(now: now) == 1)
        }
        let never = PushHeaders(expiration: Instant(microseconds: .max)).grace(now: now)
        #expect(never.map(\.isFinite) == true)
    }

    @Test
    func `the APNs priorities are 1, 5 and 10, and a push without a priority has 10`() throws {
        #expect(try PushHeaders.priority(nil) == .high)
        #expect(try [1, 5, 10].map { try PushHeaders.priority($0) } == [.low, .normal, .high])
        #expect(throws: NotificationError.self) { try PushHeaders.priority(7) }
    }
}
