package import Foundation

/// Decides after each attempt to post a message whether to try again; pure.
///
/// Source: RFC 8030, sections 5 and 7; RFC 9110, sections 10.2.3 and 15.5.9.
package struct RetryPolicy: Sendable {
    package enum Decision: Hashable, Sendable {
        /// There is no further attempt; until the end of this pause, send nothing to the endpoint's
        /// origin.
        case end(PushOutcome, pause: Duration? = nil)
        /// Try again after this pause; until its end, send nothing to the endpoint's origin.
        case pause(Duration)
        case retry(after: Duration)
    }

    /// The most attempts for one message.
    package var attempts = 5
    /// The pause after the first failure; each later pause is twice as long as the pause before it.
    package var firstPause = Duration.seconds(1)
    /// The longest pause that a sender waits.
    ///
    /// If a push service asks for a longer pause, there is no further attempt.
    package var longestPause = Duration.seconds(300)

    package init() {}

    /// Decides by the status of an answer.
    ///
    /// - Parameters:
    ///   - attempt: The number of the attempt; the first attempt is 1.
    ///   - retryAfter: The header `Retry-After`; nil if the answer has none.
    ///   - now: The time of the answer, from which a date in `Retry-After` counts.
    ///   - reason: The beginning of the answer's body.
    package func decide(
        status: Int, attempt: Int, retryAfter: String?, now: Date, reason: String
    ) -> Decision {
        switch status {
        case 200, 201, 202, 204: return .end(.accepted)
        case 404, 410: return .end(.gone)
        case 413: return .end(.tooLarge)
        // With 408, the request did not arrive in time: for example, the service was closing an
        // idle connection.
        case 408, 429, 500...599:
            let asked = retryAfter.flatMap { Self.pause($0, now: now) }
            // The long pause of a 429 may be for this subscription alone, so it must not postpone
            // the messages to other subscriptions.
            let shared = status < 500 ? nil : asked
            guard attempt < attempts else {
                return .end(.failed("HTTP \(status): \(reason)"), pause: shared)
            }
            let backoff = pause(after: attempt)
            guard let wanted = asked else { return .retry(after: backoff) }
            guard wanted <= longestPause else { return .end(.postponed(wanted), pause: shared) }
            // Wait at least `backoff`: `Retry-After: 0` would use up all attempts at once.
            return .pause(max(wanted, backoff))
        default: return .end(.refused(status: status, reason: reason))
        }
    }

    /// Decides after an attempt that got no answer.
    package func decide(error: String, attempt: Int) -> Decision {
        attempt < attempts ? .retry(after: pause(after: attempt)) : .end(.failed(error))
    }

    private func pause(after attempt: Int) -> Duration {
        var pause = firstPause
        for _ in 1..<max(1, attempt) where pause < longestPause { pause *= 2 }
        return min(pause, longestPause)
    }

    /// Reads `Retry-After`, which is whole seconds or a date; nil for any other text.
    ///
    /// A longer pause than 68 years is cut to 68 years.
    package static func pause(_ header: String, now: Date) -> Duration? {
        let text = header.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number that does not fit in `Int32` becomes a pause that no sender waits.
            return .seconds(Int32(text) ?? .max)
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let date = format.date(from: text) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(Int32.max)))
    }
}
