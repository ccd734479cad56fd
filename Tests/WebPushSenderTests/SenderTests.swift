import Foundation
import Synchronization
import TestSupport
import Testing
import WebPush
import WebPushSender

/// The sender, with a scripted push service on this machine.
@Suite(.timeLimit(.minutes(1))) struct SenderTests {
    private let keys = PushKeys()
    private let serverKey = ServerKey()

    private func subscription(_ endpoint: String) -> PushSubscription {
        PushSubscription(
            endpoint: endpoint, publicKey: keys.publicKey,
            authenticationSecret: keys.authenticationSecret)
    }

    private func sender(
        concurrency: Int = 8, timeout: Duration = .seconds(10),
        configure: (inout RetryPolicy) -> Void = { _ in }
    ) -> Sender {
        var policy = RetryPolicy()
        policy.firstPause = .milliseconds(10)
        configure(&policy)
        return Sender(
            key: serverKey, subject: "mailto:push@example.org", concurrency: concurrency,
            timeout: timeout, policy: policy, now: { Date(timeIntervalSince1970: 1e9) })
    }

    @Test func `a message arrives encrypted, signed, and with its headers`() async throws {
        try await ScriptedPushService.withService { service in
            let message = PushMessage(
                Array("tea".utf8), timeToLive: .seconds(90), urgency: .high, topic: "kitchen-1")
            let outcome = await sender().send(
                message, to: subscription(service.endpoint("201")))
            #expect(outcome == .accepted)
            let request = try #require(try await service.requests(atLeast: 1).first)
            #expect(request.headers["ttl"] == "90")
            #expect(request.headers["urgency"] == "high")
            #expect(request.headers["topic"] == "kitchen-1")
            #expect(request.headers["content-encoding"] == "aes128gcm")
            let signature = try #require(request.headers["authorization"])
            #expect(signature.hasSuffix("k=\(serverKey.publicKeyText)"))
            let body = try #require(Data(base64Encoded: request.body))
            #expect(
                try MessageEncryption.decrypt(Array(body), with: keys) == Array("tea".utf8))
        }
    }

    @Test func `messages to one push service share one signature`() async throws {
        try await ScriptedPushService.withService { service in
            let sender = sender()
            for path in ["a/201", "b/201"] {
                _ = await sender.send(
                    PushMessage([1]), to: subscription(service.endpoint(path)))
            }
            let signatures = try await service.requests(atLeast: 2).map {
                $0.headers["authorization"]
            }
            #expect(signatures.count == 2)
            #expect(Set(signatures).count == 1)
        }
    }

    /// Push services refuse a signature that is valid for more than a day (RFC 8292).
    @Test func `a signature from before the clock was set back is not used again`() async throws {
        try await ScriptedPushService.withService { service in
            let clock = Mutex(Date(timeIntervalSince1970: 1e9 + 86_400))
            let sender = Sender(
                key: serverKey, subject: "mailto:push@example.org", concurrency: 1,
                timeout: .seconds(10), policy: RetryPolicy(), now: { clock.withLock { $0 } })
            _ = await sender.send(PushMessage([1]), to: subscription(service.endpoint("a/201")))
            clock.withLock { $0 -= 86_400 }
            _ = await sender.send(PushMessage([1]), to: subscription(service.endpoint("b/201")))
            let signatures = try await service.requests(atLeast: 2).map {
                $0.headers["authorization"]
            }
            #expect(Set(signatures).count == 2)
        }
    }

    @Test(
        arguments: [
            ("404", .gone), ("410", .gone), ("413", .tooLarge),
            ("400", .refused(status: 400, reason: "ok")),
            ("403", .refused(status: 403, reason: "ok")),
            ("307", .refused(status: 307, reason: "ok")),
            ("429+3600", .postponed(.seconds(3600))),
        ] as [(String, PushOutcome)])
    func `after a refusal or a long Retry-After, there is no second attempt`(
        path: String, expected: PushOutcome
    ) async throws {
        try await ScriptedPushService.withService { service in
            let outcome = await sender().send(
                PushMessage([1]), to: subscription(service.endpoint(path)))
            #expect(outcome == expected)
            let count = try await service.requests(atLeast: 1).count
            #expect(count == 1)
        }
    }

    // The overloaded push service must not get a request for each further message.
    @Test func `a long Retry-After of a 503 postpones every message to the same push service`()
        async throws
    {
        try await ScriptedPushService.withService { service in
            let sender = sender()
            _ = await sender.send(
                PushMessage([1]), to: subscription(service.endpoint("503+3600")))
            let second = await sender.send(
                PushMessage([2]), to: subscription(service.endpoint("b/201")))
            guard case .postponed(let rest) = second else {
                Issue.record("the outcome is \(second)")
                return
            }
            #expect(rest > .seconds(300) && rest <= .seconds(3_600))
        }
    }

    @Test(arguments: ["503,500,201", "429+0,201", "408,201"])
    func `a temporary error is followed by another attempt`(path: String) async throws {
        try await ScriptedPushService.withService { service in
            let outcome = await sender().send(
                PushMessage([1]), to: subscription(service.endpoint(path)))
            #expect(outcome == .accepted)
            let count = try await service.requests(atLeast: path.split(separator: ",").count).count
            #expect(count == path.split(separator: ",").count)
        }
    }

    @Test(
        arguments: [
            ("endless/201", .accepted), ("stuck/201", .accepted), ("endless/410", .gone),
        ] as [(String, PushOutcome)])
    func `a response whose body never ends is judged by its status and not retried`(
        path: String, expected: PushOutcome
    ) async throws {
        try await ScriptedPushService.withService { service in
            let outcome = await sender(timeout: .seconds(1)).send(
                PushMessage([1]), to: subscription(service.endpoint(path)))
            #expect(outcome == expected)
            let count = try await service.requests(atLeast: 1).count
            #expect(count == 1)
        }
    }

    @Test func `sending to a push service that never answers fails after the timeout`() async throws
    {
        try await ScriptedPushService.withService { service in
            let outcome = await sender(timeout: .milliseconds(200)) { $0.attempts = 2 }.send(
                PushMessage([1]), to: subscription(service.endpoint("silent/201")))
            guard case .failed = outcome else {
                Issue.record("the outcome is \(outcome)")
                return
            }
            let count = try await service.requests(atLeast: 2).count
            #expect(count == 2)
        }
    }

    @Test func `sending fails after the last attempt if every attempt ends with an error`()
        async throws
    {
        try await ScriptedPushService.withService { service in
            let outcome = await sender { $0.attempts = 3 }.send(
                PushMessage([1]), to: subscription(service.endpoint("503")))
            #expect(outcome == .failed("HTTP 503: ok"))
            let count = try await service.requests(atLeast: 3).count
            #expect(count == 3)
        }
    }

    @Test func `a message is tried again after the pause that its push service asks for`()
        async throws
    {
        try await ScriptedPushService.withService { service in
            let start = ContinuousClock.now
            let outcome = await sender().send(
                PushMessage([1]), to: subscription(service.endpoint("429+1,201")))
            #expect(outcome == .accepted)
            #expect(start.duration(to: .now) >= .seconds(1))
        }
    }

    @Test func `a pause holds back every message to the same push service`() async throws {
        try await ScriptedPushService.withService { service in
            // The first message ends without waiting for the pause, so only the second message
            // waits.
            let sender = sender { $0.attempts = 1 }
            let start = ContinuousClock.now
            let first = await sender.send(
                PushMessage([1]), to: subscription(service.endpoint("503+1")))
            let second = await sender.send(
                PushMessage([2]), to: subscription(service.endpoint("b/201")))
            #expect(first == .failed("HTTP 503: ok"))
            #expect(second == .accepted)
            #expect(start.duration(to: .now) >= .seconds(1))
        }
    }

    @Test func `sending to a stopped push service fails`() async throws {
        let service = try await ScriptedPushService()
        let endpoint = service.endpoint("201")
        await service.stop()
        let outcome = await sender { $0.attempts = 2 }.send(
            PushMessage([1]), to: subscription(endpoint))
        guard case .failed = outcome else {
            Issue.record("the outcome is \(outcome)")
            return
        }
    }

    @Test func `an unusable endpoint is named, and a message that is too large is not sent`()
        async throws
    {
        let sender = sender()
        guard
            case .unusable(let text) = await sender.send(
                PushMessage([1]), to: subscription("ftp://a.example"))
        else {
            Issue.record("the endpoint was used")
            return
        }
        #expect(text.contains("ftp://a.example"))
        let large = PushMessage([UInt8](repeating: 1, count: 3994))
        #expect(await sender.send(large, to: subscription("http://127.0.0.1:1/")) == .tooLarge)
    }

    @Test func `subscriptions are read only as fast as messages are answered`() async throws {
        try await ScriptedPushService.withService { service in
            let (limit, count) = (4, 60)
            let read = Mutex(0)
            let endpoints = AsyncStream<PushSubscription> {
                let number = read.withLock {
                    $0 += 1
                    return $0
                }
                return number > count
                    ? nil : subscription(service.endpoint("slow/\(number)/201"))
            }
            let reported = Mutex(0)
            try await sender(concurrency: limit).send(PushMessage([1]), to: endpoints) {
                _, outcome in
                #expect(outcome == .accepted)
                reported.withLock { $0 += 1 }
                let ahead = read.withLock { $0 } - reported.withLock { $0 }
                #expect(ahead <= limit + 1)
            }
            #expect(reported.withLock { $0 } == count)
            let requests = try await service.requests(atLeast: count)
            #expect(requests.count == count)
            #expect(requests.allSatisfy { $0.open <= limit })
        }
    }
}
