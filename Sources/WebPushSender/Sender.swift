package import Foundation
public import WebPush

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Encrypts and signs messages, sends them to subscriptions, and retries after temporary errors.
///
/// It owns the connections to push services and the pauses that they ask for. It promises one
/// outcome for each message and subscription. A call for several subscriptions sends at most
/// `concurrency` messages at once. It never sends a message again after the push service has
/// accepted or refused it, or has reported that the subscription is gone.
public actor Sender {
    /// How many seconds a new signature is valid, and how many seconds must be left to use a
    /// signature again.
    private static let (lifetime, leastLifetime) = (Int64(12 * 3_600), Int64(3_600))
    /// The most signatures in memory, because strangers' subscriptions can name many origins.
    private static let mostSignatures = 1_024
    /// The longest pause of an origin in memory, because strangers' origins may ask for years.
    private static let longestOriginPause = Duration.seconds(86_400)

    private let key: ServerKey?
    private let subject: String
    private let concurrency: Int
    private let policy: RetryPolicy
    private let now: @Sendable () -> Date
    private let connection: PushConnection
    /// The headers `Authorization` by origin; `expiration` is in seconds since 1970.
    private var signatures: [String: (header: String, expiration: Int64)] = [:]
    /// When each origin may get messages again.
    private var pauses = OriginPauses()

    /// Makes a sender.
    ///
    /// - Parameters:
    ///   - key: The key that signs the messages; nil if the subscriptions were made without a
    ///     server key.
    ///   - subject: How push services can reach you: a `mailto:` or an `https:` URL. It is part of
    ///     the signature, so it is not used if `key` is nil.
    ///   - concurrency: The most messages that one call sends at once, at least 1.
    ///   - timeout: How long an attempt may take until the push service answers.
    public init(
        key: ServerKey?, subject: String, concurrency: Int = 64,
        timeout: Duration = .seconds(30)
    ) {
        self.init(
            key: key, subject: subject, concurrency: concurrency, timeout: timeout,
            policy: RetryPolicy(), now: { Date() })
    }

    package init(
        key: ServerKey?, subject: String, concurrency: Int, timeout: Duration,
        policy: RetryPolicy, now: @escaping @Sendable () -> Date
    ) {
        self.key = key
        self.subject = subject
        self.concurrency = max(1, concurrency)
        self.policy = policy
        self.now = now
        connection = PushConnection(connectionsPerHost: self.concurrency, timeout: timeout)
    }

    deinit { connection.close() }

    // MARK: Sending

    /// Sends a message to each subscription of a sequence.
    ///
    /// The method reads at most one subscription ahead of the messages that it sends, so a long
    /// sequence needs no more memory. `report` gets the outcomes in the order in which they become
    /// known; a slow `report` slows the sending down.
    ///
    /// - Throws: The error of the sequence, after `report` has got the outcomes of all messages on
    ///   their way.
    public func send<Subscriptions: AsyncSequence & Sendable>(
        _ message: PushMessage, to subscriptions: Subscriptions,
        report: @Sendable (PushSubscription, PushOutcome) async -> Void
    ) async throws where Subscriptions.Element == PushSubscription {
        try await withThrowingTaskGroup(of: (PushSubscription, PushOutcome).self) { group in
            var (open, failure) = (0, Result<Void, any Error>.success(()))
            do {
                for try await subscription in subscriptions {
                    if open == concurrency, let (subscription, outcome) = try await group.next() {
                        await report(subscription, outcome)
                        open -= 1
                    }
                    group.addTask { (subscription, await self.send(message, to: subscription)) }
                    open += 1
                }
            } catch {
                failure = .failure(error)
            }
            for try await (subscription, outcome) in group { await report(subscription, outcome) }
            try failure.get()
        }
    }

    /// Sends a message to each subscription of a collection, and reports each outcome.
    public func send(
        _ message: PushMessage, to subscriptions: [PushSubscription],
        report: @Sendable (PushSubscription, PushOutcome) async -> Void
    ) async {
        do {
            try await send(message, to: Elements(rest: subscriptions[...]), report: report)
        } catch {
            // An array never throws.
        }
    }

    private struct Elements: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest: ArraySlice<PushSubscription>

        mutating func next() -> PushSubscription? { rest.popFirst() }
        func makeAsyncIterator() -> Self { self }
    }

    /// Sends a message to one subscription, and returns its outcome.
    ///
    /// The method waits for pauses that the push service asks for, up to five minutes each. During
    /// a longer pause, it sends nothing and the outcome is `postponed`. If the task is cancelled,
    /// the outcome is `failed`.
    public func send(
        _ message: PushMessage, to subscription: PushSubscription
    ) async -> PushOutcome {
        let (origin, request): (String, URLRequest)
        do throws(WebPushError) {
            (origin, request) = try prepare(message, for: subscription)
        } catch {
            return error.code == .payloadTooLarge ? .tooLarge : .unusable(error.message)
        }
        var attempt = 0
        while true {
            attempt += 1
            do {
                if let rest = try await waitUntilOpen(origin) { return .postponed(rest) }
                switch await decide(after: attempt, request) {
                case .end(let outcome, let pause):
                    if let pause { prolongPause(of: origin, by: pause) }
                    return outcome
                case .retry(let pause): try await Task.sleep(for: pause)
                case .pause(let pause): prolongPause(of: origin, by: pause)
                }
            } catch {
                return .failed("the sending was cancelled")
            }
        }
    }

    private func decide(after attempt: Int, _ request: URLRequest) async -> RetryPolicy.Decision {
        do {
            let answer = try await connection.post(request)
            return policy.decide(
                status: answer.status, attempt: attempt, retryAfter: answer.retryAfter, now: now(),
                reason: answer.reason)
        } catch {
            return policy.decide(error: error.localizedDescription, attempt: attempt)
        }
    }

    // MARK: Requests

    private func prepare(
        _ message: PushMessage, for subscription: PushSubscription
    ) throws(WebPushError) -> (origin: String, request: URLRequest) {
        try message.check()
        let origin = try ServerKey.origin(of: subscription.endpoint)
        guard let url = URL(string: subscription.endpoint) else {
            throw WebPushError(
                .invalidSubscription, "The endpoint '\(subscription.endpoint)' is no URL.")
        }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(try MessageEncryption.encrypt(message.payload, for: subscription))
        request.setValue("aes128gcm", forHTTPHeaderField: "Content-Encoding")
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        request.setValue(
            "\(message.timeToLive.components.seconds)", forHTTPHeaderField: "TTL")
        request.setValue(message.urgency.rawValue, forHTTPHeaderField: "Urgency")
        if let topic = message.topic { request.setValue(topic, forHTTPHeaderField: "Topic") }
        if let header = try signature(for: subscription.endpoint, origin: origin) {
            request.setValue(header, forHTTPHeaderField: "Authorization")
        }
        return (origin, request)
    }

    /// The header `Authorization` for an origin; nil if the sender has no key.
    ///
    /// The last header of the origin is used again if it stays valid for more than an hour, but not
    /// longer than a new header. If it stays valid longer, the clock was set back. Push services
    /// refuse a signature that is valid for more than a day (RFC 8292, section 2).
    private func signature(
        for endpoint: String, origin: String
    ) throws(WebPushError) -> String? {
        guard let key else { return nil }
        let seconds = Int64(now().timeIntervalSince1970)
        if let last = signatures[origin],
            (Self.leastLifetime + 1...Self.lifetime).contains(last.expiration - seconds)
        {
            return last.header
        }
        let expiration = seconds + Self.lifetime
        let header = try key.authorization(
            for: endpoint, subject: subject, expiration: expiration)
        if signatures.count >= Self.mostSignatures { signatures = [:] }
        signatures[origin] = (header, expiration)
        return header
    }

    // MARK: Pauses

    private func prolongPause(of origin: String, by pause: Duration) {
        let now = ContinuousClock.now
        pauses.prolong(origin, to: now + min(pause, Self.longestOriginPause), now: now)
    }

    /// Waits until the origin may get messages.
    ///
    /// - Returns: Nil if the origin may get messages now; otherwise the rest of a pause that is
    ///   longer than the sender waits.
    private func waitUntilOpen(_ origin: String) async throws -> Duration? {
        // Another message can prolong the pause during the wait.
        while let end = pauses.pauseEnd(of: origin, now: .now) {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest <= policy.longestPause else { return rest }
            try await Task.sleep(until: end)
        }
        try Task.checkCancellation()
        return nil
    }
}
