import Foundation
import Testing
import WebPush
import WebPushSender

@Suite struct RetryPolicyTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        arguments: [
            ("0", .zero), (" 120 ", .seconds(120)), ("-5", nil),
            ("Sun, 06 Nov 1994 08:49:57 GMT", .seconds(20)),
            ("Sun, 06 Nov 1994 08:49:17 GMT", .zero), ("soon", nil), ("", nil),
            ("99999999999999999999", .seconds(Int32.max)),
        ] as [(String, Duration?)])
    func `Retry-After is read as seconds or as a date`(header: String, pause: Duration?) {
        #expect(RetryPolicy.pause(header, now: now) == pause)
    }

    @Test func `each pause is twice as long as the previous one, up to the longest pause`() {
        var policy = RetryPolicy()
        policy.attempts = 100
        policy.longestPause = .seconds(5)
        let pauses = (1...5).map { policy.decide(error: "x", attempt: $0) }
        #expect(pauses == [1, 2, 4, 5, 5].map { .retry(after: .seconds($0)) })
        #expect(policy.decide(error: "x", attempt: 100) == .end(.failed("x")))
    }

    @Test(
        arguments: [
            ("0", 1, .seconds(1)), ("0", 3, .seconds(4)), ("3", 2, .seconds(3)),
            ("Sun, 06 Nov 1994 08:49:17 GMT", 2, .seconds(2)),
        ] as [(String, Int, Duration)])
    func `the sender waits for the backoff if Retry-After is shorter`(
        header: String, attempt: Int, pause: Duration
    ) {
        let decision = RetryPolicy().decide(
            status: 429, attempt: attempt, retryAfter: header, now: now, reason: "")
        #expect(decision == .pause(pause))
    }

    @Test(
        arguments: [
            (1, .postponed(.seconds(3_600))), (5, .failed("HTTP 503: busy")),
        ] as [(Int, PushOutcome)])
    func `a 503 that ends the attempts still pauses the push service`(
        attempt: Int, outcome: PushOutcome
    ) {
        let decision = RetryPolicy().decide(
            status: 503, attempt: attempt, retryAfter: "3600", now: now, reason: "busy")
        #expect(decision == .end(outcome, pause: .seconds(3_600)))
    }

    // A 429 may limit only the messages to one subscription.
    @Test(arguments: [1, 5])
    func `a 429 that ends the attempts does not pause the push service`(attempt: Int) {
        let decision = RetryPolicy().decide(
            status: 429, attempt: attempt, retryAfter: "3600", now: now, reason: "")
        guard case .end(_, pause: nil) = decision else {
            Issue.record("the decision is \(decision)")
            return
        }
    }

    @Test(arguments: ["", "a b", "ä", String(repeating: "t", count: 33)])
    func `a topic of a wrong length or with wrong characters is refused`(topic: String) {
        let error = #expect(throws: WebPushError.self) {
            try PushMessage([], topic: topic).check()
        }
        #expect(error?.code == .invalidHeader)
    }

    @Test func `a negative time to live is refused, and zero is not`() throws {
        #expect(throws: WebPushError.self) {
            try PushMessage([], timeToLive: .seconds(-1)).check()
        }
        try PushMessage([], timeToLive: .zero, topic: "a-B_9").check()
    }
}
